import { formatElapsed } from '../base/format.ts';
import type { Act, ActKindId } from './act.ts';

/** What one kind of act is, as data; how it is done is in the engine (`runs/acts`). */
export interface ActKind {
  title: string;
  /** What happens, in a sentence. */
  what: string;
  /** What it is done to; `null` = the VMs of all tiles that run. */
  target: 'host' | 'uplink' | 'storage adapter' | null;
  /** Its figure; null = it has none. */
  amount: { label: string; min: number; max: number; usual: number } | null;
  /** Who can carry it out; where nobody is named, the engineer does it by hand. */
  console: { vcenter: boolean; simulated: boolean };
  /** What puts the testbed back. */
  undo: string;
  /** Privileges of the vCenter user beyond what every run needs. */
  privileges: readonly string[];
  /** What it needs of the cluster of its host. */
  cluster: { drs?: true; ha?: true };
  /** It takes a host away from the VMs: the others must have room. */
  takesHost: boolean;
  label: (act: Pick<Act, 'target' | 'amount'>) => string;
}

const named = ({ target }: Pick<Act, 'target'>): string => target?.name ?? '?';
const maintenance = 'Host.Config.Maintenance';
const connection = 'Host.Config.Connection';

/** Every kind of act. A new one is a line here and one in the engine; see `RECIPES.md`. */
export const actKinds: Readonly<Record<ActKindId, ActKind>> = {
  hostJoins: {
    title: 'A host joins',
    what:
      'The host is taken out of the cluster before the ramp-up, and joins it at the time of the ' +
      'act. DRS may then move VMs to it.',
    target: 'host',
    amount: null,
    console: { vcenter: true, simulated: true },
    undo: 'The host is put back as it was found; one that was in no cluster stays in the one it joined.',
    privileges: [maintenance, connection, 'Host.Inventory.EditCluster'],
    cluster: { drs: true },
    takesHost: true,
    label: (act) => `Host ${named(act)} joins`,
  },
  hostLeaves: {
    title: 'A host is removed',
    what: 'The host enters maintenance mode, its VMs move away, and it is disconnected.',
    target: 'host',
    amount: null,
    console: { vcenter: true, simulated: true },
    undo: 'The host is connected again and leaves maintenance mode.',
    privileges: [maintenance, connection],
    cluster: { drs: true },
    takesHost: true,
    label: (act) => `Host ${named(act)} is removed`,
  },
  hostFails: {
    title: 'A host fails',
    what: 'The host stops at once with its VMs. HA restarts them on the other hosts.',
    target: 'host',
    amount: null,
    console: { vcenter: false, simulated: true },
    undo: 'The host comes back.',
    privileges: [],
    cluster: { ha: true },
    takesHost: true,
    label: (act) => `Host ${named(act)} fails`,
  },
  maintenance: {
    title: 'Maintenance mode',
    what: 'The host enters maintenance mode: its VMs move away.',
    target: 'host',
    amount: null,
    console: { vcenter: true, simulated: true },
    undo: 'The host leaves maintenance mode.',
    privileges: [maintenance],
    cluster: { drs: true },
    takesHost: true,
    label: (act) => `Host ${named(act)} enters maintenance mode`,
  },
  burst: {
    title: 'Burst of load',
    what: 'The drivers of all tiles that run are started once more beside themselves.',
    target: null,
    amount: { label: 'Times the load', min: 2, max: 8, usual: 2 },
    console: { vcenter: true, simulated: true },
    undo: 'The drivers that were added are ended.',
    privileges: [],
    cluster: {},
    takesHost: false,
    label: ({ amount }) => `Burst of ${amount ?? 2} × the load`,
  },
  uplinkLost: {
    title: 'An uplink is lost',
    what: 'One physical adapter of a host has no link; its traffic goes over the others.',
    target: 'uplink',
    amount: null,
    console: { vcenter: false, simulated: true },
    undo: 'The link comes back.',
    privileges: [],
    cluster: {},
    takesHost: false,
    label: (act) => `Uplink ${named(act)} is lost`,
  },
  pathLost: {
    title: 'A storage path is lost',
    what: 'One storage adapter of a host carries nothing; its LUNs are reached over the others.',
    target: 'storage adapter',
    amount: null,
    console: { vcenter: true, simulated: true },
    undo: 'The paths over the adapter are enabled again.',
    privileges: ['Host.Config.Storage'],
    cluster: {},
    takesHost: false,
    label: (act) => `Storage path ${named(act)} is lost`,
  },
  vmotionSpeed: {
    title: 'Speed of vMotion',
    what: 'The network of vMotion is held to a speed; moves take their time on it.',
    target: null,
    amount: { label: 'Gb/s', min: 1, max: 100, usual: 1 },
    console: { vcenter: false, simulated: true },
    undo: 'The network has its own speed again.',
    privileges: [],
    cluster: {},
    takesHost: false,
    label: ({ amount }) => `vMotion at ${amount ?? 1} Gb/s`,
  },
  snapshotStorm: {
    title: 'Snapshot storm',
    what: 'A snapshot is taken of every VM of the tiles that run, all at once.',
    target: null,
    amount: null,
    console: { vcenter: true, simulated: true },
    undo: 'The snapshots are removed.',
    privileges: ['VirtualMachine.State.CreateSnapshot', 'VirtualMachine.State.RemoveSnapshot'],
    cluster: {},
    takesHost: false,
    label: () => 'Snapshots of all VMs',
  },
};

/** An act in words: `Host esx03 fails`. */
export const actLabel = (act: Pick<Act, 'kind' | 'target' | 'amount'>): string =>
  actKinds[act.kind].label(act);

/** An act with its time in words: `Host esx03 fails at 12:00`. */
export const actAtText = (act: Pick<Act, 'kind' | 'target' | 'amount' | 'atS'>): string =>
  `${actLabel(act)} at ${formatElapsed(act.atS * 1_000)}`;

/** Acts in the order of their times; at the same time as they were listed. */
export const inTime = <A extends Pick<Act, 'atS'>>(acts: readonly A[]): A[] =>
  [...acts].sort((a, b) => a.atS - b.atS);
