import { threeFigures } from '../base/format.ts';
import { metricWord } from '../metric/metricWords.ts';
import type { EarlyAbortRule } from '../plan/earlyAbortRule.ts';
import type { Profile } from '../profile/profile.ts';
import type { Window } from '../run/windows.ts';
import {
  isOfOneSeries,
  type Limit,
  limitsOf,
  outlook,
  type Projection,
  projectMean,
  type Samples,
} from './index.ts';

/** A limit that was missed in `periods` periods in a row, up to `lastIndex`. */
export interface MissedRow extends Limit, Projection {
  periods: number;
  lastIndex: number;
  /** The last of them still lasts. */ lasts: boolean;
}

/**
 * The limits the rule looks at, which counts periods: those on named operations, on shares of
 * failures and on the whole steady state are not told by a period's running mean.
 */
export function periodLimits(profile: Profile, tiles: number): Limit[] {
  return limitsOf(profile, tiles).filter(
    (limit) => isOfOneSeries(limit) && limit.over === 'period',
  );
}

/**
 * The period's mean against a limit, null where it is kept, or where too little was measured to
 * say. A single sample never counts as a miss: what is missed only because of the worst sample of
 * the period is not missed here.
 */
export function missedIn(
  when: EarlyAbortRule['when'],
  limit: Pick<Limit, 'kind' | 'limit'>,
  samples: Samples,
  period: Window,
  nowMs: number,
): Projection | null {
  const miss = (of: Samples): Projection | null => {
    const found = projectMean(of, period, nowMs);
    const state = found ? outlook(limit, found) : 'holds';
    return state === 'lost' || (when === 'forecast' && state === 'willMiss') ? found : null;
  };
  const whole = miss(samples);
  return whole && miss(withoutWorst(samples, period, limit.kind)) ? whole : null;
}

function withoutWorst({ tMs, value }: Samples, period: Window, kind: 'max' | 'min'): Samples {
  let worst = -1;
  for (let i = 0; i < tMs.length; i += 1) {
    if (tMs[i]! < period.startMs || tMs[i]! >= period.endMs || !Number.isFinite(value[i]!))
      continue;
    if (worst < 0 || (kind === 'max' ? value[i]! > value[worst]! : value[i]! < value[worst]!))
      worst = i;
  }
  const keep = (list: ArrayLike<number>): number[] =>
    Array.from(list).filter((_, i) => i !== worst);
  return { tMs: keep(tMs), value: keep(value) };
}

/**
 * The longest row of missed periods that reaches `current` or the period before it; null where none
 * is as long as the rule asks.
 * `miss` says how a limit fared in a period, null = kept or not known: a period of which nothing is
 * known ends a row.
 */
export function missedRow(
  rule: EarlyAbortRule,
  limits: readonly Limit[],
  current: number,
  miss: (limit: Limit, periodIndex: number) => Projection | null,
  lasts: boolean,
): MissedRow | null {
  const rows = limits.flatMap((limit): MissedRow[] => {
    // The periods before are cheap to ask for a second time; the current one is not, so it comes
    // last.
    let before = 0;
    while (current - 1 - before >= 0 && before < rule.periods && miss(limit, current - 1 - before))
      before += 1;
    if (before < rule.periods - 1) return [];
    const now = miss(limit, current);
    const shown = now ?? (before >= rule.periods ? miss(limit, current - 1) : null);
    return shown
      ? [
          {
            ...limit,
            ...shown,
            periods: now ? before + 1 : before,
            lastIndex: now ? current : current - 1,
            lasts: now !== null && lasts,
          },
        ]
      : [];
  });
  const beyond = (row: MissedRow): number =>
    Math.abs(row.projected - row.limit) / Math.max(Math.abs(row.limit), Number.MIN_VALUE);
  return rows.sort((a, b) => b.periods - a.periods || beyond(b) - beyond(a))[0] ?? null;
}

/** `when a QoS limit is certain to be missed in 2 periods in a row`. */
export function ruleWords({ when, periods }: Pick<EarlyAbortRule, 'when' | 'periods'>): string {
  return (
    `when a QoS limit is ${when === 'certain' ? 'certain' : 'certain or forecast'} to be ` +
    `missed in ${periods === 1 ? 'one period' : `${periods} periods in a row`}`
  );
}

/**
 * `Tile 2 Database, 95th percentile latency, limit ≤ 200 ms: missed in periods 1 and 2; mean 240 ms
 * in the last.`
 */
export function rowWords(row: MissedRow): string {
  const figure = (value: number): string => `${threeFigures(value)} ${row.unit}`;
  const first = row.lastIndex - row.periods + 2;
  const which =
    row.periods === 1
      ? `period ${row.lastIndex + 1}`
      : `${row.periods} periods in a row, ${first} to ${row.lastIndex + 1}`;
  const mean = row.lasts
    ? `mean ${figure(row.meanSoFar)} so far in the last, ${figure(row.projected)} at its end`
    : `mean ${figure(row.meanSoFar)} in the last`;
  return (
    `Tile ${row.tile + 1} ${row.name}, ${metricWord(row.metric)}, limit ` +
    `${row.kind === 'max' ? '≤' : '≥'} ${figure(row.limit)}: missed in ${which}; ${mean}`
  );
}
