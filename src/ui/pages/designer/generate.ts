import { toAppError } from '../../../core/base/errors.ts';
import {
  type DatastorePolicy,
  type Generated,
  generateLayout,
  type GenerateOptions,
  type HostPolicy,
} from '../../../core/layout/layoutGenerate.ts';
import type { LayoutView } from '../../../core/testbed/layoutModel.ts';

/** What the dialog holds: pools as refs; an empty pool = all that can be used. */
export interface GenerateValues {
  tiles: number;
  datastore: DatastorePolicy;
  host: HostPolicy;
  client: GenerateOptions['client'];
  unit: 'tile' | 'vm';
  hostRefs: string[];
  datastoreRefs: string[];
  clientIds: string[];
  vcpusPerCore: number;
  memoryPct: number;
  names: boolean;
  pattern: string;
  ignoreCase: boolean;
}

/** What the dialog holds at first: policies only for what is known. */
export const generateStart = (
  tiles: number,
  pattern: string,
  known: { hosts: boolean; datastores: boolean; clients: boolean },
): GenerateValues => ({
  tiles,
  datastore: known.datastores ? 'each' : 'asIs',
  host: known.hosts ? 'spread' : 'asIs',
  client: known.clients ? 'roundRobin' : 'asIs',
  unit: 'tile',
  hostRefs: [],
  datastoreRefs: [],
  clientIds: [],
  vcpusPerCore: 1,
  memoryPct: 90,
  names: known.hosts,
  pattern,
  ignoreCase: false,
});

/** Places that can take VMs. */
export interface UsablePlaces {
  hosts: LayoutView['hosts'];
  datastores: LayoutView['datastores'];
}

/** Places that can take VMs: discovered, connected, not set apart. */
export const usablePlaces = (view: LayoutView): UsablePlaces => ({
  hosts: view.hosts.filter(
    (host) => host.info !== null && !host.maintenance && host.connected !== false,
  ),
  datastores: view.datastores.filter(
    (store) => store.info !== null && store.accessible !== false && !store.maintenance,
  ),
});

/** The layout that these values ask for, or in words why there is none. */
export function generated(
  view: LayoutView,
  clients: readonly { id: string; name: string }[],
  values: GenerateValues,
  usable: UsablePlaces,
): { result: Generated | null; error: string | null } {
  try {
    return {
      error: null,
      result: generateLayout(view.testbed, view.inventory, view.profile, clients, {
        ...values,
        memoryShare: values.memoryPct / 100,
        hosts: pool(view.hosts, usable.hosts, values.hostRefs),
        datastores: pool(view.datastores, usable.datastores, values.datastoreRefs),
        clientIds: values.clientIds.length > 0 ? values.clientIds : clients.map(({ id }) => id),
        pattern: values.names ? values.pattern : null,
      }),
    };
  } catch (thrown) {
    const { message, hint } = toAppError(thrown);
    return { result: null, error: [message, hint].filter(Boolean).join(' ') };
  }
}

/** The places chosen by their refs; none chosen = all usable ones. */
const pool = <T extends { ref: string; name: string }>(
  all: readonly T[],
  usable: readonly T[],
  refs: readonly string[],
): { ref: string; name: string }[] =>
  (refs.length === 0
    ? usable
    : refs.flatMap((ref) => all.find((one) => one.ref === ref) ?? [])
  ).map(({ ref, name }) => ({ ref, name }));
