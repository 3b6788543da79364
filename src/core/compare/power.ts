import { groupBy } from '../base/groupBy.ts';
import type { Profile } from '../profile/profile.ts';
import type { PowerScore, Score } from '../run/scoreTypes.ts';
import type { PeriodSpan } from '../run/windows.ts';
import type { ComparedRun, RunAggregates, SeriesAggregate } from './types.ts';

/**
 * Mean power over the steady state, in watts: the sum over the series of one source. Sources can
 * meter the same machines twice, so only one speaks: a meter before the hypervisor's own counter,
 * then the shorter period. null = no source, or a series of it without samples.
 */
export function meanPower(
  aggregates: RunAggregates,
): { watts: number; source: string; periodMs: number } | null {
  return (
    powerSources(aggregates).flatMap(({ source, series, periodMs }) =>
      series.every((s) => s.steady !== null)
        ? [{ source, watts: series.reduce((sum, s) => sum + s.steady!.mean, 0), periodMs }]
        : [],
    )[0] ?? null
  );
}

/**
 * Power series by source, the one that speaks first: a meter before the hypervisor's own counter,
 * then the shorter period.
 */
export function powerSources(
  aggregates: RunAggregates,
): { source: string; series: SeriesAggregate[]; periodMs: number }[] {
  const bySource = groupBy(
    aggregates.series.filter((s) => s.def.metric === 'powerW'),
    (s) => s.def.source,
  );
  const sources = [...bySource].map(([source, series]) => ({
    source,
    series: [...series],
    periodMs: Math.max(...series.map((s) => s.def.periodMs)),
  }));
  const rank = (source: string): number => (source.startsWith('vCenter') ? 1 : 0);
  return sources.sort((a, b) => rank(a.source) - rank(b.source) || a.periodMs - b.periodMs);
}

/**
 * Score over kilowatts; null when the steady state or a measurement period is shorter than the
 * power source's period.
 */
export function scorePerKilowatt(run: ComparedRun): number | null {
  // A run that was scored with its power keeps that figure, or its refusal.
  const scored = run.record.overview.score?.power;
  if (scored) return scored.value;
  const power = meanPower(run.aggregates);
  const total = run.record.overview.score?.total ?? null;
  if (power === null || total === null || !(power.watts > 0)) return null;
  const windows = [
    (run.aggregates.steadyS ?? 0) * 1000,
    ...run.record.overview.periods.map((p) => p.endMs - p.startMs),
  ];
  return windows.every((ms) => ms >= power.periodMs) ? total / (power.watts / 1000) : null;
}

/**
 * Share of the samples a source promises that must have arrived in each period. Below it the mean
 * is not the mean of the period.
 */
const leastSamples = 0.95;

/**
 * Performance a kilowatt: the score divided by the mean power in kW over the very periods that gave
 * the score (PPKW, as VMmark 2.5 and 3 define it: VMware, VMmark product page). Undefined where no
 * power was recorded and the profile asks for none. Otherwise a figure, or words why there is none:
 * no total, a source whose period is longer than allowed (the profile's limit, else the measurement
 * period), a period with missing samples. Sources can meter the same machines twice, so only one
 * speaks: a meter before the hypervisor's own counter.
 */
export function powerScore(
  profile: Profile,
  score: Score,
  aggregates: RunAggregates,
  windows: readonly PeriodSpan[],
): PowerScore | undefined {
  const rule = profile.scoring.power;
  const chosen = powerSources(aggregates)[0];
  const base = {
    kind: rule?.kind ?? ('asMeasured' as const),
    source: rule?.source ?? 'Score / mean kW over the same period',
  };
  if (!chosen)
    return rule
      ? {
          ...base,
          meanW: null,
          value: null,
          measuredBy: '',
          refused: 'the profile asks for power, and no power source was recorded',
        }
      : undefined;
  const { source: measuredBy, series, periodMs } = chosen;
  const refuse = (refused: string, meanW: number | null = null): PowerScore => ({
    ...base,
    meanW,
    value: null,
    measuredBy,
    refused,
  });
  const speaking = windows
    .map((window, place) => ({ window, place }))
    .filter(({ window }) => (score.speaking ?? []).includes(window.index));
  if (speaking.length === 0) return refuse('no measurement period speaks for the run');
  const lengthsMs = speaking.map(({ window }) => window.endMs - window.startMs);
  const allowedMs = Math.min(rule?.maxPeriodMs ?? Infinity, ...lengthsMs);
  if (periodMs > allowedMs) {
    const byProfile = rule?.maxPeriodMs != null && rule.maxPeriodMs <= Math.min(...lengthsMs);
    return refuse(
      `${measuredBy} measures every ${periodMs / 1_000} s, longer than the ` +
        `${allowedMs / 1_000} s that ` +
        (byProfile ? 'the profile allows' : 'a measurement period lasts'),
    );
  }
  let wattsMs = 0;
  for (const [i, { window, place }] of speaking.entries()) {
    for (const { def, periods } of series) {
      const expected = Math.floor(lengthsMs[i]! / def.periodMs);
      const count = periods[place]?.count ?? 0;
      // Phases of source and period differ: one sample more or less at the edges says nothing.
      if (count < Math.floor(expected * leastSamples) - 1 || count === 0)
        return refuse(
          `${def.entity.name} (${measuredBy}) gave ${count} of ${expected} samples in period ${window.index + 1}`,
        );
      wattsMs += periods[place]!.mean * lengthsMs[i]!;
    }
  }
  const meanW = wattsMs / lengthsMs.reduce((sum, ms) => sum + ms, 0);
  if (!(meanW > 0)) return refuse(`${measuredBy} measured 0 W`, meanW);
  if (score.total === null) return refuse('the run has no total', meanW);
  return { ...base, meanW, value: score.total / (meanW / 1_000), measuredBy, refused: null };
}
