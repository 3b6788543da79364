import type { SeriesData } from '../metric/metric.ts';
import { histogramCounts, histogramEdges } from '../stats/histogram.ts';
import { boxOf, ecdf, sorted } from '../stats/quantile.ts';
import type { RowSpec } from './compareRows.ts';
import type { ComparedRun } from './compareTypes.ts';
import type { Distributions } from './comparison.ts';

/** Samples of the steady state behind one row, of one run. */
export interface RowSamples {
  run: ComparedRun;
  data: readonly SeriesData[];
}

/**
 * How the samples of one row are distributed: those of all its series together, so of every tile,
 * not their mean. Bins are common to all runs; boxes are of the steady state and of each
 * measurement period.
 */
export function distributionsOf(
  spec: RowSpec,
  specs: readonly RowSpec[],
  runs: readonly RowSamples[],
): Distributions {
  const together = runs.map(({ data }) => sorted(concatenated(data)));
  const edges = histogramEdges(together);
  return {
    key: spec.key,
    label: spec.label.replace(/, mean of the \w+$/, ''),
    unit: spec.unit,
    keys: specs.map(({ key, label }) => ({ key, label: label.replace(/, mean of the \w+$/, '') })),
    edges,
    runs: runs.map(({ run, data }, i) => ({
      runId: run.summary.id,
      samples: together[i]!.length,
      counts: histogramCounts(together[i]!, edges),
      ecdf: ecdf(together[i]!),
      box: boxOf(together[i]!),
      periods: run.record.overview.periods.map((p) =>
        boxOf(sorted(concatenated(data, p.startMs, p.endMs))),
      ),
    })),
  };
}

/** Values of all series within [fromMs, toMs), end to end. */
function concatenated(
  data: readonly SeriesData[],
  fromMs = -Infinity,
  toMs = Infinity,
): Float64Array {
  const out = new Float64Array(data.reduce((sum, d) => sum + d.value.length, 0));
  let count = 0;
  for (const { tMs, value } of data)
    for (let i = 0; i < value.length; i += 1)
      if (tMs[i]! >= fromMs && tMs[i]! < toMs) {
        out[count] = value[i]!;
        count += 1;
      }
  return out.subarray(0, count);
}
