import { positionWords } from '../base/tileWords.ts';
import type { Score } from '../run/scoreTypes.ts';
import { periodHeadroom, type QosHeadroom } from './headroom.ts';
import { limitValue, shortMetric } from './words.ts';

/** One limit of a workload that broke, over all tiles and periods in which it did. */
export interface MissedLimit extends Pick<
  QosHeadroom,
  'workloadId' | 'name' | 'metric' | 'unit' | 'kind' | 'limit' | 'over' | 'operation' | 'measure'
> {
  /** The value furthest from the limit, and its headroom. */
  worst: number;
  headroom: number;
  tiles: number[];
  /** Indexes of measurement periods; empty where it is over the whole steady state. */
  periods: number[];
}

/** Every limit that broke, the furthest past its limit first. */
export function missedLimits({ periods }: Pick<Score, 'periods'>): MissedLimit[] {
  const found = new Map<string, MissedLimit>();
  for (const period of periods) {
    for (const entry of periodHeadroom(period)) {
      const { workloadId, metric, kind, operation, measure, over, value, headroom } = entry;
      if (value === null || headroom === null || headroom >= 0) continue;
      const key = [workloadId, metric, kind, operation, measure, over].join('/');
      const { name, unit, limit } = entry;
      const about = { workloadId, name, metric, unit, kind, limit, over, operation, measure };
      const seen = found.get(key) ?? {
        ...about,
        worst: value,
        headroom,
        tiles: [],
        periods: [],
      };
      if (headroom < seen.headroom) Object.assign(seen, { worst: value, headroom });
      if (!seen.tiles.includes(entry.tile)) seen.tiles.push(entry.tile);
      if (over === 'period' && !seen.periods.includes(period.index))
        seen.periods.push(period.index);
      found.set(key, seen);
    }
  }
  return [...found.values()].sort((a, b) => a.headroom - b.headroom);
}

/** `Database p95 1.97 s, limit 500 ms (tiles 1, 2; periods 1, 2)`. */
export function missedText(missed: MissedLimit): string {
  const { name, worst, unit, kind, limit, tiles, periods, over } = missed;
  const many = (list: readonly number[], one: string): string =>
    `${one}${list.length === 1 ? '' : 's'} ${positionWords(list)}`;
  const when = over === 'steady' ? 'over the steady state' : many(periods, 'period');
  return (
    `${name} ${shortMetric(missed)} ${limitValue(worst, unit)}, ` +
    `${kind === 'max' ? 'limit' : 'at least'} ${limitValue(limit, unit)} ` +
    `(${many(tiles, 'tile')}; ${when})`
  );
}
