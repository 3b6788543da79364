import { demoRecord } from '../../../../bench/demoRecord.ts';
import type { SeriesDef } from '../../../../src/core/metric/metric.ts';
import type { RunRecord } from '../../../../src/core/run/run.ts';
import type { Database } from '../../db/types.ts';

export interface StoredRun {
  id: string;
  name: string;
  hosts?: readonly string[];
  findings?: readonly string[];
  /** On the time axis. */ notes?: readonly string[];
  testbed?: string;
  startMs?: number;
  /** Seconds of samples, one a second a series. */ seconds?: number;
  workloads?: number;
  change?: (record: RunRecord) => RunRecord;
}

/** Puts a run that ended into the database, with `seconds` samples of every series. */
export function storedRun(
  db: Database,
  {
    id,
    name,
    hosts = [],
    findings = [],
    notes = [],
    testbed = 'Bed',
    startMs = 1_000,
    seconds = 0,
    workloads = 1,
    change = (record) => record,
  }: StoredRun,
): void {
  const entities: SeriesDef['entity'][] = [
    ...Array.from({ length: workloads }, (_, i) => ({
      kind: 'workload' as const,
      id: `w${i}`,
      name: `w${i}`,
    })),
    ...hosts.map((host, i) => ({ kind: 'host' as const, id: `h${i}`, name: host })),
  ];
  const series: SeriesDef[] = entities.map((entity, i) => ({
    id: i,
    metric: entity.kind === 'host' ? 'cpuPct' : 'throughput',
    unit: 'x',
    source: 's',
    periodMs: entity.kind === 'host' ? 20_000 : 1_000,
    decimals: 2,
    lagMs: 0,
    entity,
  }));
  const record = demoRecord(id, series, startMs, Math.max(60, seconds));
  const written = change({
    ...record,
    testbed: { ...record.testbed, name: testbed },
    overview: {
      ...record.overview,
      name,
      findings: findings.map((text, i) => ({ id: `f${i}`, severity: 'info', text, tMs: startMs })),
      events: notes.map((text, i) => ({ id: i, kind: 'note', tMs: startMs, text })),
    },
  });
  db.runs.save(written);
  db.samples.defineSeries(id, series);
  for (let from = 1; from <= seconds; from += 300) {
    const batch: number[] = [];
    for (let second = from; second < from + 300 && second <= seconds; second += 1)
      for (const one of series) batch.push(one.id, startMs + second * 1_000, second + one.id);
    db.samples.append({ runId: id, batch: Float64Array.from(batch), journal: [] });
  }
  db.samples.finish(id);
  db.runs.save(written);
}
