import { coreSpeedOf, type LabSpec } from '../../../../src/core/lab/lab.ts';
import { type DrsMove, drsMoves, type DrsVm } from './drs.ts';
import type { History } from './history.ts';
import { type Job, movesAtOnce } from './moves.ts';
import { createNoise, hashName } from './noise.ts';
import type { PlacedVm, Solution } from './solverTypes.ts';
import type { LabDrs } from './types.ts';

/**
 * Part of what a VM wants and does not get that DRS sees: it reads use and some of the ready time,
 * and the rest stays hidden on a full host.
 */
const seen = 0.43;
/**
 * Relative error of what DRS believes a VM demands: the mean of fifteen samples of 20 s of a guest
 * whose demand comes in bursts. Chosen. A stream of its own: what the lab's counters show with more
 * or less noise changes nothing here.
 */
const estimateError = 0.03;

export interface Balancer {
  due(nowMs: number): boolean;
  nextMs(nowMs: number): number;
  /**
   * Looks at the last interval and decides; what was decided before and has not begun is dropped.
   */
  evaluate: (view: {
    nowMs: number;
    placed: ReadonlyMap<string, PlacedVm>;
    history: History<Solution>;
    jobs: readonly Job[];
    hostUp: (hostId: string) => boolean;
  }) => void;
  /** Takes out the moves that may begin now: a host takes part in two at once. */
  startable(jobs: readonly Job[]): DrsMove[];
  setting(): LabDrs;
  set(change: Partial<LabDrs>): void;
}

/** DRS of one lab: evaluates every `everyS`, from the lab's start. */
export function createBalancer(spec: LabSpec, startMs: number): Balancer {
  const periodMs = spec.drs.everyS * 1000;
  let setting: LabDrs = {
    enabled: spec.drs.enabled,
    behavior: 'fullyAutomated',
    stars: spec.drs.stars,
  };
  let on = spec.drs.enabled && spec.hosts.length > 1;
  let last = startMs,
    waiting: DrsMove[] = [];
  const estimates = createNoise(spec.seed);
  const capacity = new Map(
    spec.hosts.map((host) => [
      host.id,
      host.sockets * host.coresPerSocket * coreSpeedOf(host) * host.hyperThreadGain,
    ]),
  );
  return {
    setting: () => setting,
    set(change) {
      setting = { ...setting, ...change };
      on = setting.enabled && setting.behavior === 'fullyAutomated' && spec.hosts.length > 1;
      // What it decided under another setting is dropped.
      waiting = [];
    },
    due: (nowMs) => on && nowMs - last >= periodMs,
    nextMs: (nowMs) => (on ? Math.max(last + periodMs, nowMs) : Number.POSITIVE_INFINITY),
    evaluate({ nowMs, placed, history, jobs, hostUp }) {
      last = nowMs;
      const demands = new Map<string, number>();
      history.over(Math.max(startMs, nowMs - periodMs), nowMs, (solution, ms) => {
        for (const [id, vm] of solution.vms)
          demands.set(
            id,
            (demands.get(id) ?? 0) + ((vm.usage + seen * (vm.demand - vm.usage)) * ms) / periodMs,
          );
      });
      const round = Math.round((nowMs - startMs) / periodMs);
      const vms = [...placed.values()]
        .filter((one) => one.poweredOn)
        .map((one): DrsVm => ({
          id: one.vm.id,
          hostId: one.hostId,
          memoryMb: one.vm.memoryMb,
          movable: one.vm.device !== 'passthrough' && !jobs.some((job) => job.vmId === one.vm.id),
          demand: Math.max(
            0.001,
            (demands.get(one.vm.id) ?? 0) *
              (1 + estimateError * estimates.normal(hashName(`${one.vm.id}/drs`), round)),
          ),
        }));
      const hosts = spec.hosts.map((host) => ({
        id: host.id,
        capacity: capacity.get(host.id)!,
        memoryMb: (host.memoryGb - 1) * 1024,
        up: hostUp(host.id),
      }));
      waiting = drsMoves(hosts, vms, setting.stars, 40);
    },
    startable(jobs) {
      const busy = new Map<string, number>();
      const take = (hostId: string): void => {
        busy.set(hostId, (busy.get(hostId) ?? 0) + 1);
      };
      for (const job of jobs) {
        take(job.fromHostId);
        if (job.toHostId !== job.fromHostId) take(job.toHostId);
      }
      const now: DrsMove[] = [];
      waiting = waiting.filter((move) => {
        if (
          (busy.get(move.fromHostId) ?? 0) >= movesAtOnce ||
          (busy.get(move.toHostId) ?? 0) >= movesAtOnce
        )
          return true;
        take(move.fromHostId);
        take(move.toHostId);
        now.push(move);
        return false;
      });
      return now;
    },
  };
}
