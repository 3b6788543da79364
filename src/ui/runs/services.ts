import { createContext, useContext } from 'react';
import type { Client } from '../../shared/contract.ts';
import type { DesktopApi } from '../../shared/desktop.ts';

/** What the run screens need from outside React: the engine and the desktop. */
export interface RunServices { client: Client; desktop: DesktopApi }
export const RunServicesContext = createContext<RunServices | null>(null);

function useServices(): RunServices {
  const services = useContext(RunServicesContext);
  if (services === null) throw new Error('RunServicesContext is not provided.');
  return services;
}
export const useClient = (): Client => useServices().client;
export const useDesktop = (): DesktopApi => useServices().desktop;
