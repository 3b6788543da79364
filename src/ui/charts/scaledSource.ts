import {
  createSeriesWindow,
  type SeriesSource,
  type SeriesWindow,
  type WindowPart,
} from '../engine/series.ts';

/**
 * The same series in another unit: every value times `factor`. Holds one copy of the values it was
 * last asked for.
 */
export function scaledSource(source: SeriesSource, factor: number): SeriesSource {
  const copies: [Float64Array, Float64Array] = [new Float64Array(0), new Float64Array(0)];
  const inner: SeriesWindow = createSeriesWindow();
  const scale = (from: WindowPart, into: WindowPart, which: 0 | 1): void => {
    if (copies[which].length < from.v.length) copies[which] = new Float64Array(from.v.length);
    const copy = copies[which];
    for (let i = from.start; i < from.end; i += 1) copy[i] = from.v[i]! * factor;
    Object.assign(into, from, { v: copy });
  };
  return {
    read(fromMs, toMs, into) {
      source.read(fromMs, toMs, inner);
      into.count = inner.count;
      if (inner.count > 0) scale(inner.parts[0], into.parts[0], 0);
      if (inner.count > 1) scale(inner.parts[1], into.parts[1], 1);
    },
    firstMs: () => source.firstMs(),
    lastMs: () => source.lastMs(),
    lastValue: () => source.lastValue() * factor,
    revision: () => source.revision(),
  };
}
