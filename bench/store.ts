import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import BetterSqlite from 'better-sqlite3';

import type { SeriesDef } from '../src/core/metric/metric.ts';
import { openDatabase } from '../workers/engine/db/open.ts';
import { silentLog } from '../workers/engine/deps.ts';
import { demoRecord } from './demoRecord.ts';
import type { BenchResult } from './row.ts';

/** The design point: 20 tiles × 6 workloads × 3 metrics, 64 hosts × 4, 100 LUNs × 2, power. */
export const seriesCount = 960;
const hours = Number(process.env['BENCH_HOURS'] ?? 1);
const log = silentLog;
const clock = { now: () => Date.now(), sleep: () => Promise.resolve() };

/** One second of all series: a rate around 1,000 with two decimals, as drivers print it. */
export function secondOf(tMs: number): Float64Array {
  const batch = new Float64Array(seriesCount * 3);
  for (let id = 0; id < seriesCount; id += 1) {
    batch[id * 3] = id;
    batch[id * 3 + 1] = tMs;
    batch[id * 3 + 2] =
      Math.round(
        (1_000 +
          40 * Math.sin(tMs / 7_000 + id) +
          ((id * 7_919 + (tMs / 1_000) * 104_729) % 200) / 10) *
          100,
      ) / 100;
  }
  return batch;
}

const timed = <T>(work: () => T): { ms: number; value: T } => {
  const start = performance.now();
  const value = work();
  return { ms: performance.now() - start, value };
};

/**
 * Anchor: a row a sample, one prepared insert, one transaction a second, as one would write it
 * first.
 */
function rowsASample(dir: string, startMs: number, seconds: number): number {
  const db = new BetterSqlite(join(dir, 'rows.sqlite'));
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  db.exec(
    'CREATE TABLE samples (series_id INTEGER NOT NULL, t_ms INTEGER NOT NULL, value REAL NOT NULL) STRICT',
  );
  const insert = db.prepare('INSERT INTO samples VALUES (?, ?, ?)');
  const second = db.transaction((batch: Float64Array) => {
    for (let i = 0; i < batch.length; i += 3) insert.run(batch[i]!, batch[i + 1]!, batch[i + 2]!);
  });
  const batches = Array.from({ length: seconds }, (_, s) => secondOf(startMs + s * 1_000));
  const { ms } = timed(() => {
    for (const batch of batches) second(batch);
  });
  db.close();
  return ((seconds * seriesCount) / ms) * 1_000;
}

const benchSeries = (): SeriesDef[] =>
  Array.from({ length: seriesCount }, (_, id) => ({
    id,
    metric: 'throughput',
    unit: 'tps',
    source: 'bench',
    periodMs: 1_000,
    decimals: 2,
    lagMs: 0,
    entity: {
      kind: 'workload',
      id: `t${Math.floor(id / 18)}.w${id % 18}`,
      name: `Series ${id}`,
      tile: Math.floor(id / 18),
    },
  }));

type Db = ReturnType<typeof openDatabase>;

/** Appends so many seconds of all series, a transaction a second: ms that it took. */
function appendAll(db: Db, startMs: number, seconds: number): number {
  let spentMs = 0;
  for (let block = 0; block < seconds; block += 300) {
    const batches = Array.from({ length: Math.min(300, seconds - block) }, (_, s) =>
      secondOf(startMs + (block + s) * 1_000),
    );
    spentMs += timed(() => {
      for (const batch of batches)
        db.samples.append({
          runId: 'run-0',
          batch,
          journal: [{ key: 'job', resume: { offset: 1 }, lastTMs: batch[1]! }],
        });
    }).ms;
  }
  return spentMs;
}

/** What charts read, timed in this order: the first meets a cold cache. */
function readCharts({ samples }: Db) {
  const first = timed(() =>
    samples.read(
      'run-0',
      Array.from({ length: 20 }, (_, i) => i * 18),
      { maxPoints: 2_000 },
    ),
  );
  const warm = timed(() => {
    for (let i = 0; i < 100; i += 1) samples.read('run-0', [i], { maxPoints: 0 });
  });
  const forty = timed(() =>
    samples.read(
      'run-0',
      Array.from({ length: 40 }, (_, i) => i),
      { maxPoints: 1_000 },
    ),
  );
  const compared = timed(() => {
    for (let i = 0; i < 8; i += 1)
      samples.read(
        'run-0',
        Array.from({ length: 12 }, (_, k) => i * 12 + k),
        { maxPoints: 2_000 },
      );
  });
  return { first, warm, forty, compared };
}

export async function run(): Promise<BenchResult[]> {
  const dir = mkdtempSync(join(tmpdir(), 'tb-bench-store-'));
  try {
    const startMs = 1_700_000_000_000;
    const seconds = hours * 3_600;
    const anchor = rowsASample(dir, startMs, 300);
    const dataDir = join(dir, 'data');
    let db = openDatabase({ dataDir, clock, log });
    const series = benchSeries();
    db.runs.save(demoRecord('run-0', series, startMs, seconds));
    db.samples.defineSeries('run-0', series);
    let spent = appendAll(db, startMs, seconds);
    const rate = ((seconds * seriesCount) / spent) * 1_000;
    spent += timed(() => db.samples.finish('run-0')).ms;
    db.close();
    const bytes = statSync(join(dataDir, 'tilebench.sqlite')).size;

    db = openDatabase({ dataDir, clock, log });
    const { first, warm, forty, compared } = readCharts(db);
    for (let i = 1; i <= 1_000; i += 1)
      db.runs.save(demoRecord(`run-${i}`, series.slice(0, 40), startMs + i * 1e6, 600));
    const listed = timed(() => db.runs.list().filter((summary) => summary.name.includes('7')));
    db.close();
    const msamples = (value: number): number => value / 1e6;
    return [
      {
        name:
          `Store: ${seriesCount} series at 1 Hz for ${hours} h ` +
          `(${((seconds * seriesCount) / 1e6).toFixed(2)} M samples), synchronous=FULL`,
        rows: [
          {
            label: 'anchor: a row a sample, a transaction a second',
            value: msamples(anchor),
            unit: 'Msamples/s',
          },
          {
            label: 'tail and chunks, a transaction a second (anchor ÷ ours)',
            value: msamples(rate),
            unit: 'Msamples/s',
            ratio: anchor / rate,
            budget: 0.4,
          },
          {
            label: 'pipeline to disk at 1 Hz',
            value: (spent / (seconds * 1_000)) * 100,
            unit: '% of a core',
            budget: 5,
          },
          {
            label: 'size, indexes and rollups included',
            value: bytes / (seconds * seriesCount),
            unit: 'bytes/sample',
            budget: 3.5,
          },
          { label: 'first chart of 20 series, cold', value: first.ms, unit: 'ms', budget: 60 },
          { label: 'one whole series, warm', value: warm.ms / 100, unit: 'ms' },
          { label: '40 series × 1,000 points', value: forty.ms, unit: 'ms' },
          { label: '8 runs × 12 series', value: compared.ms, unit: 'ms', budget: 150 },
          { label: 'history of 1,000 runs, filtered', value: listed.ms, unit: 'ms', budget: 50 },
        ],
      },
    ];
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
