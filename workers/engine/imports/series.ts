import type { MetricName } from '../../../src/core/metric/metric.ts';
import type { ImportSink } from './types.ts';

/** Which series a value belongs to. */
export interface SeriesOf {
  metric: MetricName;
  unit: string;
  periodMs: number;
  /** Of the load where the file tells of several; default: the tool's own name. */
  name?: string;
  /** Default: 3. */
  decimals?: number;
}
export type PutValue = (of: SeriesOf, tMs: number, value: number | null) => void;

/** Puts values into the series of their load and metric; each is defined with its first value. */
export function createSeries(sink: ImportSink, source: string): PutValue {
  const ids = new Map<string, number>();
  return ({ metric, unit, periodMs, name = source, decimals = 3 }, tMs, value) => {
    if (value === null || !Number.isFinite(value)) return;
    const key = `${metric} ${name}`;
    const id =
      ids.get(key) ??
      sink.define({
        metric,
        unit,
        decimals,
        periodMs,
        source,
        entity: { kind: 'workload', id: name === source ? source : `${source}.${name}`, name },
      });
    ids.set(key, id);
    sink.add(id, tMs, value);
  };
}

/** What the end report of a tool says of its whole run; null where it does not tell it. */
export interface ReportFigures {
  throughput: number | null;
  /** Of the throughput. */
  unit: string;
  errorsPerS?: number | null;
  latencyMeanMs?: number | null;
  latencyP95Ms?: number | null;
  latencyP99Ms?: number | null;
  latencyMaxMs?: number | null;
}

/**
 * One value for each figure of a report, at the end of the time it is the mean of, and a note that
 * there is no more: a curve is never made of it. `seconds` is null where the file does not tell it.
 */
export function putReport(
  sink: ImportSink,
  { source, fileName, startMs }: { source: string; fileName: string; startMs: number },
  seconds: number | null,
  { throughput, unit, errorsPerS = null, ...latencies }: ReportFigures,
): void {
  const put = createSeries(sink, source);
  const tMs = startMs + Math.round((seconds ?? 1) * 1_000);
  const periodMs = Math.max(1_000, Math.round(seconds ?? 1) * 1_000);
  put({ metric: 'throughput', unit, periodMs }, tMs, throughput);
  put({ metric: 'errorRate', unit: 'errors/s', periodMs }, tMs, errorsPerS);
  for (const metric of ['latencyMeanMs', 'latencyP95Ms', 'latencyP99Ms', 'latencyMaxMs'] as const)
    put({ metric, unit: 'ms', periodMs, decimals: 6 }, tMs, latencies[metric] ?? null);
  sink.note(
    `${fileName} holds the report at the end of ${source} and no course of time: one figure each, ` +
      `of ${seconds === null ? 'its whole run, whose length it does not tell' : `its whole run of ${Math.round(seconds * 1_000) / 1_000} s`}. ` +
      'It has no date: its time 0 was put where the import began.',
  );
}
