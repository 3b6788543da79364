import { threeFigures } from '../base/format.ts';
import { metricWord } from '../metric/metricWords.ts';
import type { PeriodSpan, Window } from '../run/windows.ts';
import { isOfOneSeries, type Limit, outlook, type Projection, type Trend } from './index.ts';

/**
 * `lost`: no value from now on can keep the limit in its window. `willMiss`: it will be missed at
 * the present trend.
 */
export interface EarlyWarning extends Projection, Limit {
  state: 'lost' | 'willMiss';
  periodIndex: number;
}
/** What a running measurement is ahead of: the end of its period, and of the steady state. */
export interface RunningWindows {
  period: PeriodSpan;
  steady: Window;
}

/**
 * Limits that will not hold in the running period, or over the steady state where they are on that;
 * the worst first. Limits on named operations and on shares of failures are not projected.
 */
export function earlyWarnings(
  limits: readonly Limit[],
  windows: RunningWindows,
  trendOf: (limit: Limit, window: Window) => Trend | null,
  nowMs: number,
): EarlyWarning[] {
  const found = limits.filter(isOfOneSeries).flatMap((limit): EarlyWarning[] => {
    const projection = trendOf(limit, windows[limit.over])?.project(nowMs);
    const state = projection ? outlook(limit, projection) : 'holds';
    return projection && state !== 'holds'
      ? [{ ...limit, ...projection, state, periodIndex: windows.period.index }]
      : [];
  });
  const beyond = (w: EarlyWarning): number =>
    Math.abs(w.projected - w.limit) / Math.max(Math.abs(w.limit), Number.MIN_VALUE);
  return found.sort((a, b) =>
    a.state === b.state ? beyond(b) - beyond(a) : a.state === 'lost' ? -1 : 1,
  );
}

/**
 * `Tile 2 Database, 95th percentile latency, limit ≤ 200 ms: will be missed in this period at the
 * present trend; mean 180 ms so far, 214 ms at the end.`
 */
export function warningText(w: EarlyWarning): string {
  const figure = (value: number): string => `${threeFigures(value)} ${w.unit}`;
  const what =
    `Tile ${w.tile + 1} ${w.name}, ${metricWord(w.metric)}, limit ` +
    `${w.kind === 'max' ? '≤' : '≥'} ${figure(w.limit)}`;
  const means = `mean ${figure(w.meanSoFar)} so far, ${figure(w.projected)} at the end`;
  const steady = w.over === 'steady';
  return w.state === 'lost'
    ? `${what}: missed ${steady ? 'over the steady state' : `in period ${w.periodIndex + 1}`}, ` +
        `no value from now on can keep it; ${means}.`
    : `${what}: will be missed ${steady ? 'over the steady state' : 'in this period'} at the present trend; ${means}.`;
}
