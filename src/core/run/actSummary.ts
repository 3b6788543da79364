import type { ActEffect, ActState } from '../acts/act.ts';
import { formatElapsed, noValue, threeFigures } from '../base/format.ts';
import type { RunOverview } from './run.ts';

/** What an act did to one workload over all tiles. */
export interface ActSummary {
  workloadId: string;
  tiles: number;
  /** Tiles by what became of them. */
  even: number;
  recovered: number;
  lost: number;
  unknown: number;
  uneven: number;
  /** Of the tile that took longest; null = none recovered. */
  recoveryS: number | null;
  /** 0-based, of that tile. */ worstTile: number | null;
  /** Sums over the tiles that are known; null = of none. */
  workLost: number | null;
  throughputBefore: number | null;
  throughputAfter: number | null;
  /** Of the tile with most; null = no limit. */
  violatedS: number | null;
  /** Means over the tiles that are known. */
  latencyBeforeMs: number | null;
  latencyAfterMs: number | null;
}

const known = (values: readonly (number | null)[]): number[] =>
  values.filter((value) => value !== null);
const sumOf = (values: readonly (number | null)[]): number | null =>
  known(values).length === 0 ? null : known(values).reduce((sum, one) => sum + one, 0);
const meanOf = (values: readonly (number | null)[]): number | null => {
  const sum = sumOf(values);
  return sum === null ? null : sum / known(values).length;
};
const mostOf = (values: readonly (number | null)[]): number | null =>
  known(values).length === 0 ? null : Math.max(...known(values));

/** What an act did, a line for each workload, in the order of the run's workloads. */
export function actSummaries(
  act: Pick<ActState, 'effects'>,
  workloads: readonly Pick<RunOverview['workloads'][number], 'entityId' | 'workloadId' | 'tile'>[],
): ActSummary[] {
  const effects = new Map((act.effects ?? []).map((one) => [one.entityId, one]));
  return [...new Set(workloads.map((one) => one.workloadId))].flatMap((workloadId) => {
    const own = workloads.flatMap(({ workloadId: id, entityId, tile }) => {
      const effect = id === workloadId ? effects.get(entityId) : undefined;
      return effect ? [{ tile, effect }] : [];
    });
    if (own.length === 0) return [];
    const all = <K extends keyof ActEffect>(key: K): ActEffect[K][] =>
      own.map(({ effect }) => effect[key]);
    const count = (outcome: ActEffect['outcome']): number =>
      own.filter(({ effect }) => effect.outcome === outcome).length;
    const recoveryS = mostOf(all('recoveryS'));
    return [
      {
        workloadId,
        tiles: own.length,
        even: count('even'),
        recovered: count('recovered'),
        lost: count('lost'),
        unknown: count('unknown'),
        uneven: count('uneven'),
        recoveryS,
        worstTile:
          recoveryS === null
            ? null
            : (own.find(({ effect }) => effect.recoveryS === recoveryS)?.tile ?? null),
        workLost: sumOf(all('workLost')),
        violatedS: mostOf(all('violatedS')),
        throughputBefore: sumOf(all('throughputBefore')),
        throughputAfter: sumOf(all('throughputAfter')),
        latencyBeforeMs: meanOf(all('latencyBeforeMs')),
        latencyAfterMs: meanOf(all('latencyAfterMs')),
      },
    ];
  });
}

/** How long recovery took, in words: `1:20`, `not recovered`, `not disturbed`, `not measured`. */
export function recoveryText({
  tiles,
  even,
  lost,
  unknown,
  uneven,
  recoveryS,
}: Pick<ActSummary, 'tiles' | 'even' | 'lost' | 'unknown' | 'uneven' | 'recoveryS'>): string {
  if (unknown === tiles) return 'not measured';
  if (uneven + unknown === tiles) return 'too uneven to tell';
  const of = (count: number): string => (tiles === 1 ? '' : ` on ${count} of ${tiles} tiles`);
  if (lost > 0) return `not recovered${of(lost)}`;
  if (recoveryS !== null)
    return `${formatElapsed(recoveryS * 1_000)}${even + unknown + uneven > 0 ? of(tiles - even - unknown - uneven) : ''}`;
  return 'not disturbed';
}

/** What an operation is called where the unit of a throughput says so: `MB` of `MB/s`. */
export function workUnit(unit: string): string {
  if (unit === 'tps') return 'transactions';
  if (unit === 'IOPS') return 'I/Os';
  return /^(.+)\/(?:s|min|h)$/.exec(unit)?.[1] ?? unit;
}

/** What an act cost a workload, in the order in which it is told; `unit` is of its throughput. */
export const actFigures: readonly {
  title: string;
  say: (of: ActSummary, unit: string) => string;
}[] = [
  { title: 'Recovery', say: recoveryText },
  {
    title: 'Work lost',
    say: ({ workLost }, unit) =>
      workLost === null ? noValue : `${threeFigures(workLost)} ${workUnit(unit)}`,
  },
  {
    title: 'QoS broken',
    say: ({ violatedS }) => (violatedS === null ? 'no limit' : formatElapsed(violatedS * 1_000)),
  },
];

/** How an act went, in a word. */
export const actStateWords: Readonly<Record<ActState['state'], string>> = {
  planned: 'Planned',
  asked: 'Waits for you',
  doing: 'Under way',
  done: 'Done',
  undone: 'Done and put back',
  failed: 'Failed',
  missed: 'Missed',
};

/** An act with its time in a run, in words: `Host esx03 fails at 12:00`. */
export const actInRun = (
  act: Pick<ActState, 'label' | 'startedMs' | 'plannedMs'>,
  originMs: number | null,
): string => {
  const atMs = act.startedMs ?? act.plannedMs;
  return atMs === null || originMs === null
    ? act.label
    : `${act.label} at ${formatElapsed(atMs - originMs)}`;
};
