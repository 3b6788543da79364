import type { SeriesDef } from '../../shared/metric.ts';
import { tileStyle } from '../charts/palette.ts';
import { scaledSource } from '../charts/scaledSource.ts';
import type { ChartSeries } from '../charts/series.ts';
import { looseSource, type FastPace } from './fastPace.ts';
import { shownUnit } from './shownUnit.ts';

/** One series of a run as a line: a tile keeps its colour on every chart, others take theirs in order. `pace`: of a live run under a fast clock. */
export function chartLine(def: SeriesDef, index: number, originMs: number, sourceOf: (id: number) => ChartSeries['source'], pace: FastPace | null = null): ChartSeries {
  const { tile } = def.entity;
  const { unit, factor, decimals } = shownUnit(def);
  const own = sourceOf(def.id);
  const source = pace === null ? own : looseSource(own, pace.gapMs);
  const { color, dash } = tileStyle(tile ?? index);
  return {
    key: String(def.id), label: tile === undefined ? def.entity.name : `Tile ${tile + 1}`, unit, color, dash, source: factor === 1 ? source : scaledSource(source, factor), originMs,
    periodMs: def.periodMs, lagMs: def.lagMs + (pace?.slackMs ?? 0), decimals, measuredBy: def.source, highlightKey: tile === undefined ? `${def.entity.kind}:${def.entity.id}` : `tile:${tile}`,
  };
}
