import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Writable } from 'node:stream';

import { fromEngine } from '../src/wire/hostMessages.ts';
import { engineFromChild } from '../src/wire/pipedEngine.ts';

let dir: string;
let full: number;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'tb-streams-'));
  full = openSync('/dev/full', 'w');
});
afterEach(() => {
  closeSync(full);
  rmSync(dir, { recursive: true, force: true });
});

interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}
/** One command line with its words on a full disk where `full` stands. */
async function tilebench(stdout: number | 'pipe', stderr: number | 'pipe', ...args: string[]) {
  const child: ChildProcess = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', 'workers/cli.ts', ...args, '--data', dir],
    { stdio: ['ignore', stdout, stderr] },
  );
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name]?.on('data', (bytes: Buffer) => {
      said[name] += bytes.toString();
    });
  return new Promise<Ended>((done) => {
    child.on('close', (code) => done({ code, ...said }));
  });
}
function fioFile(): string {
  const path = join(dir, 'sysbench.txt');
  const lines = Array.from(
    { length: 20 },
    (_, i) => `[ ${i + 1}s ] thds: 1 eps: 100.00 lat (ms,95%): 1.00`,
  );
  writeFileSync(path, `sysbench 1.0.20 (using system LuaJIT 2.1.0-beta3)\n${lines.join('\n')}\n`);
  return path;
}

test('results that a full disk does not take are no success, and told; words beside them cost nothing', async () => {
  const opened = await tilebench('pipe', full, 'open', fioFile(), '--json');
  expect(opened.code).toBe(0);
  const { runId } = JSON.parse(opened.stdout) as { runId: string };
  expect(await tilebench(full, 'pipe', 'runs', 'list')).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('stdout cannot be written (ENOSPC)'),
  });
  expect(await tilebench(full, 'pipe', 'runs', 'export', runId, '-o', '-')).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('not written whole'),
  });
  expect(await tilebench('pipe', full, 'runs', 'show', runId)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(runId),
  });
});

test('an engine whose words go nowhere ends in order, not of them', async () => {
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', 'workers/engineProcess.ts'],
    {
      stdio: ['ignore', full, full, 'pipe'],
      env: {
        ...process.env,
        TILEBENCH_HOST: 'browser',
        TILEBENCH_FRAMES: '1',
        TILEBENCH_DATA: dir,
        TILEBENCH_RESOURCES: 'resources',
      },
    },
  );
  const ended = new Promise<number | null>((done) => {
    child.on('exit', done);
  });
  const engine = engineFromChild(child, (thrown) => {
    throw thrown;
  });
  await new Promise<void>((ready) => {
    engine.onMessage((data) => {
      if (fromEngine.parse(data).k === 'ready') ready();
    });
  });
  // One byte that is no message: told on stderr, and the engine ends in order because its host is
  // gone.
  (child.stdio[3] as Writable).write(Buffer.from([0, 0, 0, 1, 0xc1]));
  expect(await ended).toBe(0);
});

test('each program of ours endures it', () => {
  for (const program of ['workers/cli.ts', 'workers/engineProcess.ts', 'electron/main.ts'])
    expect(readFileSync(program, 'utf8')).toContain('endureStream(');
});
