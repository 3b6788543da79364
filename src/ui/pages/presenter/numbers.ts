import { formatExact, formatSi, noValue } from '../../../core/base/format.ts';
import type { SeriesDef } from '../../../core/metric/metric.ts';
import type { RunOverview, RunRecord, WorkloadStatus } from '../../../core/run/run.ts';
import type { SeriesSource } from '../../engine/series.ts';
import { meanBetween } from '../live/headroom.ts';

export type NumberKey = 'tiles' | 'vms' | 'users' | 'transactions' | 'wattsPerVm' | 'scaling';
/**
 * One number of the presenter view. `value` null: this run gives it, but not now; it is shown as
 * missing, never as 0.
 */
export interface BigNumber {
  key: NumberKey;
  label: string;
  value: number | null;
  text: string;
  unit: string;
}

export type NumbersRecord = Pick<RunRecord, 'plan' | 'profile' | 'testbed'>;
export interface RunView {
  overview: RunOverview;
  record: NumbersRecord;
  sourceOf: (seriesId: number) => SeriesSource;
  nowMs: number;
}

/** Rates and watts are means over this long, so that they can be read aloud. */
export const recentMs = 60_000;
const begun: ReadonlySet<WorkloadStatus['state']> = new Set([
  'running',
  'lost',
  'stopping',
  'ended',
]);
const underLoad: ReadonlySet<WorkloadStatus['state']> = new Set(['running', 'lost', 'stopping']);
const vmsOf = (workloads: readonly WorkloadStatus[]): number =>
  new Set(workloads.flatMap((w) => (w.vmName === null ? [] : [w.vmName]))).size;

/**
 * Units that count transactions, and how many a minute one of them is. Other units (MB/s,
 * operations, pages) are not called transactions.
 */
const perMinute: readonly (readonly [RegExp, number])[] = [
  [/^(tps|(trans(actions)?|tx)\/s)$/i, 60],
  [/^(tpm|(trans(actions)?|tx)\/min)$/i, 1],
];
export function transactionsAMinute(unit: string): number | null {
  return perMinute.find(([pattern]) => pattern.test(unit))?.[1] ?? null;
}

/** Numbers as they are read from a distance: whole up to 99 999, then three figures. */
const countText = (value: number): string =>
  Math.abs(value) < 100_000 ? formatExact(value, 0) : formatSi(value);
export function bigNumber(key: NumberKey, value: number | null): BigNumber {
  const [label, unit, text] = shapes[key];
  const known = value !== null && Number.isFinite(value);
  return { key, label, value: known ? value : null, unit, text: known ? text(value) : noValue };
}
const shapes: Readonly<
  Record<NumberKey, readonly [label: string, unit: string, text: (value: number) => string]>
> = {
  tiles: ['Tiles', '', countText],
  vms: ['Virtual machines', '', countText],
  users: ['Users', '', countText],
  transactions: ['Transactions per minute', '', countText],
  wattsPerVm: ['Watts per VM', 'W', (v) => formatExact(v, 1)],
  scaling: ['Scaling', '×', (v) => formatExact(v, v < 9.95 ? 2 : 1)],
};

/**
 * What a run gives of the big numbers at `nowMs`, in the order they are shown; what it cannot give
 * is not in the list.
 * - tiles: tiles whose load has begun; not where a tile is a single VM, there the VMs say it.
 * - VMs: different VMs, by name, of the workloads of those tiles. Without names of VMs there is no
 *   such number.
 * - users: sum over those workloads of the driver parameter `users` as run (profile, then the VM's
 *   own, then the plan's overrides); threads, clients and connections of a driver are not users.
 * - transactions a minute: sum of the throughput of the workloads under load whose unit counts
 *   transactions (`tps`, `trans/s`, `tpm`), as means over the last minute.
 * - watts a VM: sum of all power meters, means over the last minute, over the VMs under load;
 *   missing without load and while one meter is silent.
 * - scaling: the score, of the completed periods while the run goes: a multiple of its reference;
 *   not where there is none, or it is the run itself.
 */
export function runNumbers({ overview, record, sourceOf, nowMs }: RunView): BigNumber[] {
  const own = overview.workloads.filter((w) => begun.has(w.state));
  const now = overview.workloads.filter((w) => underLoad.has(w.state));
  const recent = (series: readonly SeriesDef[]): number | null => {
    const means = series.map((s) =>
      meanBetween(sourceOf(s.id), nowMs - Math.max(recentMs, s.periodMs * 2 + s.lagMs), nowMs),
    );
    return means.length > 0 && means.every((m) => Number.isFinite(m))
      ? means.reduce((sum, m) => sum + m, 0)
      : null;
  };
  const numbers: BigNumber[] = [];
  const named = overview.workloads.some((w) => w.vmName !== null);
  const single =
    named &&
    new Set(overview.workloads.map((w) => w.vmName)).size ===
      new Set(overview.workloads.map((w) => w.tile)).size;
  if (overview.workloads.length > 0 && !single)
    numbers.push(bigNumber('tiles', new Set(own.map((w) => w.tile)).size));
  if (named) numbers.push(bigNumber('vms', vmsOf(own)));
  if (usersOf(record, overview.workloads) !== null)
    numbers.push(bigNumber('users', usersOf(record, own) ?? 0));
  const counted = overview.series.filter(
    (s) =>
      s.metric === 'throughput' &&
      s.entity.kind === 'workload' &&
      transactionsAMinute(s.unit) !== null,
  );
  if (counted.length > 0) {
    const running = new Set(now.map((w) => w.entityId));
    const rates = counted
      .filter((s) => running.has(s.entity.id))
      .map((s) => {
        const rate = recent([s]);
        return rate === null ? null : rate * transactionsAMinute(s.unit)!;
      });
    numbers.push(
      bigNumber(
        'transactions',
        rates.length > 0 && rates.every((r): r is number => r !== null)
          ? rates.reduce((sum, r) => sum + r, 0)
          : null,
      ),
    );
  }
  const meters = overview.series.filter((s) => s.metric === 'powerW');
  if (meters.length > 0 && named) {
    const watts = recent(meters);
    const vms = vmsOf(now);
    numbers.push(bigNumber('wattsPerVm', watts === null || vms === 0 ? null : watts / vms));
  }
  if (overview.score !== null && overview.score.reference === undefined)
    numbers.push(bigNumber('scaling', overview.score.total));
  return numbers;
}

/** Sum of the parameter `users` of these workloads; null where none of them has one above zero. */
export function usersOf(
  { plan, profile, testbed }: NumbersRecord,
  workloads: readonly Pick<WorkloadStatus, 'tile' | 'workloadId'>[],
): number | null {
  let sum: number | null = null;
  for (const { tile, workloadId } of workloads) {
    const assignment = testbed.tiles
      .find((t) => t.index === tile)
      ?.workloads.find((w) => w.workloadId === workloadId);
    const users = {
      ...profile.workloads.find((w) => w.id === workloadId)?.params,
      ...assignment?.params,
      ...plan.overrides[workloadId],
    }['users'];
    if (typeof users === 'number' && users > 0) sum = (sum ?? 0) + users;
  }
  return sum;
}
