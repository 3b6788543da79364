import {
  judgeRule,
  missedIn,
  type MissedRow,
  missedRow,
} from '../../../src/core/limits/earlyAbort.ts';
import { type EarlyWarning, earlyWarnings } from '../../../src/core/limits/earlyWarning.ts';
import {
  createLimitTrends,
  isOfOneSeries,
  type Limit,
  limitKey,
  limitsOf,
  type LimitTrends,
  type Projection,
} from '../../../src/core/limits/index.ts';
import { forEachSample, type SeriesDef } from '../../../src/core/metric/metric.ts';
import type { EarlyAbortRule, EarlyAbortState } from '../../../src/core/plan/earlyAbortRule.ts';
import type { Profile } from '../../../src/core/profile/profile.ts';
import type { PeriodMeasurement } from '../../../src/core/run/scoreTypes.ts';
import { lastBegun, periodAt, type Windows } from '../../../src/core/run/windows.ts';
import { isScored, measurePeriods } from './measurePeriods.ts';
import type { Sink } from './types.ts';

/** What of a run its verdict is about, and whom it tells. */
export interface VerdictOptions {
  profile: Pick<Profile, 'workloads'>;
  tiles: number;
  series: readonly SeriesDef[];
  /** When the run ends before its time; without one it is not ended. */
  rule: EarlyAbortRule | null | undefined;
  /** How the rule stands: kept with the run, where another engine and a veto find it. */
  standing: () => EarlyAbortState | undefined;
  /** A limit that will not hold: once a period, once a run where it is over the steady state. */
  onWarning: (warning: EarlyWarning) => void;
  /** The rule stands otherwise; `ended` = the run is to stop. No `row` where nothing was missed. */
  onStanding: (standing: EarlyAbortState, row: MissedRow | null) => void;
}

/**
 * The verdict so far. It knows what it was given, and reads nothing: an engine that picks up a run
 * gives it once what another stored.
 */
export interface VerdictSink extends Sink {
  /** Begins with these windows; what came before is forgotten. */
  begin(windows: Windows): void;
  /** Series it wants to be given. */
  readonly wanted: ReadonlySet<number>;
  /** Running means by period. The final score is made from stored samples. */
  measurements(): PeriodMeasurement[];
  /** Looks at the limits where a look is due, and tells what it finds. */
  judge(nowMs: number): void;
}

/** Shares of a period after which its limits are looked at. */
const warningMarks = [1 / 3, 2 / 3];
/** Of the rule, which looks a last time when a period is over and its last samples are in. */
const ruleMarks = [1 / 3, 2 / 3, 0.9];
const settleMs = 5_000;

/**
 * Keeps a count and a sum for each series and measurement period, and a trend for each limit: a few
 * operations a sample, memory independent of the run's length.
 */
export function createVerdictSink(options: VerdictOptions): VerdictSink {
  const wanted = new Set(options.series.filter(isScored).map(({ id }) => id));
  const judgement = (windows: Windows): Judgement => createJudgement(options, windows);
  let current = judgement({ periods: [], steady: null });
  // Switched off by who gives it samples: it says nothing of a run that it sees a part of.
  let failed = false;
  return {
    name: 'verdict',
    wanted,
    begin(windows) {
      current = judgement(windows);
    },
    accept(batch) {
      failed = true;
      forEachSample(batch, (seriesId, tMs, value) => {
        if (wanted.has(seriesId)) current.add(seriesId, tMs, value);
      });
      failed = false;
    },
    measurements: () => current.measurements(),
    judge(nowMs) {
      if (!failed) current.judge(nowMs);
    },
    close: () => undefined,
  };
}

interface Judgement extends Pick<VerdictSink, 'measurements' | 'judge'> {
  add(seriesId: number, tMs: number, value: number): void;
}

function createJudgement(options: VerdictOptions, windows: Windows): Judgement {
  const { profile, tiles, series, rule } = options;
  const ids = new Map(series.map((def) => [`${def.entity.id}/${def.metric}`, def.id]));
  const limits = limitsOf(profile, tiles).filter(isOfOneSeries);
  const sums = new Map(
    windows.periods.map((p) => [p, new Map<number, { sum: number; count: number }>()]),
  );
  const trends = createLimitTrends(
    limits,
    ({ entityId, metric }) => ids.get(`${entityId}/${metric}`),
    windows,
    (limit, whole) => (rule ? missedIn(rule.when, limit, whole, Infinity) : null),
  );
  const warn = createWarner(options, limits, windows, trends);
  const lookAtRule = createRuleWatch(
    options,
    limits.filter((limit) => limit.over === 'period'),
    windows,
    trends,
  );
  return {
    add(seriesId, tMs, value) {
      trends.add(seriesId, tMs, value);
      const own = sums.get(periodAt(windows.periods, tMs)!);
      if (!own) return;
      const known = own.get(seriesId);
      if (known) {
        known.sum += value;
        known.count += 1;
      } else own.set(seriesId, { sum: value, count: 1 });
    },
    measurements: () =>
      measurePeriods(series, windows.periods, ({ id }, period) => {
        const known = sums.get(period)?.get(id);
        return known ? { count: known.count, mean: known.sum / known.count } : notMeasured;
      }),
    judge(nowMs) {
      warn(nowMs);
      lookAtRule(nowMs);
    },
  };
}
const notMeasured = { count: 0, mean: NaN };

/** True once for each mark that is reached. */
function createMarks(): (keys: readonly string[]) => boolean {
  const reached = new Set<string>();
  return (keys) => {
    const before = reached.size;
    for (const key of keys) reached.add(key);
    return reached.size > before;
  };
}

/** Tells of each limit that will be missed at the present trend. */
function createWarner(
  { onWarning }: VerdictOptions,
  limits: readonly Limit[],
  { periods, steady }: Windows,
  trends: LimitTrends,
): (nowMs: number) => void {
  const isDue = createMarks();
  const told = new Set<string>();
  return (nowMs) => {
    const period = periodAt(periods, nowMs);
    if (!period || !steady) return;
    const mark = warningMarks.findLastIndex(
      (share) => nowMs >= period.startMs + share * (period.endMs - period.startMs),
    );
    if (mark < 0 || !isDue([`${period.index}/${mark}`])) return;
    for (const warning of earlyWarnings(limits, { period, steady }, trends.of, nowMs)) {
      // What is missed over the steady state is said once.
      const key = `${warning.over === 'steady' ? 'steady' : period.index}/${limitKey(warning)}`;
      if (told.has(key)) continue;
      told.add(key);
      onWarning(warning);
    }
  };
}

/** Tells how the rule stands whenever that changes. */
function createRuleWatch(
  { rule, standing, onStanding }: VerdictOptions,
  limits: readonly Limit[],
  { periods, steady }: Windows,
  trends: LimitTrends,
): (nowMs: number) => void {
  if (!rule || !steady) return () => undefined;
  const marks = createMarks();
  let first = true;
  const row = (nowMs: number): MissedRow | null => {
    const current = lastBegun(periods, nowMs);
    if (current < 0) return null;
    const miss = (limit: Limit, index: number): Projection | null => {
      const past = trends.past(limit, index);
      if (past !== undefined) return past;
      const trend = trends.of(limit, periods[index]!);
      return trend && missedIn(rule.when, limit, trend, nowMs);
    };
    return missedRow(rule, limits, current, miss, nowMs < periods[current]!.endMs);
  };
  const isDue = (nowMs: number): boolean =>
    marks(
      periods.flatMap((p) =>
        [...ruleMarks.map((share) => p.startMs + share * (p.endMs - p.startMs)), p.endMs + settleMs]
          .filter((atMs) => nowMs >= atMs)
          .map((atMs) => `${p.index}/${atMs}`),
      ),
    );
  return (nowMs) => {
    const changed = judgeRule(rule, standing(), {
      nowMs,
      first,
      steadyEndMs: steady.endMs,
      isDue: () => isDue(nowMs),
      row: () => row(nowMs),
    });
    first = false;
    if (changed) onStanding(changed.standing, changed.row);
  };
}
