import type { RunOverview, RunRecord } from '../run/run.ts';
import { steadyWindow } from '../run/windows.ts';
import { compareSetups } from '../snapshot/snapshotCompare.ts';
import { compareMatrix } from './matrix.ts';
import { compareRows, presentRows } from './rows.ts';
import { compareTests, sidesOf, testingOf } from './tests.ts';
import { namesBeside } from './text.ts';
import type { ComparedRun, Comparison, RunAggregates, WindowStat } from './types.ts';
import { compareGuards, compareSentence, referenceToOffer } from './verdict.ts';

/** Aggregates of a run, read through `aggregate` over [fromMs, toMs); a count of 0 becomes null. */
export function aggregateRun(
  overview: RunOverview,
  aggregate: (seriesId: number, fromMs: number, toMs: number) => WindowStat,
): RunAggregates {
  const steady = steadyWindow(overview);
  const read = (id: number, fromMs: number, toMs: number): WindowStat | null => {
    const stat = aggregate(id, fromMs, toMs);
    return stat.count > 0 && Number.isFinite(stat.mean) ? stat : null;
  };
  return {
    steadyS: steady && (steady.endMs - steady.startMs) / 1000,
    series: overview.series.map((def) => ({
      def,
      steady: steady && read(def.id, steady.startMs, steady.endMs),
      periods: overview.periods.map((p) => read(def.id, p.startMs, p.endMs)),
    })),
  };
}

/**
 * What differs; where some runs have an inventory and others none, that is said first: nothing can
 * be told of those. And how many settings were looked at.
 */
function setupOf(records: readonly RunRecord[]): Pick<Comparison, 'setup' | 'settings'> {
  const read = records.map((r) => (r.inventoryBefore === null ? 'not recorded' : 'recorded'));
  const blind: Comparison['setup'] =
    new Set(read).size > 1
      ? [
          {
            group: 'Recorded',
            label: 'Inventory before the run',
            values: read,
            effect: 'strong',
            why: 'what is not recorded cannot be told apart',
            subjects: [],
          },
        ]
      : [];
  const { differences, settings } = compareSetups(records);
  return { setup: [...blind, ...differences], settings };
}

/** Longer than this a setting is no name. */
const longestName = 32;
/** The first setting by which every run can be told from every other; null = none is short enough. */
const tellingValues = (setup: Comparison['setup']): string[] | null =>
  setup.find(
    ({ effect, values }) =>
      effect !== 'none' &&
      new Set(values).size === values.length &&
      values.every((value) => value.length <= longestName),
  )?.values ?? null;

/**
 * Runs against a baseline: rows with what is told of each, what differs in the set-up, why they
 * must not be compared, and one sentence. The baseline comes first in `runs` and in each row.
 * `deltaPct` of the baseline itself is null. `repeats` are other runs of the same plans, from which
 * only the noise between repeats is learnt; `scoredAgainst` the run all of them were scored against
 * for this. Throws RangeError when the baseline is not among the
 * runs.
 */
export function buildComparison(
  baselineId: string,
  runs: readonly ComparedRun[],
  repeats: readonly ComparedRun[] = [],
  scoredAgainst?: Comparison['scoredAgainst'],
): Comparison {
  const baseline = runs.find((r) => r.summary.id === baselineId);
  if (baseline === undefined)
    throw new RangeError(`The baseline ${baselineId} is not among the compared runs.`);
  const ordered = [baseline, ...runs.filter((r) => r.summary.id !== baselineId)];
  const records = ordered.map((r) => r.record);
  const guards = compareGuards(ordered);
  const offer = referenceToOffer(records);
  const { setup, settings } = setupOf(records);
  const summaries = ordered.map((r) => r.summary);
  const names = namesBeside(summaries, tellingValues(setup));
  const sides = sidesOf(ordered, names);
  const specs = presentRows(ordered);
  const tests = compareTests(specs, sides, repeats, guards.length > 0);
  const rows = compareRows(specs, ordered, tests);
  return {
    baselineId,
    runs: summaries,
    names,
    rows,
    sides: sides.map(({ name, runs: of }) => ({ name, runs: of.map((r) => ordered.indexOf(r)) })),
    testing: testingOf(specs, tests),
    matrix: compareMatrix(ordered, guards.length > 0),
    setup,
    settings,
    guards,
    ...(scoredAgainst === undefined ? {} : { scoredAgainst }),
    ...(offer === null ? {} : { referenceToOffer: offer }),
    sentence: compareSentence(sides, rows, guards),
  };
}
