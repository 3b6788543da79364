import { flushCompileCache } from 'node:module';
import { join } from 'node:path';

import { demoRecord } from '../../../../bench/demoRecord.ts';
import type { SeriesDef } from '../../../../src/core/metric/metric.ts';
import { writeWhole } from '../../../cli/wholeFile.ts';
import { silentLog } from '../../deps.ts';
import { createExporter } from '../../exports/page.ts';
import { openDatabase } from '../open.ts';
import { manyMigrations } from './laterMigrations.ts';

/**
 * Works on a database until somebody kills it: `run` appends seconds and prints each once it is
 * acknowledged, `migrate` brings a file many versions on, `part` parts the records of an old one,
 * `export` writes CSV files.
 */
// Who is killed keeps nothing at its end of what was compiled for it.
flushCompileCache();
const [mode, dataDir] = process.argv.slice(2) as ['run' | 'migrate' | 'part' | 'export', string];
const log = silentLog;
const clock = { now: () => Date.now(), sleep: () => Promise.resolve() };
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

if (mode === 'run') {
  const db = openDatabase({ dataDir, clock, log });
  if (db.runs.get('r') === null) {
    db.runs.save(demoRecord('r', series, 1_000, 10));
    db.samples.defineSeries('r', series);
  }
  for (let second = (db.samples.read('r', [0], {})[0]?.tMs.length ?? 0) + 1; ; second += 1) {
    db.samples.append({
      runId: 'r',
      batch: Float64Array.from(series.flatMap(({ id }) => [id, second * 1_000, second + id])),
      journal: [{ key: 'job', resume: { offset: second }, lastTMs: second * 1_000 }],
    });
    process.stdout.write(`${second}\n`);
  }
}
if (mode === 'migrate') {
  process.stdout.write('0\n');
  openDatabase({ dataDir, clock, log, migrations: manyMigrations }).close();
  process.stdout.write('done\n');
  // Stays until it is killed, whatever it was doing.
  setInterval(() => undefined, 60_000);
}
if (mode === 'part') {
  const db = openDatabase({ dataDir, clock, log });
  for (const id of db.parts.whole()) if (db.parts.part(id)) process.stdout.write(`${id}\n`);
  process.stdout.write('done\n');
  setInterval(() => undefined, 60_000);
}
if (mode === 'export') {
  const db = openDatabase({ dataDir, clock, log });
  const record = db.runs.get('r')!;
  const exporter = createExporter(db);
  async function* pages(): AsyncGenerator<Uint8Array> {
    for (let cursor: string | null = null; ;) {
      const page: { bytes: Uint8Array; cursor: string | null } = exporter.page(
        record,
        'csv',
        cursor,
      );
      yield page.bytes;
      if ((cursor = page.cursor) === null) return;
    }
  }
  for (let n = 1; ; n += 1) {
    await writeWhole(join(dataDir, 'out.csv'), pages());
    process.stdout.write(`${n}\n`);
  }
}
