import type { BoardChart } from '../../../core/chart/boardCharts.ts';
import type { SeriesSource } from '../../engine/series.ts';
import { meanBetween } from './headroom.ts';

const recentMs = 60_000;
const beforeMs = 300_000;
/** Lines that are read of one chart: the trend of many is seen in some of them. */
const mostLines = 24;

/** Less than a source that has gone quiet. */
const neverSpoke = -2;

/** Which measures come first where nothing breaks or moves. */
const weights: Readonly<Record<BoardChart['group'], number>> = {
  throughput: 1,
  latency: 1,
  hosts: 0.9,
  power: 0.6,
  storage: 0.7,
  vms: 0.5,
  esxtop: 0.5,
  clients: 0.4,
  operations: 0.3,
};

/** Measures of one thing that say nearly the same: one of them is enough. */
function familyOf({ id }: BoardChart): string {
  const [metric = '', ...rest] = id.split('/');
  const kind = /^latency/.test(metric) ? 'latency' : /iops/i.test(metric) ? 'iops' : metric;
  return [kind, ...rest].join('/');
}

/**
 * How much a chart asks to be looked at: above 10 where it breaks a limit, else how far its lines
 * moved in the last minute against those before; below 0 where it tells nothing now.
 */
export function interestOf(
  chart: BoardChart,
  sourceOf: (seriesId: number) => SeriesSource,
  nowMs: number,
): number {
  const step = Math.max(1, Math.ceil(chart.defs.length / mostLines));
  let moved = neverSpoke;
  let broken = 0;
  for (let i = 0; i < chart.defs.length; i += step) {
    const def = chart.defs[i]!;
    const source = sourceOf(def.id);
    const recent = Math.max(recentMs, 3 * def.periodMs);
    const now = meanBetween(source, nowMs - recent, nowMs + 1_000);
    if (Number.isFinite(source.lastMs())) moved = Math.max(moved, -1);
    if (!Number.isFinite(now)) continue;
    for (const { kind, value } of chart.limits) {
      const over = kind === 'max' ? now / value : value / now;
      if (over > 1) broken = Math.max(broken, Math.min(over, 10));
    }
    const before = meanBetween(source, nowMs - recent - beforeMs, nowMs - recent);
    const size = Math.abs(now) + Math.abs(before);
    if (now !== 0 || before > 0)
      moved = Math.max(moved, size > 0 ? Math.abs(now - before) / size : 0);
  }
  return broken > 0 ? 10 + broken : moved < 0 ? moved : moved + 0.2 * weights[chart.group];
}

/** A chart takes the place of one that is shown only where it is more interesting by this much. */
const clearly = 1.3;

/**
 * The most interesting charts, in the order of the board; those on show stay while they may. Charts
 * that tell nothing fill what is left: the places must not come and go.
 */
export function mostInteresting(
  charts: readonly BoardChart[],
  scoreOf: (chart: BoardChart) => number,
  count: number,
  held: readonly string[],
): string[] {
  const list = charts
    .map((chart) => ({ chart, score: scoreOf(chart) }))
    .map(({ chart, score }) => ({
      chart,
      score: score > 0 && held.includes(chart.id) ? score * clearly : score,
    }))
    .sort((a, b) => b.score - a.score);
  const chosen = new Map<string, string>();
  for (const { chart } of list)
    if (chosen.size < count && !chosen.has(familyOf(chart))) chosen.set(familyOf(chart), chart.id);
  const ids = new Set(chosen.values());
  return charts.filter(({ id }) => ids.has(id)).map(({ id }) => id);
}
