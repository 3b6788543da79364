import BetterSqlite from 'better-sqlite3';
import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SeriesDef } from '../src/shared/metric.ts';
import { openDatabase } from '../workers/engine/db/open.ts';
import { csvHeader, csvOfSeries } from '../workers/engine/exports/csv.ts';
import { demoRecord } from './demoRecord.ts';
import type { BenchResult } from './row.ts';
import { secondOf, seriesCount } from './store.ts';

const seconds = 1_800;
const startMs = 1_700_000_000_000;
const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const clock = { now: () => Date.now(), sleep: () => Promise.resolve() };

/** Anchor: the same samples as rows, written by sqlite3's own .mode csv. */
function sqliteCsv(dir: string): number {
  const path = join(dir, 'rows.sqlite');
  const db = new BetterSqlite(path);
  db.exec('CREATE TABLE samples (t_ms INTEGER, entity TEXT, metric TEXT, value REAL)');
  const insert = db.prepare('INSERT INTO samples VALUES (?, ?, ?, ?)');
  db.transaction(() => { for (let s = 0; s < seconds; s += 1) { const batch = secondOf(startMs + s * 1_000); for (let i = 0; i < batch.length; i += 3) insert.run(batch[i + 1]!, `Series ${batch[i]!}`, 'throughput', batch[i + 2]!); } })();
  db.close();
  const start = performance.now();
  execFileSync('sqlite3', [path, '-cmd', '.mode csv', '-cmd', `.output ${join(dir, 'anchor.csv')}`, 'SELECT * FROM samples'], { stdio: 'ignore' });
  return performance.now() - start;
}

export async function run(): Promise<BenchResult[]> {
  const dir = mkdtempSync(join(tmpdir(), 'tb-bench-export-'));
  try {
    const anchorMs = sqliteCsv(dir);
    const db = openDatabase({ dataDir: join(dir, 'data'), clock, log });
    const series: SeriesDef[] = Array.from({ length: seriesCount }, (_, id) => ({ id, metric: 'throughput', unit: 'tps', source: 'bench', periodMs: 1_000, decimals: 2, lagMs: 0, entity: { kind: 'workload', id: `t${id}.w`, name: `Series ${id}`, tile: id } }));
    const record = demoRecord('run-0', series, startMs, seconds);
    db.runs.save(record);
    db.samples.defineSeries('run-0', series);
    for (let s = 0; s < seconds; s += 1) db.samples.append({ runId: 'run-0', batch: secondOf(startMs + s * 1_000), journal: [] });
    db.samples.finish('run-0');
    const before = process.memoryUsage.rss();
    let peak = before;
    const start = performance.now();
    const file = openSync(join(dir, 'ours.csv'), 'w');
    writeSync(file, csvHeader);
    for (const def of series) {
      const [data] = db.samples.read('run-0', [def.id], { maxPoints: 0 });
      writeSync(file, csvOfSeries(record, def, data!));
      peak = Math.max(peak, process.memoryUsage.rss());
    }
    closeSync(file);
    const oursMs = performance.now() - start;
    db.close();
    const samples = seconds * seriesCount;
    return [{ name: `Export: CSV of ${(samples / 1e6).toFixed(2)} M samples (${(statSync(join(dir, 'ours.csv')).size / 1e6).toFixed(0)} MB)`, rows: [
      { label: "anchor: sqlite3's .mode csv, four columns", value: samples / anchorMs / 1_000, unit: 'Msamples/s' },
      { label: 'ours, ten columns (ours ÷ anchor time)', value: samples / oursMs / 1_000, unit: 'Msamples/s', ratio: oursMs / anchorMs, budget: 1 / 3 },
      { label: 'memory added while exporting', value: (peak - before) / 2 ** 20, unit: 'MiB', budget: 200 },
    ] }];
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
