import type { Profile } from '../profile/profile.ts';
import type { PowerScore, Score } from '../run/scoreTypes.ts';
import { powerSources } from './compareRows.ts';
import { type RunAggregates } from './compareTypes.ts';

/**
 * Share of the samples a source promises that must have arrived in each period. Below it the mean
 * is not the mean of the period.
 */
const leastSamples = 0.95;

/** A measurement period of the run, epoch ms. */
interface Window {
  index: number;
  startMs: number;
  endMs: number;
}

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
  windows: readonly Window[],
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
