import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { demoRecord } from '../../../bench/demoRecord.ts';
import type { SeriesDef } from '../../../src/core/metric/metric.ts';
import { silentLog } from '../deps.ts';
import { openDatabase } from './open.ts';
import { makeOldFile } from './testing/oldFile.ts';
import type { Database } from './types.ts';

const log = silentLog;
const clock = { now: () => 1_700_000_000_000, sleep: () => Promise.resolve() };
const series: SeriesDef[] = Array.from({ length: 100 }, (_, id) => ({
  id,
  metric: 'throughput',
  unit: 'tps',
  source: 's',
  periodMs: 1_000,
  decimals: 6,
  lagMs: 0,
  entity: { kind: 'workload', id: `w${id}`, name: `w${id}` },
}));

/** Noise that does not pack: the disk fills soon. */
const valueOf = (second: number, id: number): number => Math.sin(second * 131 + id * 17) * 1e6;

let dir: string;
let mount: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'tb-full-'));
  mount = join(dir, 'small');
  mkdirSync(mount);
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16m', 'tmpfs', mount]);
});
afterEach(() => {
  execFileSync('umount', ['-l', mount]);
  rmSync(dir, { recursive: true, force: true });
});

/** Leaves not one byte to anybody. */
const fill = (name: string): void => {
  execFileSync('sh', ['-c', 'cat /dev/zero >"$0" 2>/dev/null || true', join(mount, name)]);
};
const full = {
  kind: 'internal',
  message: expect.stringMatching(/disk .* is full/i) as unknown,
  hint: 'Free space on that disk, and try again. What was stored is as it was.',
};

test('a first start on a full disk says so, and begins no file; with space it starts', () => {
  fill('filler');
  const open = (): Database => openDatabase({ dataDir: mount, clock, log });
  expect(open).toThrow(expect.objectContaining(full));
  expect(readdirSync(mount)).not.toContain('tilebench.sqlite');
  rmSync(join(mount, 'filler'));
  const db = open();
  expect(db.runs.list()).toEqual([]);
  db.close();
});

test('a database of an older version on a full disk: said, and left as it is', () => {
  makeOldFile(mount, [demoRecord('r', series, 1_000, 10)]);
  const before = readFileSync(join(mount, 'tilebench.sqlite'));
  fill('filler');
  expect(() => openDatabase({ dataDir: mount, clock, log })).toThrow(expect.objectContaining(full));
  expect(readFileSync(join(mount, 'tilebench.sqlite')).equals(before)).toBe(true);
});

test('a full disk: append says so, what was acknowledged stays, and it goes on once there is space', () => {
  let db = openDatabase({ dataDir: mount, clock, log });
  db.runs.save(demoRecord('r', series, 1_000, 10));
  db.samples.defineSeries('r', series);
  const { bavail, bsize } = statfsSync(mount);
  writeFileSync(join(mount, 'filler'), Buffer.alloc(bavail * bsize - 2 * 2 ** 20));
  const append = (second: number): void => {
    db.samples.append({
      runId: 'r',
      batch: Float64Array.from(
        series.flatMap(({ id }) => [id, second * 1_000, valueOf(second, id)]),
      ),
      journal: [{ key: 'job', resume: { offset: second }, lastTMs: second * 1_000 }],
    });
  };

  let second = 0;
  let refused: unknown = null;
  while (refused === null && second < 100_000) {
    try {
      append(second + 1);
      second += 1;
    } catch (thrown) {
      refused = thrown;
    }
  }
  expect(refused).toMatchObject({
    kind: 'internal',
    message: expect.stringMatching(/disk .* is full/i),
    hint: expect.stringContaining('Free space'),
  });
  expect(second).toBeGreaterThan(100);
  // Still full: refused again, and reading goes on.
  expect(() => append(second + 1)).toThrow(/full/);
  const stored = db.samples.read('r', [3], {})[0]!.tMs.length;
  expect(stored).toBeGreaterThanOrEqual(second);

  rmSync(join(mount, 'filler'));
  for (let i = 0; i < 400; i += 1) append((second += 1));
  db.samples.finish('r');
  db.close();

  db = openDatabase({ dataDir: mount, clock, log });
  for (const id of [0, 3, 99]) {
    const [data] = db.samples.read('r', [id], {});
    expect([...data!.tMs]).toEqual(Array.from({ length: second }, (_, i) => (i + 1) * 1_000));
    expect([...data!.value]).toEqual(Array.from({ length: second }, (_, i) => valueOf(i + 1, id)));
  }
  expect(db.samples.journal('r')).toEqual([
    { key: 'job', resume: { offset: second }, lastTMs: second * 1_000 },
  ]);
  db.close();
});

const withRuns = (count: number): void => {
  const db = openDatabase({ dataDir: mount, clock, log });
  for (let run = 0; run < count; run += 1) {
    db.runs.save(demoRecord(`r${run}`, series, 1_000, 10));
    db.samples.defineSeries(`r${run}`, series);
    for (let second = 1; second <= 50; second += 1)
      db.samples.append({
        runId: `r${run}`,
        batch: Float64Array.from(
          series.flatMap(({ id }) => [id, second * 1_000, valueOf(second, id)]),
        ),
        journal: [],
      });
    db.samples.finish(`r${run}`);
  }
  db.close();
};
/** What looking and exporting read. */
const readAll = (db: Database, run: string): number =>
  [...db.samples.iterate(run)].reduce((sum, one) => sum + one.tMs.length, 0);

test('on a full disk the database opens, shows what it holds and removes it, for the reserve', () => {
  writeFileSync(join(mount, 'reserve.bin'), randomBytes(4 * 2 ** 20));
  withRuns(4);
  fill('filler');
  const db = openDatabase({ dataDir: mount, clock, log });
  expect(db.readOnly).toBe(false);
  expect(db.runs.list().map((run) => run.id)).toEqual(expect.arrayContaining(['r0', 'r3']));
  expect(readAll(db, 'r2')).toBe(5_000);
  // Whatever the reserve left, somebody else takes.
  fill('more');
  db.history.change({ kind: 'run', id: 'r0' }, { deletedAtMs: 1 }, 1);
  db.close();
});

test('removing works to the last row while the disk is full', () => {
  withRuns(4);
  const db = openDatabase({ dataDir: mount, clock, log });
  writeFileSync(join(mount, 'reserve.bin'), randomBytes(4 * 2 ** 20));
  fill('filler');
  const item = { kind: 'run', id: 'r1' } as const;
  db.purges.begin([item]);
  while (!db.purges.step(item, 50)) continue;
  expect(db.purges.pending()).toEqual([]);
  expect(db.runs.get('r1')).toBeNull();
  // What was removed is the disk's again: the file shrank, and seconds are stored as before.
  const { bavail: left, bsize: block } = statfsSync(mount);
  expect(left * block).toBeGreaterThan(2 ** 17);
  db.samples.append({ runId: 'r2', batch: Float64Array.of(3, 99_000, 1), journal: [] });
  // The end of a run is stored too: its stored state is its true one.
  const open = demoRecord('r2', series, 1_000, 10);
  db.runs.save({ ...open, overview: { ...open.overview, state: 'failed' } });
  db.close();
  rmSync(join(mount, 'filler'));
  const after = openDatabase({ dataDir: mount, clock, log });
  expect(after.runs.get('r2')?.overview.state).toBe('failed');
  expect(after.runs.list().map((run) => run.id)).not.toContain('r1');
  after.close();
});

test('with no room and no reserve it opens for reading only, and says which folder is full', () => {
  withRuns(2);
  rmSync(join(mount, 'reserve.bin'));
  fill('filler');
  const db = openDatabase({ dataDir: mount, clock, log });
  expect(db.readOnly).toBe(true);
  expect(db.runs.list()).toHaveLength(2);
  expect(readAll(db, 'r1')).toBe(5_000);
  expect(() => db.history.change({ kind: 'run', id: 'r0' }, { favourite: true }, 1)).toThrow(
    expect.objectContaining({
      message: expect.stringMatching(
        new RegExp(`is full: ${mount} has \\d+\\.\\d MiB free\\.$`),
      ) as string,
      // Nothing can be deleted in it: that is no advice.
      hint: expect.not.stringContaining('delete') as string,
    }),
  );
  db.close();
});
