import type { SlotKey } from './layoutModel.ts';
import type { NamedRef } from './testbed.ts';

export const diffGroups = {
  general: 'Testbed',
  tiles: 'Tiles',
  vms: 'VMs',
  places: 'Places',
  clients: 'Clients',
  params: 'Driver parameters',
  layout: 'Layout',
  infrastructure: 'Infrastructure operations',
} as const;

export type DiffGroup = keyof typeof diffGroups;

/** One thing that differs, in words. null = not there, or not chosen. */
export interface TestbedDifference {
  group: DiffGroup;
  label: string;
  before: string | null;
  after: string | null;
  /** Slots it is about, in the testbed after; of the testbed before where they are gone. */
  keys: readonly SlotKey[];
}

/** Names of what a testbed keeps only the id of; an id without a name is shown itself. */
export type NameOf = (
  kind: 'client' | 'profile' | 'vcenter' | 'power' | 'vm' | 'datastore',
  id: string,
) => string;

/** What two namings of the same thing have in common. */
export type SameThing = (one: NamedRef) => string;
