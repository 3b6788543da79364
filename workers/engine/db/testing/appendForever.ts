import { demoRecord } from '../../../../bench/demoRecord.ts';
import type { SeriesDef } from '../../../../src/core/metric/metric.ts';
import { silentLog } from '../../deps.ts';
import { openDatabase } from '../open.ts';

/**
 * Appends a second after the other and prints each once it is acknowledged, until somebody kills
 * it.
 */
const log = silentLog;
const db = openDatabase({
  dataDir: process.argv[2]!,
  clock: { now: () => Date.now(), sleep: () => Promise.resolve() },
  log,
});
const series: SeriesDef[] = Array.from({ length: 20 }, (_, id) => ({
  id,
  metric: 'throughput',
  unit: 'tps',
  source: 's',
  periodMs: 1_000,
  decimals: 2,
  lagMs: 0,
  entity: { kind: 'workload', id: `w${id}`, name: `w${id}` },
}));
db.runs.save(demoRecord('r', series, 1_000, 10));
db.samples.defineSeries('r', series);
for (let second = 1; second < 100_000; second += 1) {
  db.samples.append({
    runId: 'r',
    batch: Float64Array.from(series.flatMap(({ id }) => [id, second * 1_000, second + id])),
    journal: [{ key: 'job', resume: { offset: second }, lastTMs: second * 1_000 }],
  });
  process.stdout.write(`${second}\n`);
}
