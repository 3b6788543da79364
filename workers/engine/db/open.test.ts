import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import BetterSqlite from 'better-sqlite3';

import { demoRecord } from '../../../bench/demoRecord.ts';
import type { SeriesDef } from '../../../src/core/metric/metric.ts';
import { profileSchema } from '../../../src/core/profile/profile.ts';
import { studySpecSchema } from '../../../src/core/study/study.ts';
import { createFakeClock } from '../testing/fakeClock.ts';
import { listBackups } from './backups.ts';
import { type Migration, migrations as shipped } from './migrations/index.ts';
import { openDatabase } from './open.ts';
import type { Database } from './types.ts';

const said: string[] = [];
const log = {
  debug: () => undefined,
  info: () => undefined,
  warn: (text: string) => {
    said.push(text);
  },
  error: (text: string) => {
    said.push(text);
  },
};
let now = 1_700_000_000_000;
const clock = { now: () => now, sleep: () => Promise.resolve() };
let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'tb-open-'));
  said.length = 0;
});
afterEach(() => {
  rmSync(dir, { recursive: true, force: true });
});
const open = (migrations: readonly Migration[] = shipped): Database =>
  openDatabase({ dataDir: dir, clock, log, migrations });
const path = (): string => join(dir, 'tilebench.sqlite');
const onFile = <T>(work: (raw: BetterSqlite.Database) => T): T => {
  const raw = new BetterSqlite(path());
  try {
    return work(raw);
  } finally {
    raw.close();
  }
};
const versionOf = (): unknown => onFile((raw) => raw.pragma('user_version', { simple: true }));
const addColumn =
  (name: string): Migration =>
  (db) => {
    db.exec(`ALTER TABLE plans ADD COLUMN ${name} TEXT`);
  };
const series: SeriesDef[] = [
  {
    id: 0,
    metric: 'throughput',
    unit: 'tps',
    source: 's',
    periodMs: 1_000,
    decimals: 2,
    lagMs: 0,
    entity: { kind: 'workload', id: 'w', name: 'w' },
  },
];
const withRun = (db: Database, id = 'r'): void => {
  db.runs.save(demoRecord(id, series, 1_000, 10));
  db.samples.defineSeries(id, series);
};

test('a file is copied before each migration, the copy is as it was, and five copies are kept', () => {
  const first = open();
  first.connections.save({
    kind: 'client',
    id: 'a',
    name: 'a',
    host: 'h',
    port: 22,
    user: 'u',
    auth: { method: 'agent' },
  });
  first.close();
  let all: readonly Migration[] = shipped;
  for (let i = 0; i < 6; i += 1) {
    all = [...all, addColumn(`extra_${i}`)];
    now += 1_000;
    const db = open(all);
    expect(db.openedWith.migratedFrom).toBe(all.length - 1);
    expect(db.connections.list().map((c) => c.id)).toEqual(['a']);
    const copy = new BetterSqlite(db.openedWith.backup!, { readonly: true });
    expect(copy.pragma('user_version', { simple: true })).toBe(all.length - 1);
    expect(copy.prepare('SELECT id FROM connections').all()).toEqual([{ id: 'a' }]);
    copy.close();
    expect(statSync(db.openedWith.backup!).mode & 0o777).toBe(0o600);
    db.close();
  }
  const kept = readdirSync(join(dir, 'backups')).map((name) =>
    Number(/^schema(\d+)-/.exec(name)![1]),
  );
  expect(kept.sort((a, b) => a - b)).toEqual(
    [1, 2, 3, 4, 5].map((after) => shipped.length + after),
  );
});

test('a file from before there were own profiles takes them, and loses nothing', () => {
  const raw = new BetterSqlite(path());
  shipped[0]!(raw);
  raw.pragma('user_version = 1');
  raw.exec(
    'INSERT INTO testbeds (id, name, json) VALUES (\'t\', \'t\', \'{"id":"t","name":"t","profileId":"x","vcenterId":null,"tiles":[]}\')',
  );
  raw.close();
  const after = open();
  expect(after.testbeds.list().map((t) => t.id)).toEqual(['t']);
  expect(after.profiles.list()).toEqual([]);
  const own = profileSchema.parse({
    schemaVersion: 1,
    id: 'own',
    version: '1.0.4',
    name: 'Own',
    description: '',
    phases: { rampUpS: 0, staggerS: 0, steadyS: 60, periods: 1, rampDownS: 0 },
    workloads: [
      {
        id: 'io',
        role: 'io',
        name: 'I/O',
        driver: 'fio',
        unit: 'IOPS',
        reference: null,
        referenceSource: 'not set',
      },
    ],
    scoring: { tile: 'geometricMean', total: 'sum', periods: 'median', source: 's' },
  });
  // Its version is text that the service counts on; the store keeps it as it came.
  expect(after.profiles.save(own)).toEqual(own);
  after.close();
  const again = open();
  expect(again.profiles.get('own')).toEqual(own);
  again.close();
});

test('a file from before there were studies takes them; a study goes with its progress and points', () => {
  const raw = new BetterSqlite(path());
  for (const migration of shipped.slice(0, 2)) migration(raw);
  raw.pragma('user_version = 2');
  raw.exec("INSERT INTO plans (id, name, json) VALUES ('p', 'p', '{}')");
  raw.close();
  const spec = studySpecSchema.parse({
    schemaVersion: 1,
    id: 's',
    name: 'S',
    planId: 'p',
    axes: [{ name: 'tiles', label: 'Tiles', parameter: { kind: 'tiles' }, values: [1, 2] }],
  });
  const progress = {
    state: 'running' as const,
    rev: 1,
    detail: '',
    activeKey: null,
    startedAtMs: 1,
    endedAtMs: null,
    only: null,
    confirmed: {},
    lastEndMs: null,
  };
  const points = [1, 2].map((tiles) => ({
    key: `tiles=${tiles};repeat=1`,
    values: { tiles },
    repeat: 1,
    state: 'pending' as const,
    runId: null,
    earlierRunIds: [],
    detail: '',
    measures: { score: null },
  }));
  const after = open();
  expect(after.studies.save(spec)).toEqual({ ...spec, version: 1 });
  after.studies.saveProgress(
    's',
    progress,
    points.map((point, place) => ({ place, point })),
    2,
  );
  after.studies.saveProgress(
    's',
    { ...progress, rev: 2 },
    [{ place: 0, point: { ...points[0]!, state: 'running' } }],
    1,
  );
  after.close();
  const again = open();
  expect(again.studies.progress('s')).toEqual({
    progress: { ...progress, rev: 2 },
    points: [{ ...points[0], state: 'running' }],
  });
  again.studies.remove('s');
  expect([again.studies.get('s'), again.studies.progress('s')]).toEqual([null, null]);
  again.close();
  const left = new BetterSqlite(path());
  expect(left.prepare('SELECT count(*) AS n FROM study_points').get()).toEqual({ n: 0 });
  left.close();
});

test('a file from before testbeds had versions keeps what is there as the first of them', () => {
  const raw = new BetterSqlite(path());
  for (const migration of shipped.slice(0, 3)) migration(raw);
  raw.pragma('user_version = 3');
  const put = raw.prepare('INSERT INTO testbeds (id, name, json) VALUES (?, ?, ?)');
  put.run(
    't',
    't',
    '{"id":"t","name":"t","version":7,"profileId":"x","vcenterId":null,"tiles":[]}',
  );
  put.run('odd', 'odd', 'no JSON');
  raw.close();
  const after = open();
  expect(
    after.testbeds.versions('t').map(({ savedAtMs, testbed }) => [testbed.version, savedAtMs]),
  ).toEqual([[7, null]]);
  expect(after.testbeds.versions('odd')).toEqual([]);
  after.close();
});

test('of a testbed the last fifty states are kept; a job in a row is one; removed and saved again, it counts on', () => {
  const db = open();
  const bed = (name: string) => ({
    id: 't',
    name,
    version: 0,
    profileId: 'x',
    vcenterId: null,
    powerIds: [],
    tiles: [],
    notes: '',
  });
  for (let i = 1; i <= 60; i += 1) {
    now += 1_000;
    db.testbeds.save(bed(`state ${i}`));
  }
  expect(db.testbeds.versions('t').map(({ testbed }) => testbed.name)).toEqual(
    Array.from({ length: 50 }, (_, i) => `state ${60 - i}`),
  );
  expect([db.testbeds.version('t', 10), db.testbeds.version('t', 11)?.name]).toEqual([
    null,
    'state 11',
  ]);
  for (let i = 0; i < 70; i += 1) db.testbeds.saveFor(bed(`made ${i}`), 'job-1');
  expect(
    db.testbeds
      .versions('t')
      .slice(0, 3)
      .map(({ testbed, origin, savedAtMs }) => [testbed.version, testbed.name, origin, savedAtMs]),
  ).toEqual([
    [130, 'made 69', 'job-1', now],
    [60, 'state 60', '', now],
    [59, 'state 59', '', now - 1_000],
  ]);
  db.testbeds.remove('t');
  expect(db.testbeds.save(bed('back')).version).toBe(131);
  expect(db.testbeds.versions('t')).toHaveLength(50);
  db.testbeds.remove('t');
  now += 8 * 86_400_000;
  db.testbeds.save({ ...bed('other'), id: 'o' });
  db.testbeds.remove('o');
  expect([db.testbeds.versions('t').length, db.testbeds.versions('o').length]).toEqual([0, 1]);
  db.close();
});

test('a new file is made without a copy', () => {
  const db = open();
  expect(db.openedWith).toEqual({ migratedFrom: null, backup: null });
  db.close();
  expect(readdirSync(dir)).toEqual(['engine-lock.sqlite', 'reserve.bin', 'tilebench.sqlite']);
});

test('a migration that fails leaves the file as it was, names the copy, and the folder is free again', () => {
  open().close();
  const broken: Migration = (db) => {
    db.exec('CREATE TABLE half (a TEXT) STRICT');
    throw new Error('no such luck');
  };
  expect(() => open([...shipped, broken])).toThrow(
    expect.objectContaining({
      kind: 'internal',
      message: expect.stringContaining('no such luck'),
      hint: expect.stringContaining('backups'),
    }),
  );
  expect(versionOf()).toBe(shipped.length);
  expect(
    onFile((raw) => raw.prepare("SELECT name FROM sqlite_schema WHERE name = 'half'").all()),
  ).toEqual([]);
  open().close();
});

test('a damaged page of the documents is found when the file is opened', () => {
  const db = open();
  for (let i = 0; i < 50; i += 1)
    db.connections.save({
      kind: 'client',
      id: `c${i}`,
      name: `c${i}`,
      host: 'h'.repeat(200),
      port: 22,
      user: 'u',
      auth: { method: 'agent' },
    });
  db.close();
  const page = onFile(
    (raw) =>
      raw
        .prepare<[], { rootpage: number }>(
          "SELECT rootpage FROM sqlite_schema WHERE name = 'connections'",
        )
        .get()!.rootpage,
  );
  const bytes = readFileSync(path());
  bytes.fill(0xa5, (page - 1) * 4_096, page * 4_096);
  writeFileSync(path(), bytes);
  expect(() => open()).toThrow(
    expect.objectContaining({
      kind: 'internal',
      message: expect.stringContaining('tilebench.sqlite cannot be opened'),
      // Nothing was ever copied: no copy is promised.
      hint: expect.stringContaining('There is no copy'),
    }),
  );
  expect(readdirSync(dir)).not.toContain('engine.lock');
});

test('a database that may not be opened is not called damaged', () => {
  mkdirSync(join(dir, 'tilebench.sqlite'));
  expect(() => open()).toThrow(
    expect.objectContaining({
      kind: 'internal',
      message: expect.stringContaining('tilebench.sqlite cannot be opened'),
      hint: expect.stringMatching(/^The file may be whole\. Check its owner and permissions/),
    }),
  );
});

test('the write-ahead log is readable by its owner only, also in a folder that is open to all', () => {
  chmodSync(dir, 0o755);
  const before = process.umask(0o000);
  try {
    const db = open();
    withRun(db);
    const files = readdirSync(dir).filter((name) => name.startsWith('tilebench.sqlite'));
    expect(files).toContain('tilebench.sqlite-wal');
    for (const name of files)
      expect([name, statSync(join(dir, name)).mode & 0o777]).toEqual([name, 0o600]);
    db.close();
  } finally {
    process.umask(before);
  }
});

test('rows that are no JSON or no longer parse are logged and left out; the others stay; asked for by id they are named', () => {
  const db = open();
  withRun(db, 'good');
  withRun(db, 'bad');
  const job = {
    runId: 'good',
    clientId: 'c',
    entityId: 'w',
    handle: { runId: 'good', jobId: 'j', dir: '/d', pgid: 1, startMs: 1 },
    offsetMs: 0,
    ended: false,
  };
  db.runs.saveJob({ ...job, jobId: 'j1' });
  db.runs.saveJob({ ...job, jobId: 'j2' });
  for (const key of ['k1', 'k2'])
    db.samples.append({
      runId: 'good',
      batch: new Float64Array(0),
      journal: [{ key, resume: { offset: 7 }, lastTMs: 5 }],
    });
  db.testbeds.save({
    id: 't',
    name: 't',
    version: 0,
    profileId: 'x',
    vcenterId: null,
    powerIds: [],
    tiles: [],
    notes: '',
  });
  db.close();
  onFile((raw) =>
    raw.exec(`
    UPDATE runs SET summary_json = '{', record_json = '{"overview":1}', ended = 0 WHERE id = 'bad';
    UPDATE runs SET ended = 0 WHERE id = 'good';
    UPDATE jobs SET json = '{}' WHERE job_id = 'j1';
    UPDATE journal SET resume_json = 'x' WHERE key = 'k1';
    UPDATE testbeds SET json = 'not JSON';`),
  );
  const again = open();
  expect(again.runs.list().map((r) => r.id)).toEqual(['good']);
  expect(again.runs.unfinished().map((r) => r.overview.id)).toEqual(['good']);
  expect(again.runs.jobs('good').map((j) => j.jobId)).toEqual(['j2']);
  expect(again.samples.journal('good').map((j) => j.key)).toEqual(['k2']);
  expect(again.testbeds.list()).toEqual([]);
  expect(said).toHaveLength(4);
  expect(() => again.runs.get('bad')).toThrow(/stored run bad cannot be read: overview/);
  expect(() => again.testbeds.get('t')).toThrow(
    expect.objectContaining({
      kind: 'internal',
      message: expect.stringContaining('Row t of testbeds'),
    }),
  );
  expect(
    again.testbeds.save({
      id: 't',
      name: 'anew',
      version: 0,
      profileId: 'x',
      vcenterId: null,
      powerIds: [],
      tiles: [],
      notes: '',
    }).version,
  ).toBe(2);
  expect(again.testbeds.list().map((t) => t.name)).toEqual(['anew']);
  again.close();
});

test('a run that is removed leaves no row anywhere, others stay', () => {
  const db = open();
  for (const id of ['gone', 'stays']) {
    withRun(db, id);
    for (let t = 1; t <= 310; t += 1)
      db.samples.append({
        runId: id,
        batch: Float64Array.from([0, t * 1_000, t]),
        journal: [{ key: 'j', resume: { offset: t }, lastTMs: t * 1_000 }],
      });
    db.runs.saveLog(id, 'stderr', 'text');
    db.runs.saveJob({
      runId: id,
      jobId: 'j',
      clientId: 'c',
      entityId: 'w',
      handle: { runId: id, jobId: 'j', dir: '/d', pgid: 1, startMs: 1 },
      offsetMs: 0,
      ended: true,
    });
  }
  db.runs.remove('gone');
  expect(db.runs.get('gone')).toBeNull();
  expect(db.samples.sampleCount('stays')).toBe(310);
  db.close();
  for (const table of [
    'runs',
    'run_parts',
    'run_events',
    'run_keys',
    'series',
    'tail',
    'chunks',
    'journal',
    'jobs',
    'logs',
  ]) {
    const rows = onFile((raw) => JSON.stringify(raw.prepare(`SELECT * FROM ${table}`).all()));
    expect([table, rows.includes('gone')]).toEqual([table, false]);
  }
  expect(onFile((raw) => raw.prepare('SELECT count(*) AS n FROM chunks').get())).toEqual({ n: 1 });
});

test('what is not stored is counted: repeated samples, and samples without a number', () => {
  const db = open();
  withRun(db);
  db.samples.append({
    runId: 'r',
    batch: Float64Array.from([0, 1_000, 1, 0, 2_000, 2]),
    journal: [],
  });
  db.samples.append({
    runId: 'r',
    batch: Float64Array.from([
      0,
      1_000,
      9,
      0,
      2_000,
      9,
      0,
      3_000,
      NaN,
      0,
      Infinity,
      3,
      0,
      3_000,
      3,
    ]),
    journal: [],
  });
  expect(db.samples.dropped('r')).toEqual({ repeated: 2, unusable: 2 });
  expect([...db.samples.read('r', [0], {})[0]!.value]).toEqual([1, 2, 3]);
  expect(said).toEqual(['Samples without a number were left out']);
  db.close();
});

test('a file from before there was a history is searched whole at once; what is not readable is found by its id; fresh and migrated files are alike', () => {
  const raw = new BetterSqlite(path());
  for (const migration of shipped.slice(0, 4)) migration(raw);
  raw.pragma('user_version = 4');
  const old = demoRecord(
    'old',
    [{ ...series[0]!, entity: { kind: 'host', id: 'h', name: 'esx07.lab' } }],
    5_000,
    10,
  );
  const put = raw.prepare(
    'INSERT INTO runs (id, state, ended, created_at_ms, summary_json, record_json) VALUES (?, ?, 1, ?, ?, ?)',
  );
  put.run(
    'old',
    'passed',
    5_000,
    '{}',
    JSON.stringify({
      ...old,
      overview: {
        ...old.overview,
        findings: [{ id: 'f', severity: 'warn', text: 'Uplink saturated', tMs: 1 }],
      },
    }),
  );
  put.run('odd', 'failed', 6_000, '{', 'no JSON');
  raw.prepare('INSERT INTO studies (id, name, json) VALUES (?, ?, ?)').run(
    's',
    'Sweep',
    JSON.stringify(
      studySpecSchema.parse({
        schemaVersion: 1,
        id: 's',
        name: 'Sweep',
        planId: 'p',
        axes: [{ name: 'tiles', label: 'Tiles', parameter: { kind: 'tiles' }, values: [1] }],
      }),
    ),
  );
  raw
    .prepare('INSERT INTO study_points (study_id, place, json) VALUES (?, 0, ?), (?, 1, ?)')
    .run('s', '{"detail":"QoS of mail broken"}', 's', 'no JSON');
  raw.close();
  const after = open();
  const found = (query: string): string[] => {
    const hits = after.history.search(query);
    return after.history
      .rows('all')
      .filter((row) => hits.has(row.entry))
      .map((row) => row.id);
  };
  expect([
    found('"esx07"'),
    found('uplink'),
    found('bench'),
    found('broken'),
    found('odd'),
  ]).toEqual([['old'], ['old'], ['old'], ['s'], ['odd']]);
  expect(after.history.row({ kind: 'run', id: 'old' })).toMatchObject({
    findings: 1,
    hostsJson: '["esx07.lab"]',
    createdAtMs: 5_000,
    storageBytes: null,
    tags: [],
  });
  expect(after.storage.unmeasured(10)).toHaveLength(3);
  expect(after.storage.measure({ kind: 'run', id: 'old' })).toBeGreaterThan(500);
  after.close();
  expect(said).toEqual([]);
  // Killed before the texts were filled in, the next start does it.
  onFile((file) =>
    file.exec("UPDATE history SET text_version = 0; UPDATE history_text SET findings = ''"),
  );
  const again = open();
  expect(again.history.search('uplink').size).toBe(1);
  again.close();
  const schema = (file: BetterSqlite.Database): unknown[] =>
    file.prepare('SELECT type, name, sql FROM sqlite_schema ORDER BY type, name').all();
  const fresh = new BetterSqlite(':memory:');
  for (const migration of shipped) migration(fresh);
  expect(onFile(schema)).toEqual(schema(fresh));
  fresh.close();
});

test('secrets that connections use before there were grants may be used where they stand, and nowhere else', () => {
  const raw = new BetterSqlite(path());
  for (const migration of shipped.slice(0, 5)) migration(raw);
  raw.pragma('user_version = 5');
  const put = raw.prepare('INSERT INTO connections (id, name, json) VALUES (?, ?, ?)');
  const vcenter = { kind: 'vcenter', id: 'vc', name: 'vc', host: 'VC.Lab.', port: 443, user: 'u' };
  put.run('vc', 'vc', JSON.stringify({ ...vcenter, password: { keychain: 'vc' } }));
  const login = { method: 'password', password: { file: '/secret' } };
  const client = { kind: 'client', id: 'c', name: 'c', host: 'c.lab', port: 22, user: 'root' };
  put.run('c', 'c', JSON.stringify({ ...client, auth: login }));
  put.run('odd', 'odd', 'no JSON');
  raw.close();
  const after = open();
  const peer = { host: 'vc.lab', port: 443, user: 'u', pin: '' };
  expect(after.trust.isGranted('keychain:vc', peer)).toBe(true);
  expect(after.trust.isGranted('env:TILEBENCH_SECRET_VC', peer)).toBe(true);
  expect(after.trust.targets('file:/secret')).toEqual([
    { host: 'c.lab', port: 22, user: 'root', pin: '' },
  ]);
  for (const other of [{ host: 'evil' }, { port: 444 }, { user: 'v' }, { pin: 'x' }])
    expect(after.trust.isGranted('keychain:vc', { ...peer, ...other })).toBe(false);
  after.close();
});

test('an empty file where a database was is told, not begun anew', () => {
  open().close();
  writeFileSync(path(), '');
  expect(() => open()).toThrow(
    expect.objectContaining({
      kind: 'internal',
      message: expect.stringContaining('is empty (0 bytes)'),
      hint: expect.stringMatching(/There is no copy .* remove the file/),
    }),
  );
});

test('words about copies name a file that exists, the newest one', () => {
  open().close();
  now += 1_000;
  const db = open([...shipped, addColumn('later')]);
  const copy = db.openedWith.backup!;
  db.close();
  writeFileSync(path(), 'no database at all, and more than a header long'.repeat(100));
  let hint = '';
  try {
    open([...shipped, addColumn('later')]);
  } catch (thrown) {
    hint = (thrown as { hint: string }).hint;
  }
  expect(hint).toContain(copy);
  expect(statSync(copy).size).toBeGreaterThan(0);
});

test('a copy a day while the engine is up, the last five kept, each a whole database', async () => {
  const fake = createFakeClock();
  const stop = new AbortController();
  const db = openDatabase({ dataDir: dir, clock: fake, log });
  withRun(db);
  const done = db.startBackups(stop.signal);
  for (let day = 0; day < 7; day += 1) {
    const before = listBackups(dir)[0]?.atMs ?? 0;
    await fake.advanceUntil(
      () => (listBackups(dir)[0]?.atMs ?? 0) > before,
      2 * 86_400_000,
      60_000,
    );
  }
  stop.abort();
  await done;
  db.close();
  const copies = listBackups(dir);
  expect(copies).toHaveLength(5);
  expect(readdirSync(join(dir, 'backups')).filter((name) => name.endsWith('.part'))).toEqual([]);
  for (const { path: copy } of copies) {
    const raw = new BetterSqlite(copy, { readonly: true });
    expect(raw.prepare('SELECT count(*) AS n FROM runs').get()).toEqual({ n: 1 });
    expect(raw.pragma('integrity_check', { simple: true })).toBe('ok');
    raw.close();
    expect(statSync(copy).mode & 0o777).toBe(0o600);
  }
});

test('folders of the data folder are 700 and files 600, also what another umask left open', () => {
  mkdirSync(join(dir, 'logs'), { mode: 0o777 });
  writeFileSync(join(dir, 'logs', 'tilebench.log'), '', { mode: 0o666 });
  chmodSync(join(dir, 'logs'), 0o777);
  chmodSync(join(dir, 'logs', 'tilebench.log'), 0o666);
  chmodSync(dir, 0o755);
  const before = process.umask(0);
  try {
    const db = open();
    withRun(db);
    const seen = readdirSync(dir, { recursive: true, withFileTypes: true });
    expect(seen.length).toBeGreaterThan(3);
    for (const entry of seen) {
      const mode = statSync(join(entry.parentPath, entry.name)).mode & 0o777;
      expect([entry.name, mode]).toEqual([entry.name, entry.isDirectory() ? 0o700 : 0o600]);
    }
    expect(statSync(dir).mode & 0o777).toBe(0o700);
    db.close();
  } finally {
    process.umask(before);
  }
});
