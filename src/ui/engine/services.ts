import { createContext, useContext } from 'react';

import type { Client, Reader } from '../../wire/contract.ts';
import type { DesktopApi } from '../../wire/desktop.ts';
import type { HostLink } from './hostLink.ts';
import type { Workspace } from './workspace.ts';

/**
 * What the screens need from outside React: the engine, the desktop, and which workspace they are
 * in.
 */
export interface RunServices {
  client: Client;
  desktop: DesktopApi;
  workspace: Workspace;
  host?: HostLink;
}
export const RunServicesContext = createContext<RunServices | null>(null);

function useServices(): RunServices {
  const services = useContext(RunServicesContext);
  if (services === null) throw new Error('RunServicesContext is not provided.');
  return services;
}
export const useClient = (): Reader => useServices().client;
export const useDesktop = (): DesktopApi => useServices().desktop;
export const useWorkspace = (): Workspace => useServices().workspace;
/** The program that serves this page; undefined in the desktop. */
export const useHost = (): HostLink | undefined => useServices().host;
/** true: everything on screen comes from the simulated lab. */
export const useSimulated = (): boolean => useServices().workspace.kind === 'simulated';
