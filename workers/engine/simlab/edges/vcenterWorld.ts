import { fail } from '../../../../src/core/base/errors.ts';
import type { Clock } from '../../deps.ts';
import type { VmMark } from '../../deps/vcenter.ts';
import type { HostedLab } from '../lab.ts';
import type { SimVms } from './vms.ts';

/** What a session of a simulated vCenter works on. */
export interface VCenterWorld {
  readonly vcenterId: string;
  /** The lab, when its vCenter answers; throws unreachable. */
  readonly lab: () => HostedLab;
  readonly clock: Clock;
  readonly vms: SimVms;
  /** VMs by their snapshots. */
  readonly snapshots: Map<string, string>;
  /** Copies by the tasks they are. */
  readonly tasks: Map<string, Promise<string>>;
  /** Tasks, folders and snapshots made so far. */
  made: number;
}

/** Folders and what is written on VMs: kept with the lab, as it outlives a session. */
interface Paper {
  marks: Map<string, VmMark>;
  folders: Map<string, string>;
}
const papers = new WeakMap<HostedLab, Paper>();
export function paperOf(lab: HostedLab): Paper {
  const paper = papers.get(lab) ?? {
    marks: new Map<string, VmMark>(),
    folders: new Map<string, string>(),
  };
  papers.set(lab, paper);
  return paper;
}

/** Where a VM is, and in which lab; throws notFound. */
export function placed(
  { lab }: VCenterWorld,
  ref: string,
): { on: HostedLab; hostId: string; datastoreId: string } {
  const on = lab();
  const place = on.sync().placement().get(ref);
  if (!place)
    throw fail(
      'notFound',
      `vCenter ${on.id}.sim has no VM ${ref}.`,
      'Discover the inventory again.',
    );
  return { on, ...place };
}

/** The lab's ids of a target; throws notFound for a host or datastore that it has not. */
export function known(
  { id, spec }: HostedLab,
  { hostRef, datastoreRef }: { hostRef?: string; datastoreRef?: string },
): { hostId?: string; datastoreId?: string } {
  if (hostRef !== undefined && !spec.hosts.some((one) => one.id === hostRef))
    throw fail('notFound', `vCenter ${id}.sim has no host ${hostRef}.`);
  if (datastoreRef !== undefined && !spec.datastores.some((one) => one.id === datastoreRef))
    throw fail('notFound', `vCenter ${id}.sim has no datastore ${datastoreRef}.`);
  return {
    ...(hostRef === undefined ? {} : { hostId: hostRef }),
    ...(datastoreRef === undefined ? {} : { datastoreId: datastoreRef }),
  };
}
