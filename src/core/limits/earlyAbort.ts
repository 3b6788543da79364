import { threeFigures } from '../base/format.ts';
import { metricWord } from '../metric/metricWords.ts';
import type { EarlyAbortRule, EarlyAbortState } from '../plan/earlyAbortRule.ts';
import type { Profile } from '../profile/profile.ts';
import {
  isOfOneSeries,
  type Limit,
  limitsOf,
  outlook,
  type Projection,
  type Trend,
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
 * How a limit is missed in the window of its trend, null where it is kept, or where too little was
 * measured to say. A single sample never counts as a miss: what is missed only because of the worst
 * sample is not missed here.
 */
export function missedIn(
  when: EarlyAbortRule['when'],
  limit: Pick<Limit, 'kind' | 'limit'>,
  trend: Trend,
  nowMs: number,
): Projection | null {
  const miss = (found: Projection | null): Projection | null => {
    const state = found ? outlook(limit, found) : 'holds';
    return state === 'lost' || (when === 'forecast' && state === 'willMiss') ? found : null;
  };
  const whole = miss(trend.project(nowMs));
  return whole && miss(trend.project(nowMs, true)) ? whole : null;
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

/** What a look at the rule finds, and when. */
export interface RuleLook {
  nowMs: number;
  /** The first since this engine works on the run. */
  first: boolean;
  /** When the steady state ends as planned. */
  steadyEndMs: number;
  /** Whether the limits are looked at now; asked where nothing is announced. */
  isDue: () => boolean;
  row: () => MissedRow | null;
}

/**
 * What becomes of the rule: it warns first, looks again when the warning is over, and then ends the
 * run or calls the end off. `standing` is how it stood; null = nothing changes.
 */
export function judgeRule(
  { warnS }: EarlyAbortRule,
  standing: EarlyAbortState | undefined,
  { nowMs, first, steadyEndMs, isDue, row }: RuleLook,
): { standing: EarlyAbortState; row: MissedRow | null } | null {
  const dueMs = nowMs + warnS * 1_000;
  if (standing?.state === 'vetoed' || standing?.state === 'ended') return null;
  if (standing?.state === 'warned') {
    if (nowMs < standing.dueMs) return null;
    // An engine that was away while the warning ran out told nobody: it runs again.
    if (first) return { standing: { ...standing, dueMs }, row: null };
    const found = row();
    return {
      standing: found
        ? { ...standing, state: 'ended', text: rowWords(found) }
        : { ...standing, state: 'withdrawn' },
      row: found,
    };
  }
  if (!isDue()) return null;
  const found = row();
  // So near its end it costs more than it saves.
  return found && dueMs < steadyEndMs
    ? { standing: { state: 'warned', text: rowWords(found), atMs: nowMs, dueMs }, row: found }
    : null;
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
