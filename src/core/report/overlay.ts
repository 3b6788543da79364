import type { ComparedRun, RowSpec } from '../compare/index.ts';
import { gapLimitMs } from '../metric/gap.ts';
import type { SeriesData, SeriesDef } from '../metric/metric.ts';
import type { ReportLine } from './model.ts';

/** Stretches a run is cut into for a line of an overlay, at most. */
const overlayStretches = 240;

/**
 * One row of a comparison over the whole run, on run-relative time: per stretch of equal length, at
 * least two sampling periods long, each series' mean, and of these the mean (or the sum, where the
 * row is one). A stretch in which one of the series has no sample is left out. null where the run
 * has not this row, or no start. Times are the middles of the stretches, in ms from the run's
 * start.
 */
export function overlayLine(
  spec: RowSpec,
  run: ComparedRun,
  read: (def: SeriesDef) => Pick<SeriesData, 'tMs' | 'value'>,
): Pick<ReportLine, 'tMs' | 'value' | 'gapMs'> | null {
  const { overview } = run.record;
  const parts = spec.parts(run);
  if (
    parts === null ||
    parts.fold === 'score' ||
    parts.defs.length === 0 ||
    overview.startedAtMs === null
  )
    return null;
  const start = overview.startedAtMs,
    end = overview.endedAtMs ?? overview.nowMs;
  const stretchMs = Math.max(
    ...parts.defs.map((d) => 2 * d.periodMs),
    (end - start) / overlayStretches,
  );
  const count = Math.max(0, Math.ceil((end - start) / stretchMs));
  const total = new Float64Array(count),
    seen = new Uint32Array(count);
  for (const def of parts.defs) {
    const sums = new Float64Array(count),
      counts = new Uint32Array(count);
    const { tMs, value } = read(def);
    for (let i = 0; i < tMs.length; i += 1) {
      const at = Math.floor((tMs[i]! - start) / stretchMs);
      if (at < 0 || at >= count) continue;
      sums[at]! += value[i]!;
      counts[at]! += 1;
    }
    for (let i = 0; i < count; i += 1)
      if (counts[i]! > 0) {
        total[i]! += sums[i]! / counts[i]!;
        seen[i]! += 1;
      }
  }
  const whole = Array.from({ length: count }, (_, i) => i).filter(
    (i) => seen[i] === parts.defs.length,
  );
  const factor = parts.fold === 'mean' ? 1 / parts.defs.length : 1;
  return {
    gapMs: gapLimitMs(stretchMs),
    tMs: Float64Array.from(whole, (i) => (i + 0.5) * stretchMs),
    value: Float64Array.from(whole, (i) => total[i]! * factor),
  };
}
