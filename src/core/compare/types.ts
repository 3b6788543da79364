import * as z from 'zod';

import { field } from '../base/field.ts';
import { metricName, type SeriesDef } from '../metric/metric.ts';
import { type RunRecord, type RunSummary, runSummary } from '../run/run.ts';

/** Count, mean, least and greatest of the samples of one series in a window. */
export interface WindowStat {
  count: number;
  mean: number;
  min: number;
  max: number;
}

/** One series of a run. null = no sample in that window. */
export interface SeriesAggregate {
  def: SeriesDef;
  steady: WindowStat | null;
  /** In the order of `overview.periods`. */ periods: readonly (WindowStat | null)[];
}

export interface RunAggregates {
  /** Length of the measured steady state, in seconds; null = none. */ steadyS: number | null;
  series: readonly SeriesAggregate[];
}

/** What a comparison needs of one run. */
export interface ComparedRun {
  record: RunRecord;
  summary: RunSummary;
  aggregates: RunAggregates;
  /**
   * The series behind each row over the steady state, by the row's key (`rowSlots`); absent = noise
   * within the run is not told.
   */
  slots?: ReadonlyMap<string, Float64Array>;
}

/** Runs of one side: repeats of one plan. */
export interface Side {
  name: string;
  runs: readonly ComparedRun[];
}

/**
 * What is said of one metric of one side against the baseline. `higher` and `lower`: beyond noise,
 * where neither way is good.
 */
export const compareWord = z.enum([
  'better',
  'worse',
  'higher',
  'lower',
  'withinNoise',
  'cannotTell',
  'notComparable',
]);
const compareTest = z.object({
  word: compareWord,
  /**
   * `welch`: repeats of both sides; `noiseBand`: scatter learnt from repeats of the same plans;
   * `bootstrap`: scatter within each run, blind to what differs between runs.
   */
  method: z.enum(['welch', 'noiseBand', 'bootstrap', 'none']),
  /** Difference of the means and its 95 % interval, in percent of the baseline's mean. */
  differencePct: field.figure().nullable(),
  lowPct: field.figure().nullable(),
  highPct: field.figure().nullable(),
  /** Two-sided; `pAdjusted` after Holm among the metrics tested together. */
  p: field.figure().nullable(),
  pAdjusted: field.figure().nullable(),
  df: field.figure().nullable(),
  /**
   * The smallest true difference such a comparison finds in four of five cases, in percent of the
   * baseline's mean.
   */
  detectablePct: field.figure().nullable(),
  /** Of what the word is made, or why it cannot be said. */
  basis: field.freeText(),
});
export type CompareTest = z.infer<typeof compareTest>;
const compareRow = z.object({
  key: field.id('point'),
  label: field.freeText(),
  unit: field.word(),
  /** Which way is good; null = neither. */ better: z.enum(['higher', 'lower']).nullable(),
  values: field.list(field.figure().nullable()),
  /** Against the baseline, in percent. */ deltaPct: field.list(field.figure().nullable()),
  /** One a side, in the order of `sides`; null for the baseline's own. */
  tests: field.list(compareTest.nullable()),
});
/**
 * One metric of every workload of every tile, as means over the steady state in the order of
 * `runs`.
 */
const matrix = z.object({
  metric: metricName,
  better: z.enum(['higher', 'lower']),
  cells: field.list(
    z.object({
      tile: field.integer(),
      workloadId: field.id('workload'),
      workload: field.name('workload'),
      unit: field.word(),
      values: field.list(field.figure().nullable()),
      deltaPct: field.list(field.figure().nullable()),
      /**
       * By the means of the measurement periods of each run, not adjusted; null for the baseline
       * and where it cannot be told.
       */
      words: field.list(compareWord.nullable()),
    }),
  ),
});
export type CompareMatrix = z.infer<typeof matrix>;
const runName = z.object({ id: field.id('run'), name: field.name('run') });
export const comparison = z.object({
  baselineId: field.id('run'),
  runs: field.list(runSummary),
  /** Of the runs beside each other, in their order: by what tells them apart. */
  names: field.list(field.name('run')),
  /** Asked for and left out: they cannot be read. Absent = none. */
  unreadable: field.list(z.object({ id: field.id('run'), issue: field.freeText() })).optional(),
  rows: field.list(compareRow),
  /** Repeats of one plan are one side; the baseline's comes first. `runs` are places in `runs`. */
  sides: field.list(z.object({ name: field.name('run'), runs: field.list(field.count()) })),
  /** How many metrics were tested a side, and what was done about their number. */
  testing: z.object({ tests: field.count(), adjustment: field.freeText() }),
  matrix: field.list(matrix),
  /** Only what differs, the strongest likely effect first. */
  setup: field.list(
    z.object({
      group: field.freeText(),
      label: field.freeText(),
      values: field.list(field.freeText()),
      /** On results, in this app's judgement, and why. */ effect: z.enum([
        'strong',
        'moderate',
        'slight',
        'none',
      ]),
      why: field.freeText(),
      /** The things that all runs had and that differ, one by one. */ subjects: field.list(
        z.object({ name: field.name('thing'), values: field.list(field.freeText()) }),
      ),
    }),
  ),
  /** How many settings were looked at, those that differ among them. */
  settings: field.count(),
  /** Reasons why these runs must not be compared; shown as a red banner and in exports. */
  guards: field.list(field.freeText()),
  /** The run every score was held against for this comparison; absent = as each was scored. */
  scoredAgainst: runName.optional(),
  /** Scores have no common unit, or are missing: this run as reference of all would mend it. */
  referenceToOffer: runName.optional(),
  sentence: field.freeText(),
});
const box = z.object({
  count: field.count(),
  min: field.figure(),
  whiskerLow: field.figure(),
  q1: field.figure(),
  median: field.figure(),
  q3: field.figure(),
  whiskerHigh: field.figure(),
  max: field.figure(),
  mean: field.figure(),
  outliers: field.count(),
});
/** How the samples of one metric are distributed over the steady state of each run. */
export const distributions = z.object({
  key: field.id('point'),
  label: field.freeText(),
  unit: field.word(),
  /** Which metrics can be asked for. */ keys: field.list(
    z.object({ key: field.id('point'), label: field.freeText() }),
  ),
  /** Common to all runs; one more than bins. */ edges: field.list(field.figure()),
  runs: field.list(
    z.object({
      runId: field.id('run'),
      samples: field.count(),
      counts: field.list(field.count()),
      ecdf: z.object({ x: field.list(field.figure()), p: field.list(field.figure()) }),
      box: box.nullable(),
      /** By measurement period. */ periods: field.list(box.nullable()),
    }),
  ),
});
export type Distributions = z.infer<typeof distributions>;
export type Comparison = z.infer<typeof comparison>;
