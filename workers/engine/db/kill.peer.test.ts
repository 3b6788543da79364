import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import BetterSqlite from 'better-sqlite3';

import { demoRecord } from '../../../bench/demoRecord.ts';
import { nightly } from '../../../e2e/lab/nightly.ts';
import type { SeriesDef } from '../../../src/core/metric/metric.ts';
import { createRandom } from '../../../src/core/stats/random.ts';
import { silentLog } from '../deps.ts';
import { migrations } from './migrations/index.ts';
import { openDatabase } from './open.ts';
import { manyMigrations } from './testing/laterMigrations.ts';
import { makeOldFile } from './testing/oldFile.ts';
import type { Database } from './types.ts';

// Deaths at moments drawn anew each time, two hundred at night; the seed is printed, so that a bad
// one can be had again.
const kills = nightly
  ? { run: 120, migrate: 50, part: 20, export: 30 }
  : { run: 40, migrate: 16, part: 6, export: 10 };
const seed = Date.now() % 1_000_000;
const random = createRandom(seed);
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
let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'tb-kill-'));
  process.stdout.write(`kill -9: seed ${seed}\n`);
});
afterAll(() => {
  rmSync(dir, { recursive: true, force: true });
});

/** Starts a victim, kills it `delayMs` after its first word, and gives the last line it printed. */
function killed(mode: keyof typeof kills, dataDir: string, delayMs: number): Promise<string> {
  const child = spawn(
    process.execPath,
    [resolve('workers/engine/db/testing/victim.ts'), mode, dataDir],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let said = '';
  child.stdout.on('data', (bytes: Buffer) => {
    if (said === '') setTimeout(() => child.kill('SIGKILL'), delayMs);
    said += bytes.toString();
  });
  return new Promise((done, failed) => {
    // A line that was cut was not acknowledged.
    child.on('close', (code, signal) =>
      signal === 'SIGKILL'
        ? done(said.split('\n').at(-2) ?? '')
        : failed(new Error(`The victim ended by itself: ${code}`)),
    );
  });
}
const integrity = (dataDir: string): unknown => {
  const raw = new BetterSqlite(join(dataDir, 'tilebench.sqlite'), { readonly: true });
  try {
    return raw.pragma('integrity_check', { simple: true });
  } finally {
    raw.close();
  }
};
/** Seconds stored of a series, each once and none missing. */
function seconds(db: Database): number {
  for (const { tMs, value, seriesId } of db.samples.read('r', [0, 7, 19], {}))
    tMs.forEach((at, i) => {
      if (at !== (i + 1) * 1_000 || value[i] !== i + 1 + seriesId)
        throw new Error(`series ${seriesId}: second ${i + 1} is ${at}, ${value[i]}`);
    });
  return db.samples.read('r', [0], {})[0]!.tMs.length;
}

test(`${kills.run} kills during a run: it opens each time, no acknowledged second is missing, and it goes on`, async () => {
  let folder = '';
  for (let i = 0; i < kills.run; i += 1) {
    // Twelve lives a file: tails, chunks and what an earlier death left are all met.
    if (i % 12 === 0) folder = join(dir, `run-${i}`);
    const acknowledged = Number(await killed('run', folder, random() * 120));
    const db = openDatabase({ dataDir: folder, clock, log });
    expect({
      kill: i,
      enough: seconds(db) >= acknowledged,
      journal: db.samples.journal('r')[0]?.lastTMs,
    }).toEqual({ kill: i, enough: true, journal: seconds(db) * 1_000 });
    db.close();
    expect(integrity(folder)).toBe('ok');
  }
});

function filled(folder: string, versions: number): void {
  const db = openDatabase({
    dataDir: folder,
    clock,
    log,
    migrations: migrations.slice(0, versions),
  });
  db.runs.save(demoRecord('r', series, 1_000, 10));
  db.samples.defineSeries('r', series);
  for (let second = 1; second <= 900; second += 1)
    db.samples.append({
      runId: 'r',
      batch: Float64Array.from(series.flatMap(({ id }) => [id, second * 1_000, second + id])),
      journal: [],
    });
  db.close();
}

test(`${kills.migrate} kills during a migration: it opens, and everything of before is there`, async () => {
  const old = join(dir, 'old');
  // The stores of today need their tables: as old a file as they can fill.
  filled(old, migrations.length);
  let unfinished = 0;
  // How many of them fall into the migration is the machine's affair: until some did.
  for (let i = 0; i < kills.migrate || unfinished < kills.migrate / 5; i += 1) {
    const folder = join(dir, `migrate-${i}`);
    cpSync(old, folder, { recursive: true });
    if ((await killed('migrate', folder, random() * 60)) !== 'done') unfinished += 1;
    const db = openDatabase({ dataDir: folder, clock, log, migrations: manyMigrations });
    expect(seconds(db)).toBe(900);
    db.close();
    expect(integrity(folder)).toBe('ok');
    rmSync(folder, { recursive: true });
  }
});

test(`${kills.part} kills while old records are parted: each is whole or in parts, and the next goes on`, async () => {
  const records = Array.from({ length: 400 }, (_, n) => demoRecord(`r${n}`, series, n, 10));
  let folder = '';
  const left = (): number => {
    const db = openDatabase({ dataDir: folder, clock, log });
    for (const record of records) expect(db.runs.get(record.overview.id)).toEqual(record);
    const count = db.parts.whole().length;
    db.close();
    expect(integrity(folder)).toBe('ok');
    return count;
  };
  const startAnew = (i: number): number => {
    folder = join(dir, `part-${i}`);
    mkdirSync(folder);
    makeOldFile(folder, records);
    expect(left()).toBe(records.length);
    return records.length;
  };
  let before = 0;
  let midway = 0;
  // How many of them fall between two records is the machine's affair: until one did.
  for (let i = 0; i < kills.part || midway === 0; i += 1) {
    if (i === 0 || (before === 0 && midway === 0)) before = startAnew(i);
    await killed('part', folder, random() * 60);
    const now = left();
    // Its first word is a record that was parted.
    expect(now === 0 || now < before).toBe(true);
    if (now > 0 && now < before) midway += 1;
    before = now;
  }
});

test(`${kills.export} kills during an export: the database is as it was, and a file by its name is whole`, async () => {
  const folder = join(dir, 'export');
  filled(folder, migrations.length);
  let whole: string | null = null;
  // Until one was written, too: a slow machine takes longer than a victim lives at first.
  for (let i = 0; i < kills.export || whole === null; i += 1) {
    await killed('export', folder, random() * (150 + 50 * i));
    const file = join(folder, 'out.csv');
    if (existsSync(file)) {
      whole ??= readFileSync(file, 'utf8');
      expect(readFileSync(file, 'utf8')).toBe(whole);
    }
    const db = openDatabase({ dataDir: folder, clock, log });
    expect(seconds(db)).toBe(900);
    db.close();
    expect(integrity(folder)).toBe('ok');
  }
  expect(whole?.split('\r\n').length).toBe(900 * series.length + 2);
});
