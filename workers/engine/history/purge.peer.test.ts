import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import BetterSqlite from 'better-sqlite3';

import { openDatabase } from '../db/open.ts';
import type { Database } from '../db/types.ts';
import { silentLog } from '../deps.ts';
import { storedRun } from './testing/storedRuns.ts';

const run = (id: string) => ({ kind: 'run' as const, id });

test('kill -9 at any moment of a purge: the run is there whole, or gone', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'tb-purge-'));
  const open = (): Database =>
    openDatabase({
      dataDir: dir,
      clock: { now: () => 1, sleep: () => Promise.resolve() },
      log: silentLog,
    });
  const children: ChildProcess[] = [];
  try {
    const runs = ['r0', 'r1', 'r2', 'r3', 'r4', 'r5'];
    const first = open();
    for (const id of runs) {
      storedRun(first, { id, name: id, seconds: 3_000, workloads: 30 });
      first.history.change(run(id), { deletedAtMs: 1 }, 1);
    }
    const whole = first.samples.sampleCount('r0');
    first.close();
    for (const stepsUntilKilled of [0, 1, 2, 4, 9, 13]) {
      const child = fork(
        resolve('workers/engine/history/testing/purgeUntilKilled.ts'),
        [dir, String(stepsUntilKilled)],
        { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] },
      );
      child.on('message', () => child.kill('SIGKILL'));
      children.push(child);
      expect(await new Promise((done) => child.on('exit', (_code, signal) => done(signal)))).toBe(
        'SIGKILL',
      );
      const db = open();
      const left = db.purges.pending().map((item) => item.id);
      for (const id of runs)
        expect([id, db.runs.get(id) === null || db.samples.sampleCount(id) === whole]).toEqual([
          id,
          true,
        ]);
      expect(left.every((id) => db.runs.get(id) === null)).toBe(true);
      db.close();
    }
    const raw = new BetterSqlite(join(dir, 'tilebench.sqlite'));
    expect(raw.pragma('integrity_check', { simple: true })).toBe('ok');
    raw.close();
  } finally {
    for (const child of children) child.kill('SIGKILL');
    rmSync(dir, { recursive: true, force: true });
  }
});
