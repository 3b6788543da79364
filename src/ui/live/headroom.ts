import type { MetricName } from '../../shared/metric.ts';
import type { Profile } from '../../shared/profile.ts';
import { periodHeadroom, runHeadroom, scoreHeadroom, type QosHeadroom } from '../../shared/qos.ts';
import { isEnd, type RunOverview } from '../../shared/run.ts';
import { formatExact } from '../charts/format.ts';
import type { HeatCell } from '../charts/HeatStrip.tsx';
import { createSeriesWindow, type SeriesSource } from '../charts/series.ts';

const window = createSeriesWindow();
/** Outside the measurement periods headroom is taken over this long. */
const recentMs = 60_000;

/** Mean of the samples within [fromMs, toMs]; NaN for none. */
export function meanBetween(source: SeriesSource, fromMs: number, toMs: number): number {
  source.read(fromMs, toMs, window);
  let sum = 0;
  let count = 0;
  for (let p = 0; p < window.count; p++) {
    const { t, v, start, end } = window.parts[p]!;
    for (let i = start; i < end; i++) {
      if (t[i]! < fromMs || t[i]! > toMs) continue;
      sum += v[i]!;
      count++;
    }
  }
  return sum / count;
}

/**
 * Headroom of every limit, worst first. A limit holds for the mean of a measurement period: while a period lasts
 * its mean so far counts, before and after it the last minute. A finished run shows its worst period as scored.
 */
export function boardHeadroom(overview: RunOverview, profile: Profile | null, sourceOf: (seriesId: number) => SeriesSource, nowMs: number): QosHeadroom[] {
  const { score } = overview;
  if (score !== null && (isEnd(overview.state) || profile === null)) return isEnd(overview.state) ? scoreHeadroom(score) : score.periods.length > 0 ? periodHeadroom(score.periods.at(-1)!) : [];
  if (profile === null) return [];
  const period = overview.periods.find((p) => nowMs >= p.startMs && nowMs < p.endMs);
  const fromMs = period === undefined ? nowMs - recentMs : Math.min(period.startMs, nowMs - 5_000);
  const ids = new Map(overview.series.map((s) => [`${s.entity.id}/${s.metric}`, s.id]));
  const read = (entityId: string, metric: MetricName): number | null => {
    const id = ids.get(`${entityId}/${metric}`);
    return id === undefined ? null : meanBetween(sourceOf(id), fromMs, nowMs + 5_000);
  };
  const tiles = Math.max(0, ...overview.workloads.map((w) => w.tile + 1));
  return runHeadroom(profile, tiles, read);
}

/** The tightest limit of each tile and workload, by `workloadId/tile`. */
export function tightest(list: readonly QosHeadroom[]): Map<string, QosHeadroom> {
  const cells = new Map<string, QosHeadroom>();
  for (const entry of list) {
    const key = `${entry.workloadId}/${entry.tile}`;
    if (!cells.has(key)) cells.set(key, entry);
  }
  return cells;
}

/** Cells of the heat strip by workload id and `tile:n`; the headroom is worked out once for all cells asked for together. */
export function heatCells(headroom: () => readonly QosHeadroom[], wallMs: () => number = () => performance.now()): (rowId: string, columnId: string) => HeatCell | undefined {
  let atMs = -Infinity;
  let cells = new Map<string, QosHeadroom>();
  return (rowId, columnId) => {
    const now = wallMs();
    if (now - atMs > 500) { atMs = now; cells = tightest(headroom()); }
    const found = cells.get(`${rowId}/${columnId.slice('tile:'.length)}`);
    if (found === undefined) return undefined;
    const measured = found.value === null ? 'no sample' : `${formatExact(found.value, 2)} ${found.unit}`;
    const side = found.kind === 'max' ? 'at most' : 'at least';
    return { pct: found.headroom === null ? null : found.headroom * 100, detail: `Tile ${found.tile + 1} ${found.name}: ${measured} of ${side} ${formatExact(found.limit, 2)} ${found.unit}` };
  };
}
