import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { _electron } from '@playwright/test';

import { startConsole } from '../e2e/fixtures/consoleHost.ts';
import { median } from '../src/core/stats/summary.ts';
import { startServe } from '../workers/testing/served.ts';
import type { BenchResult } from './row.ts';

const rounds = 5;
const idleS = Number(process.env['BENCH_IDLE_S'] ?? 30);
/** What the kernel calls a tick, by its interface to programs: USER_HZ. */
const ticksAS = 100;

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

/** From the start of the program until its first window shows a page that is loaded. */
async function emptyWindow(executablePath: string, dir: string): Promise<number> {
  const startMs = performance.now();
  const app = await _electron.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', dir],
    cwd: dir,
  });
  await (await app.firstWindow()).getByRole('heading', { name: 'Empty' }).waitFor();
  const tookMs = performance.now() - startMs;
  await app.close();
  return tookMs;
}

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
  const startMs = performance.now();
  const host = await startConsole('electron', dir);
  await host.page.getByRole('button', { name: 'Open the demo lab' }).waitFor();
  const tookMs = performance.now() - startMs;
  const idle = rest ? await atRest(await host.enginePid()) : null;
  await host.close();
  return { tookMs, idle };
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
const starts = (
  executablePath: string,
): Promise<{ empty: number[]; console: number[]; engine: Idle }> =>
  inFolder((emptyDir) =>
    inFolder(async (dir) => {
      makeEmptyProgram(emptyDir);
      const empty: number[] = [],
        console: number[] = [];
      let engine: Idle | null = null;
      for (let round = 0; round <= rounds; round += 1) {
        empty.push(await emptyWindow(executablePath, emptyDir));
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
  const dist = process.env['ELECTRON_OVERRIDE_DIST_PATH'] || resolve('node_modules/electron/dist');
  if (!existsSync(join(dist, 'electron')))
    throw new Error(`There is no Electron in ${dist}: set ELECTRON_OVERRIDE_DIST_PATH to one.`);
  process.env['ELECTRON_OVERRIDE_DIST_PATH'] = dist;
  const { empty, console, engine } = await starts(join(dist, 'electron'));
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
