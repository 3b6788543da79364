import { type LineLook, lineLook, type LineOf } from '../../core/chart/line.ts';
import type { SeriesDef } from '../../core/metric/metric.ts';
import {
  type ChartSeries,
  createSeriesWindow,
  type SeriesSource,
  type SeriesWindow,
  type WindowPart,
} from '../engine/series.ts';

/**
 * What a fast clock does to samples on their way: how late a fresh one may be, and how far apart
 * two may lie without a gap, both in the engine's milliseconds.
 */
export interface FastPace {
  slackMs: number;
  gapMs: number;
}

/**
 * At more than the speed of a wall clock the engine tells a few samples of each tenth of a second
 * here and leaves the rest to the store: between two told ones lie minutes of lab time. `rate` as
 * of EngineRateContext; null = an even pace.
 */
export function fastPace(rate: number): FastPace | null {
  if (rate === 1) return null;
  // Paused, or as fast as the machine goes: any distance is possible.
  if (rate === 0) return { slackMs: Infinity, gapMs: 1_800_000 };
  return { slackMs: rate * 3_000, gapMs: rate * 150 };
}

export interface LinePlace {
  source: SeriesSource;
  /** Epoch that counts as 0:00. */
  originMs: number;
  /** Place among the lines of its chart, from 0. */
  place: number;
  /** Of a live run under a fast clock. */
  pace?: FastPace | null;
  /** What the lines of its chart are of. Default: several things. */
  of?: LineOf | undefined;
}

/**
 * One series of a run as a line of a chart: what it is called, its unit, colour and dash, where its
 * samples come from and what counts as a gap between them. Every line of a time chart is made here.
 */
export function chartLine(
  def: SeriesDef,
  { source, originMs, place, pace = null, of }: LinePlace,
): ChartSeries {
  const { factor, ...look }: LineLook = lineLook(def, place, of);
  const paced = pace === null ? source : looseSource(source, pace.gapMs);
  return {
    ...look,
    source: factor === 1 ? paced : scaledSource(paced, factor),
    originMs,
    periodMs: def.periodMs,
    lagMs: def.lagMs + (pace?.slackMs ?? 0),
    measuredBy: def.source,
  };
}

/** The same series, with gaps only where samples lie farther apart than `gapMs`. */
function looseSource(source: SeriesSource, gapMs: number): SeriesSource {
  return {
    ...restOf(source),
    read(fromMs, toMs, into) {
      source.read(fromMs, toMs, into);
      for (let i = 0; i < into.count; i += 1) {
        const part = into.parts[i as 0 | 1];
        part.gapMs = Math.max(part.gapMs, gapMs);
      }
    },
  };
}

/**
 * The same series in another unit: every value times `factor`. Holds one copy of the values it was
 * last asked for.
 */
function scaledSource(source: SeriesSource, factor: number): SeriesSource {
  const copies: [Float64Array, Float64Array] = [new Float64Array(0), new Float64Array(0)];
  const inner: SeriesWindow = createSeriesWindow();
  const scale = (from: WindowPart, into: WindowPart, which: 0 | 1): void => {
    if (copies[which].length < from.v.length) copies[which] = new Float64Array(from.v.length);
    const copy = copies[which];
    for (let i = from.start; i < from.end; i += 1) copy[i] = from.v[i]! * factor;
    Object.assign(into, from, { v: copy });
  };
  return {
    ...restOf(source),
    read(fromMs, toMs, into) {
      source.read(fromMs, toMs, inner);
      into.count = inner.count;
      if (inner.count > 0) scale(inner.parts[0], into.parts[0], 0);
      if (inner.count > 1) scale(inner.parts[1], into.parts[1], 1);
    },
    lastValue: () => source.lastValue() * factor,
  };
}

const restOf = (source: SeriesSource): Omit<SeriesSource, 'read'> => ({
  firstMs: () => source.firstMs(),
  lastMs: () => source.lastMs(),
  lastValue: () => source.lastValue(),
  revision: () => source.revision(),
});
