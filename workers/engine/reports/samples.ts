import type { AggregateSeries, ReadSeries } from '../../../src/core/report/runCharts.ts';
import { reportPoints } from '../../../src/core/report/runReport.ts';
import type { SampleStore } from '../db/types.ts';

/** Samples of a stored run for its report, decimated to what a picture can show. */
export const reportSamples = (
  samples: Pick<SampleStore, 'read' | 'aggregate'>,
  runId: string,
): { read: ReadSeries; aggregate: AggregateSeries } => ({
  read: (seriesId) =>
    samples.read(runId, [seriesId], { maxPoints: reportPoints })[0] ?? {
      tMs: new Float64Array(),
      value: new Float64Array(),
    },
  aggregate: (seriesId, fromMs, toMs) => samples.aggregate(runId, seriesId, fromMs, toMs),
});
