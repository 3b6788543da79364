import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { median } from '../src/core/stats/summary.ts';
import { startServe } from '../workers/testing/served.ts';
import type { BenchResult } from './row.ts';

const rootDir = resolve(import.meta.dirname, '..');
const whenShown = join(rootDir, 'bench', 'whenShown.cjs');
const rounds = 5;
const idleS = Number(process.env['BENCH_IDLE_S'] ?? 30);
/** What the kernel calls a tick, by its interface to programs: USER_HZ. */
const ticksAS = 100;

/** Throws where there is none, with what to do. */
function electronPath(): string {
  const dist =
    process.env['ELECTRON_OVERRIDE_DIST_PATH'] || join(rootDir, 'node_modules/electron/dist');
  if (!existsSync(join(dist, 'electron')))
    throw new Error(`There is no Electron in ${dist}: set ELECTRON_OVERRIDE_DIST_PATH to one.`);
  return join(dist, 'electron');
}

async function inFolder<T>(work: (dir: string) => Promise<T>): Promise<T> {
  const dir = mkdtempSync(join(tmpdir(), 'tilebench-bench-start-'));
  try {
    return await work(dir);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** A program that does nothing but open a window, as its main file. */
function makeEmptyProgram(dir: string): void {
  writeFileSync(
    join(dir, 'package.json'),
    JSON.stringify({ name: 'empty', version: '1.0.0', main: 'main.js' }),
  );
  writeFileSync(join(dir, 'index.html'), '<!doctype html><title>Empty</title><h1>Empty</h1>');
  writeFileSync(
    join(dir, 'main.js'),
    "const { app, BrowserWindow } = require('electron'); app.setPath('userData', __dirname " +
      "+ '/data'); app.whenReady().then(() => new BrowserWindow({ width: 1440, height: 900 " +
      "}).loadFile(__dirname + '/index.html'));",
  );
}

/**
 * From the start of a program until its first window has painted an element, in ms; then `rest` is
 * done with the program running, and it is ended in order. Throws where it ends before.
 */
async function untilShown<T>(
  start: { args: string[]; cwd: string; env?: Record<string, string> },
  shown: readonly [selector: string, text: string],
  rest: () => Promise<T>,
): Promise<{ tookMs: number; rest: T }> {
  const startMs = Date.now();
  const child = spawn(
    electronPath(),
    ['-r', whenShown, '--no-sandbox', '--disable-gpu', ...start.args],
    {
      cwd: start.cwd,
      env: { ...process.env, ...start.env, BENCH_SHOWN: JSON.stringify(shown) },
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  );
  const ended = once(child, 'exit');
  let said = '';
  const atMs = await Promise.race([
    new Promise<number>((resolve) => {
      child.stdout.on('data', (piece: Buffer) => {
        said += piece.toString();
        const at = /^shown at (\d+)/m.exec(said)?.[1];
        if (at !== undefined) resolve(Number(at));
      });
    }),
    ended.then(() => Promise.reject(new Error(`The program ended before it showed anything.`))),
  ]);
  const result = { tookMs: atMs - startMs, rest: await rest() };
  child.kill('SIGTERM');
  await ended;
  return result;
}

const emptyWindow = async (dir: string): Promise<number> =>
  (await untilShown({ args: [dir], cwd: dir }, ['h1', 'Empty'], () => Promise.resolve())).tookMs;

interface Idle {
  cpuPct: number;
  residentMb: number;
}
/**
 * From the start of the program until the home page shows what the engine told it; then, if asked,
 * what its engine costs while nothing is done.
 */
async function firstWindow(
  dir: string,
  rest: boolean,
): Promise<{ tookMs: number; idle: Idle | null }> {
  const env = {
    TILEBENCH_USER_DATA: dir,
    TILEBENCH_DATA: join(dir, 'data'),
    TILEBENCH_ROOT_DIR: rootDir,
    TILEBENCH_NODE: process.execPath,
  };
  const { tookMs, rest: idle } = await untilShown(
    { args: [rootDir], cwd: rootDir, env },
    ['button', 'Open the demo lab'],
    () => (rest ? atRest(enginePid(dir)) : Promise.resolve(null)),
  );
  return { tookMs, idle };
}

/** The process of the engine over this folder. */
function enginePid(dir: string): number {
  const isEngine = (pid: string): boolean => {
    try {
      return (
        readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('engineProcess') &&
        readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`TILEBENCH_DATA=${dir}`)
      );
    } catch (thrown) {
      // Ended since the list was read.
      if (['ENOENT', 'ESRCH'].includes((thrown as NodeJS.ErrnoException).code ?? '')) return false;
      throw thrown;
    }
  };
  const pid = readdirSync('/proc').find((name) => /^\d+$/.test(name) && isEngine(name));
  if (pid === undefined) throw new Error('The engine does not run.');
  return Number(pid);
}

/**
 * The Node host with nothing to do and no window, started as `npx tilebench serve` starts it for
 * the second time.
 */
const served = (): Promise<Idle> =>
  inFolder(async (dir) => {
    process.env['NODE_COMPILE_CACHE'] = join(dir, 'compiled');
    await (await startServe(dir)).stop();
    const host = await startServe(dir);
    try {
      return await atRest(host.enginePid() ?? host.pid);
    } finally {
      await host.stop();
      delete process.env['NODE_COMPILE_CACHE'];
    }
  });

/** Both programs in turn, each in a folder that it keeps; the first start of each is apart. */
const starts = (): Promise<{ empty: number[]; console: number[]; engine: Idle }> =>
  inFolder((emptyDir) =>
    inFolder(async (dir) => {
      makeEmptyProgram(emptyDir);
      const empty: number[] = [],
        console: number[] = [];
      let engine: Idle | null = null;
      for (let round = 0; round <= rounds; round += 1) {
        empty.push(await emptyWindow(emptyDir));
        const { tookMs, idle } = await firstWindow(dir, round === rounds);
        console.push(tookMs);
        engine = idle;
      }
      if (engine === null) throw new Error('The engine was not watched.');
      return { empty, console, engine };
    }),
  );

async function atRest(pid: number): Promise<Idle> {
  // What the start left to do is not idling.
  await delay(5_000);
  const [ticks, startMs] = [cpuTicks(pid), performance.now()];
  await delay(idleS * 1_000);
  return {
    cpuPct: ((cpuTicks(pid) - ticks) / ticksAS / ((performance.now() - startMs) / 1_000)) * 100,
    residentMb: residentMb(pid),
  };
}
const cpuTicks = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return Number(fields[11]) + Number(fields[12]);
};
const residentMb = (pid: number): number =>
  (Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) * 1_024) / 1e6;

/**
 * First window of the built console against an empty window of the same Electron, and what the
 * engine costs while it does nothing.
 */
export async function run(): Promise<BenchResult[]> {
  const { empty, console, engine } = await starts();
  const host = await served();
  const anchorMs = median(empty.slice(1));
  return [
    {
      name: 'start: the first window',
      rows: [
        {
          label: 'an empty window of the same Electron (anchor)',
          value: anchorMs,
          unit: 'ms',
        },
        {
          label: 'home page with what the engine told it',
          value: median(console.slice(1)),
          unit: 'ms',
          ratio: median(console.slice(1)) / anchorMs,
          budget: 1.5,
        },
        { label: 'the very first start, nothing compiled yet', value: console[0]!, unit: 'ms' },
      ],
    },
    {
      name: `idle: without a run, ${idleS} s`,
      rows: [
        { label: 'engine of the desktop, of one core', value: engine.cpuPct, unit: '%', budget: 1 },
        { label: 'its memory', value: engine.residentMb, unit: 'MB', budget: 120 },
        { label: 'Node host, of one core', value: host.cpuPct, unit: '%', budget: 1 },
        { label: 'its memory', value: host.residentMb, unit: 'MB', budget: 150 },
      ],
    },
  ];
}
