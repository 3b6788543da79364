import { createPointBuffer, decimate } from '../../core/base/decimate.ts';
import { gapLimitMs } from '../../core/metric/gap.ts';
import type { ReportChart, ReportLine } from '../../core/report/model.ts';
import { createSeriesWindow } from '../engine/series.ts';
import { summaryText } from './chartText.ts';
import type { ChartInput } from './view.ts';

const window = createSeriesWindow();
/** Points of a line in a picture: about two for each of its pixels. */
const buckets = 2_000;

/**
 * What a chart shows now, as a picture of any size is drawn from it: its lines within `x`
 * (run-relative ms), phases and limits.
 */
export function pictureChart(
  title: string,
  unit: string,
  input: ChartInput,
  x: readonly [number, number],
): ReportChart {
  const lines = input.series.map((series): ReportLine => {
    const { source, originMs, label, color, dash, decimals, periodMs } = series;
    source.read(x[0] + originMs, x[1] + originMs, window);
    const times: number[] = [];
    const values: number[] = [];
    let gapMs = gapLimitMs(periodMs);
    for (let p = 0; p < window.count; p += 1) {
      const part = window.parts[p]!;
      const out = createPointBuffer(buckets * 4 + 8);
      const bucketMs = Math.max(1, Math.ceil((x[1] - x[0]) / buckets));
      decimate(part.t, part.v, part.start, part.end, bucketMs, out);
      gapMs = Math.max(gapMs, part.gapMs, gapLimitMs(bucketMs));
      for (let i = 0; i < out.length; i += 1) {
        const at = out.t[i]! - originMs;
        // The neighbours outside are for lines that leave the plot; a picture has no clip.
        if (at >= x[0] && at <= x[1]) {
          times.push(at);
          values.push(out.v[i]!);
        }
      }
    }
    return {
      label,
      color,
      dash,
      decimals,
      gapMs,
      tMs: Float64Array.from(times),
      value: Float64Array.from(values),
    };
  });
  const phases = input.phases
    .map(({ name, fromMs, toMs }) => ({
      name,
      fromMs: Math.max(x[0], fromMs),
      toMs: Math.min(x[1], toMs),
    }))
    .filter((p) => p.fromMs < p.toMs);
  return {
    title,
    unit,
    lines,
    limits: input.limits.map(({ value, label }) => ({ value, label })),
    phases,
    summary: summaryText(title, unit, input, x).join(' '),
  };
}
