import type { SeriesData, SeriesDef } from '../metric/metric.ts';
import type { RunRecord } from '../run/run.ts';
import type { IdleBaseline, SteadyPower } from '../run/steadyPower.ts';
import type { Window } from '../run/windows.ts';

/** One power series of the source that speaks, with its samples from before to after the window. */
export interface PowerSamples {
  def: SeriesDef;
  data: Pick<SeriesData, 'tMs' | 'value'>;
}

/** A step longer than so many of the source's periods is a gap: nothing is known of it. */
const longestSteps = 3;
/** Below this share of the window a counter says too little of it, as `leastSamples` of a period. */
const leastCovered = 0.95;
const msPerHour = 3_600_000;

/** Samples this far outside of a window still tell of it, ms. */
export const reachMs = ({ periodMs }: SeriesDef): number => longestSteps * periodMs;

/**
 * Energy of a window in Wh from a counter's steps. Each sample is the mean since the step before
 * it, so Σ Pᵢ · Δtᵢ is what the counter moved by; a step over an edge counts by its part within
 * the window. What is not covered (a gap, at most a twentieth) counts with the mean of the rest.
 * null = it covers less.
 */
export function counterEnergyWh({ def, data }: PowerSamples, window: Window): number | null {
  let wattMs = 0;
  let coveredMs = 0;
  for (let i = 1; i < data.tMs.length; i += 1) {
    const [fromMs, toMs] = [data.tMs[i - 1]!, data.tMs[i]!];
    if (toMs - fromMs > reachMs(def)) continue;
    const partMs = Math.min(toMs, window.endMs) - Math.max(fromMs, window.startMs);
    if (partMs <= 0) continue;
    wattMs += data.value[i]! * partMs;
    coveredMs += partMs;
  }
  const lengthMs = window.endMs - window.startMs;
  if (lengthMs <= 0 || coveredMs < leastCovered * lengthMs) return null;
  return (wattMs / coveredMs) * (lengthMs / msPerHour);
}

/** Mean of the samples in a window, [startMs, endMs), in W; null = there are none. */
function meanW({ data }: PowerSamples, window: Window): number | null {
  const within = [...data.value].filter(
    (_, i) => data.tMs[i]! >= window.startMs && data.tMs[i]! < window.endMs,
  );
  return within.length === 0 ? null : within.reduce((sum, one) => sum + one, 0) / within.length;
}

/**
 * What a run used in its steady state. Where every series counts energy, E is the sum of what the
 * counters moved by and P = E / t; otherwise P is the sum of the means of the samples and E = P · t.
 * The uncertainty is that of the data sheets, combined as of independent meters:
 * u(P)² = Σ (pctᵢ / 100 · Pᵢ)² (JCGM 100:2008, 5.1.2). null = a series has no sample, or 0 W.
 */
export function steadyPower(
  series: readonly PowerSamples[],
  window: Window,
  of: { tiles: number; vms: number; idle: IdleBaseline | null },
): SteadyPower | null {
  const hours = (window.endMs - window.startMs) / msPerHour;
  if (series.length === 0 || !(hours > 0)) return null;
  const counted = series.map((one) =>
    one.def.meter?.counts ? counterEnergyWh(one, window) : null,
  );
  const byCounter = counted.every((wh) => wh !== null);
  const watts = series.map((one, i) => (byCounter ? counted[i]! / hours : meanW(one, window)));
  if (watts.some((one) => one === null)) return null;
  const known = watts.filter((one) => one !== null);
  const total = known.reduce((sum, one) => sum + one, 0);
  if (!(total > 0)) return null;
  const percents = series.map(({ def }) => def.meter?.uncertaintyPct ?? null);
  return {
    measuredBy: series[0]!.def.source,
    meanW: total,
    energyWh: total * hours,
    method: byCounter ? 'counter' : 'mean',
    windowS: hours * 3_600,
    uncertaintyW: percents.every((pct) => pct !== null)
      ? Math.hypot(...known.map((one, i) => (one * percents[i]!) / 100))
      : null,
    ...of,
  };
}

/** The baseline of the sources that speak for a run; null = not known of one of them. */
export function idleOf(
  { testbed, idleBefore }: Pick<RunRecord, 'testbed' | 'idleBefore'>,
  connectionIds: readonly string[],
): IdleBaseline | null {
  const rule = testbed.idlePower ?? null;
  if (rule === null) return null;
  if (rule.by === 'given') return rule;
  const own = connectionIds.map((id) => idleBefore?.find((one) => one.connectionId === id));
  if (own.length === 0 || own.some((one) => one === undefined)) return null;
  const watts = own.reduce((sum, one) => sum + one!.watts, 0);
  return watts > 0
    ? { by: 'measured', watts, windowS: Math.min(...own.map((one) => one!.windowS)) }
    : null;
}
