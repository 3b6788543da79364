import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { openDatabase } from '../engine/db/open.ts';
import { silentLog } from '../engine/deps.ts';
import { storedRun } from '../engine/history/testing/storedRuns.ts';
import { runHere, type Said } from './testing/runHere.ts';

const dir = mkdtempSync(join(tmpdir(), 'tilebench-cli-history-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));
beforeAll(() => {
  const db = openDatabase({
    dataDir: dir,
    clock: { now: () => 1, sleep: () => Promise.resolve() },
    log: silentLog,
  });
  storedRun(db, { id: 'run-a', name: 'Mail on array A', hosts: ['esx01'], seconds: 60 });
  storedRun(db, { id: 'run-b', name: 'Web on array B', findings: ['Uplink saturated'] });
  db.close();
});

const cli = (...args: string[]): Promise<Said> => runHere(...args, '--data', dir);
const ids = async (...args: string[]): Promise<string[]> =>
  (JSON.parse((await cli('runs', 'list', '--json', ...args)).out) as { id: string }[]).map(
    (one) => one.id,
  );

test('runs are tagged, noted, found, put aside, deleted, taken back and purged from the command line', async () => {
  expect(
    await cli(
      'runs',
      'tag',
      'run-a',
      'run-b',
      '--add',
      'Before upgrade',
      '--folder',
      '2026/arrays',
    ),
  ).toEqual({ code: 0, out: '2 changed.\n', err: '' });
  expect(await cli('runs', 'tag', 'run-b', 'nowhere', '--remove', 'BEFORE upgrade')).toEqual({
    code: 4,
    out: '1 changed.\n',
    err: 'nowhere: There is no run nowhere in the history.\n',
  });
  expect([
    await ids('--tag', 'before upgrade'),
    await ids('--folder', '2026', '--sort', 'name', '--ascending'),
    await ids('--text', 'uplink'),
    await ids('--text', '"*'),
  ]).toEqual([['run-a'], ['run-a', 'run-b'], ['run-b'], []]);
  expect((await cli('runs', 'list', '--text', 'uplink')).out).toMatch(
    /found in\nrun-b +Web on array B .* findings\n$/,
  );
  const file = join(dir, 'notes.md');
  writeFileSync(file, '# Firmware\n');
  await cli('runs', 'note', 'run-a', '--file', file);
  expect((await cli('runs', 'note', 'run-a')).out).toBe('# Firmware\n\n');
  await cli('runs', 'archive', 'run-a');
  expect([await ids(), await ids('--archived', 'yes')]).toEqual([['run-b'], ['run-a']]);
  await cli('runs', 'archive', 'run-a', '--undo');
  expect((await cli('runs', 'delete', 'run-a', 'run-b')).out).toBe('2 deleted.\n');
  await cli('runs', 'restore', 'run-a');
  expect([await ids(), await ids('--deleted')]).toEqual([['run-a'], ['run-b']]);
  expect((await cli('runs', 'purge', 'run-b')).code).toBe(2);
  expect(await cli('runs', 'purge', 'run-a', '--yes')).toEqual({
    code: 4,
    out: '0 purged.\n',
    err: 'Mail on array A: It does not lie in Deleted: delete it first.\n',
  });
  expect((await cli('runs', 'purge', '--all', '--yes')).out).toBe('1 purged.\n');
  expect(await ids('--deleted')).toEqual([]);
  expect((await cli('runs', 'storage')).out).toMatch(
    /^database [\d.]+ MB, .*\nkind +entries +content\nruns +1 /,
  );
  expect(
    (await cli('runs', 'retention', '--on', '--sample-days', '90', '--deleted-days', 'never')).out,
  ).toMatch(
    /^retention is on: Deleted is purged never; samples are thinned to one in 20 s after 90 days; .*\ndue now: 0 to purge, 1 to thin/,
  );
  expect((await cli('runs', 'retention', '--sample-days', '0')).code).toBe(2);
  expect((await cli('runs', 'tag', 'run-a')).code).toBe(2);
  expect((await cli('runs', 'tag', 'run-a', '--add', '<b>')).err).toMatch(
    /A tag begins with a letter/,
  );
});

test('a reader that has had enough ends the output quietly', async () => {
  const child = spawn(process.execPath, [resolve('workers/cli.ts'), 'runs', '--help'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.destroy();
  let err = '';
  child.stderr.on('data', (bytes: Buffer) => {
    err += bytes.toString();
  });
  expect(
    await new Promise((done) => {
      child.on('close', done);
    }),
  ).toBe(0);
  expect(err).not.toMatch(/EPIPE/);
});
