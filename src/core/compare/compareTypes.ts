import type { SeriesDef } from '../metric/metric.ts';
import type { RunRecord, RunSummary } from '../run/run.ts';

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
