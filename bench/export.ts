import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import BetterSqlite from 'better-sqlite3';

import type { SeriesDef } from '../src/core/metric/metric.ts';
import type { RunRecord } from '../src/core/run/run.ts';
import { openDatabase } from '../workers/engine/db/open.ts';
import type { Database } from '../workers/engine/db/types.ts';
import { silentLog } from '../workers/engine/deps.ts';
import { createExporter } from '../workers/engine/exports/page.ts';
import { demoRecord } from './demoRecord.ts';
import type { BenchResult } from './row.ts';
import { secondOf, seriesCount } from './store.ts';

/** Half an hour of all series; `BENCH_HOURS=4` is the design point of 13.8 M samples. */
const seconds = Number(process.env['BENCH_HOURS'] ?? 0.5) * 3_600;
const startMs = 1_700_000_000_000;
const log = silentLog;
const clock = { now: () => Date.now(), sleep: () => Promise.resolve() };

/** Anchor: the same samples as rows, written by sqlite3's own .mode csv. */
function sqliteCsv(dir: string): number {
  const path = join(dir, 'rows.sqlite');
  const db = new BetterSqlite(path);
  db.exec('CREATE TABLE samples (t_ms INTEGER, entity TEXT, metric TEXT, value REAL)');
  const insert = db.prepare('INSERT INTO samples VALUES (?, ?, ?, ?)');
  db.transaction(() => {
    for (let s = 0; s < seconds; s += 1) {
      const batch = secondOf(startMs + s * 1_000);
      for (let i = 0; i < batch.length; i += 3)
        insert.run(batch[i + 1]!, `Series ${batch[i]!}`, 'throughput', batch[i + 2]!);
    }
  })();
  db.close();
  const start = performance.now();
  execFileSync(
    'sqlite3',
    [
      path,
      '-cmd',
      '.mode csv',
      '-cmd',
      `.output ${join(dir, 'anchor.csv')}`,
      'SELECT * FROM samples',
    ],
    { stdio: 'ignore' },
  );
  return performance.now() - start;
}

/** An export to a file, page by page. */
function exported(
  db: Database,
  record: RunRecord,
  format: 'csv' | 'parquet',
  path: string,
): { ms: number; addedBytes: number } {
  const before = process.memoryUsage.rss();
  let peak = before;
  const start = performance.now();
  const exporter = createExporter(db);
  const file = openSync(path, 'w');
  for (let cursor: string | null = null; ;) {
    const page: { bytes: Uint8Array; cursor: string | null } = exporter.page(
      record,
      format,
      cursor,
    );
    writeSync(file, page.bytes);
    peak = Math.max(peak, process.memoryUsage.rss());
    if ((cursor = page.cursor) === null) break;
  }
  closeSync(file);
  return { ms: performance.now() - start, addedBytes: peak - before };
}

export async function run(): Promise<BenchResult[]> {
  const dir = mkdtempSync(join(tmpdir(), 'tb-bench-export-'));
  try {
    const anchorMs = sqliteCsv(dir);
    const db = openDatabase({ dataDir: join(dir, 'data'), clock, log });
    const series: SeriesDef[] = Array.from({ length: seriesCount }, (_, id) => ({
      id,
      metric: 'throughput',
      unit: 'tps',
      source: 'bench',
      periodMs: 1_000,
      decimals: 2,
      lagMs: 0,
      entity: { kind: 'workload', id: `t${id}.w`, name: `Series ${id}`, tile: id },
    }));
    const record = demoRecord('run-0', series, startMs, seconds);
    db.runs.save(record);
    db.samples.defineSeries('run-0', series);
    for (let s = 0; s < seconds; s += 1)
      db.samples.append({ runId: 'run-0', batch: secondOf(startMs + s * 1_000), journal: [] });
    db.samples.finish('run-0');
    const csv = exported(db, record, 'csv', join(dir, 'ours.csv'));
    const parquet = exported(db, record, 'parquet', join(dir, 'ours.parquet'));
    db.close();
    const samples = seconds * seriesCount;
    const rate = (ms: number): number => samples / ms / 1_000;
    const megabytes = (name: string): string => (statSync(join(dir, name)).size / 1e6).toFixed(0);
    return [
      {
        name:
          `Export: ${(samples / 1e6).toFixed(2)} M samples to a file, by pages as the console ` +
          'and the command line ask for them',
        rows: [
          {
            label: "anchor: sqlite3's .mode csv, four columns",
            value: rate(anchorMs),
            unit: 'Msamples/s',
          },
          {
            label: `CSV, ten columns, ${megabytes('ours.csv')} MB (ours ÷ anchor time)`,
            value: rate(csv.ms),
            unit: 'Msamples/s',
            ratio: csv.ms / anchorMs,
            budget: 1 / 3,
          },
          {
            label: 'memory added while exporting CSV',
            value: csv.addedBytes / 2 ** 20,
            unit: 'MiB',
            budget: 200,
          },
          {
            label: `Parquet, fourteen columns, ${megabytes('ours.parquet')} MB (ours ÷ anchor time)`,
            value: rate(parquet.ms),
            unit: 'Msamples/s',
            ratio: parquet.ms / anchorMs,
          },
          {
            label: 'memory added while exporting Parquet',
            value: parquet.addedBytes / 2 ** 20,
            unit: 'MiB',
            budget: 200,
          },
        ],
      },
    ];
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
