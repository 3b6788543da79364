import { tileStyle } from '../../../core/chart/palette.ts';
import { shownUnit } from '../../../core/chart/shownUnit.ts';
import type { SeriesDef } from '../../../core/metric/metric.ts';
import { type FastPace, looseSource } from '../../charts/fastPace.ts';
import { scaledSource } from '../../charts/scaledSource.ts';
import type { ChartSeries } from '../../engine/series.ts';
import type { ShownChart } from './boardTargets.ts';

/**
 * One series of a run as a line: a tile keeps its colour on every chart, others take theirs in
 * order. `pace`: of a live run under a fast clock.
 */
export function chartLine(
  def: SeriesDef,
  index: number,
  originMs: number,
  sourceOf: (id: number) => ChartSeries['source'],
  pace: FastPace | null = null,
  label?: string,
): ChartSeries {
  const { tile } = def.entity;
  const { unit, factor, decimals } = shownUnit(def);
  const own = sourceOf(def.id);
  const source = pace === null ? own : looseSource(own, pace.gapMs);
  // Measures of one thing are told apart by their own colours.
  const { color, dash } = tileStyle(label === undefined ? (tile ?? index) : index);
  return {
    key: String(def.id),
    label: label ?? (tile === undefined ? def.entity.name : `Tile ${tile + 1}`),
    unit,
    color,
    dash,
    source: factor === 1 ? source : scaledSource(source, factor),
    originMs,
    periodMs: def.periodMs,
    lagMs: def.lagMs + (pace?.slackMs ?? 0),
    decimals,
    measuredBy: def.source,
    highlightKey:
      label !== undefined
        ? def.metric
        : tile === undefined
          ? `${def.entity.kind}:${def.entity.id}`
          : `tile:${tile}`,
  };
}

/**
 * The lines of a chart of the board; asked again, the same array, so that nothing is drawn anew.
 */
export function createLines(
  originMs: number,
  sourceOf: (id: number) => ChartSeries['source'],
  pace: FastPace | null,
): (chart: ShownChart) => readonly ChartSeries[] {
  const held = new WeakMap<ShownChart, readonly ChartSeries[]>();
  return (chart) => {
    const lines =
      held.get(chart) ??
      chart.defs.map((def, i) => chartLine(def, i, originMs, sourceOf, pace, chart.labels?.[i]));
    held.set(chart, lines);
    return lines;
  };
}
