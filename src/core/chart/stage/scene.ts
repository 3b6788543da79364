import { workloadLetters } from '../../profile/letters.ts';
import type { Profile } from '../../profile/profile.ts';
import type { PlacementHistory, RunOverview, WorkloadStatus } from '../../run/run.ts';
import { workloadName } from '../boardCharts.ts';
import { slotAt, slotStays, slotsUsed } from './slots.ts';

/** A measured figure; `value` null = there is none, `staleMs` above 0 = how old the last one is. */
export interface StageFigure {
  value: number | null;
  staleMs: number;
}
export const noFigure: StageFigure = { value: null, staleMs: 0 };

/** What a VM does in its tile; `ordinal` chooses its colour, as on the designer's board. */
export interface StageRole {
  id: string;
  name: string;
  letter: string;
  ordinal: number;
}
/** `idle`: its load has not begun, or is over. */
export type StageVmState = 'idle' | 'load' | 'lost';
export interface StageVm {
  /** The same VM in every scene. */
  ref: string;
  name: string;
  tile: number | null;
  /** Index in the scene's roles. */
  role: number;
  state: StageVmState;
  /** Index in the scene's hosts; null = on no host that vCenter names. */
  host: number | null;
  slot: number;
}
export interface StageHost {
  ref: string;
  name: string;
  /** VMs on it. */
  vms: number;
  cpuPct: StageFigure;
  watts: StageFigure;
}
/** Hosts and VMs as they stand at one moment. */
export interface StageScene {
  hosts: readonly StageHost[];
  vms: readonly StageVm[];
  roles: readonly StageRole[];
  /** Places of each rack. */
  capacity: number;
  /** Where VMs run is known. */
  placed: boolean;
  power: MeterSum;
}
/** Watts of all meters that tell them now; null = none does. */
export interface MeterSum {
  watts: number | null;
  known: number;
  meters: number;
}

/** Of a run: who stands where when, worked out once a placement. */
export interface StagePlaces {
  hosts: readonly { ref: string; name: string }[];
  vms: readonly (PlacementHistory['vms'][number] & { role: number; entityId: string | null })[];
  stays: ReturnType<typeof slotStays>;
  roles: readonly StageRole[];
  capacity: number;
}

type Facts = Pick<RunOverview, 'placement' | 'series' | 'workloads'>;

/**
 * Hosts of a run: those of its placement, then those that are measured and hold no VM. One host
 * alone has nothing to show of where VMs run.
 */
export function stageHosts({ placement, series }: Pick<Facts, 'placement' | 'series'>) {
  const hosts = (placement?.hosts ?? []).map(({ ref, name }) => ({ ref, name }));
  const known = new Set(hosts.map((host) => host.ref));
  for (const { entity, metric } of series)
    if (entity.kind === 'host' && metric === 'cpuPct' && !known.has(entity.id)) {
      known.add(entity.id);
      hosts.push({ ref: entity.id, name: entity.name });
    }
  return hosts;
}

/**
 * Who stands where when. `room`: places to keep in each rack at least, so that pictures of several
 * runs are of one size.
 */
export function stagePlaces(facts: Facts, profile: Profile | null, room = 0): StagePlaces {
  const { placement, workloads } = facts;
  const roles = stageRoles(workloads, profile);
  const roleOf = new Map(roles.map((role, at) => [role.id, at]));
  const loads = new Map(workloads.map((w) => [`${w.tile}/${w.vmName}`, w]));
  const vms = (placement?.vms ?? []).map((vm) => {
    const load = vm.tile === null ? undefined : loads.get(`${vm.tile}/${vm.name}`);
    return {
      ...vm,
      entityId: load?.entityId ?? null,
      role: roleOf.get(load?.workloadId ?? other.id)!,
    };
  });
  const order = vms
    .map((vm, at) => ({ vm, at }))
    .sort(
      (a, b) =>
        (a.vm.tile ?? Infinity) - (b.vm.tile ?? Infinity) || a.vm.role - b.vm.role || a.at - b.at,
    )
    .map(({ at }) => at);
  const stays = slotStays({ vms, moves: placement?.moves ?? [] }, order);
  const hosts = stageHosts(facts);
  // A quarter more than an even spread: a few moves change nobody's size.
  const even = Math.ceil((vms.length / Math.max(1, hosts.length)) * 1.25);
  return { hosts, vms, stays, roles, capacity: Math.max(1, room, even, slotsUsed(stays)) };
}

const other = { id: ' other', name: 'Other', letter: '·' };

/** Workloads in the order of the profile, then VMs without one. */
function stageRoles(workloads: readonly WorkloadStatus[], profile: Profile | null): StageRole[] {
  const ids = [
    ...new Set([
      ...(profile?.workloads ?? []).map(({ id }) => id),
      ...workloads.map(({ workloadId }) => workloadId),
    ]),
  ];
  const letters = workloadLetters(ids);
  return [
    ...ids.map((id, ordinal) => ({
      id,
      name: workloadName(profile, id),
      letter: letters[ordinal]!,
      ordinal,
    })),
    { ...other, ordinal: ids.length },
  ];
}

const stateOf = (state: WorkloadStatus['state'] | undefined): StageVmState =>
  state === 'running' || state === 'stopping'
    ? 'load'
    : state === 'lost' || state === 'failed'
      ? 'lost'
      : 'idle';

/** Figures at the moment of a scene. */
export interface StageFigures {
  of: (host: { ref: string; name: string }) => Pick<StageHost, 'cpuPct' | 'watts'>;
  power: MeterSum;
}

/** The scene at `atMs` (epoch), with states of workloads and figures of that moment. */
export function stageScene(
  { hosts, vms, stays, roles, capacity }: StagePlaces,
  workloads: readonly WorkloadStatus[],
  figures: StageFigures,
  atMs: number,
): StageScene {
  const states = new Map(workloads.map((w) => [w.entityId, w.state]));
  const counts = hosts.map(() => 0);
  const onStage = vms.flatMap(({ ref, name, tile, role, entityId }, at): StageVm[] => {
    const stay = slotAt(stays[at]!, atMs);
    if (stay === undefined) return [];
    if (stay.host !== null) counts[stay.host]! += 1;
    return [
      {
        ref,
        name,
        tile,
        role,
        state: stateOf(entityId === null ? undefined : states.get(entityId)),
        host: stay.host,
        slot: stay.slot,
      },
    ];
  });
  return {
    hosts: hosts.map((host, at) => ({ ...host, vms: counts[at]!, ...figures.of(host) })),
    vms: onStage,
    roles,
    capacity,
    placed: onStage.length > 0,
    power: figures.power,
  };
}
