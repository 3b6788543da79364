import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import {
  type EngineOnLab,
  faultPlan,
  hasTold,
  startEngineOnLab,
} from '../../../e2e/lab/engineOnLab.ts';
import { type Lab, startLab } from '../../../e2e/lab/lab.ts';
import { poll } from '../../../e2e/lab/poll.ts';
import { processesWith, readProc } from '../../../e2e/lab/processes.ts';
import type { RunOverview } from '../../../src/core/run/run.ts';

/**
 * Sets the time of day of one process, by a file that is read at every call; monotonic time stays
 * real.
 */
const shim = [
  '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1',
  '/usr/lib/aarch64-linux-gnu/faketime/libfaketimeMT.so.1',
].find((path) => existsSync(path));
/** Planned steady state: longer than the longest absence. */
const usualS = 40;

let dir: string;
let lab: Lab;
let dataDir: string;
let wallFile: string;
let engine: ChildProcess | null = null;
let said = '';
let on: EngineOnLab | null = null;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'tb-clock-'));
  lab = await startLab({ dir, tiles: 1 });
});
afterAll(async () => {
  await lab.stop();
  rmSync(dir, { recursive: true, force: true });
});
beforeEach(() => {
  dataDir = mkdtempSync(join(dir, 'data-'));
  wallFile = join(dataDir, 'wall');
});
afterEach(async () => {
  engine?.kill('SIGKILL');
  await on?.close();
  engine = on = null;
});

const setWall = (seconds: number): void =>
  writeFileSync(wallFile, `${seconds < 0 ? '' : '+'}${seconds}\n`);

/** An engine in a process of its own, whose clock can be set. */
function startEngine(steadyS = usualS): void {
  if (shim === undefined) throw new Error('libfaketime is not installed.');
  const plan = join(dataDir, 'plan.json');
  writeFileSync(plan, JSON.stringify(faultPlan(lab.plan, { phases: { steadyS } })));
  setWall(0);
  said = '';
  engine = spawn(
    process.execPath,
    ['workers/cli.ts', 'run', plan, '--trust', '--data', dataDir, '--json'],
    {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: {
        ...process.env,
        LD_PRELOAD: shim,
        FAKETIME_TIMESTAMP_FILE: wallFile,
        FAKETIME_NO_CACHE: '1',
        FAKETIME_DONT_FAKE_MONOTONIC: '1',
        NO_FAKE_STAT: '1',
      },
    },
  );
  engine.stderr!.on('data', (bytes: Buffer) => {
    said += bytes.toString();
  });
}
const pass = async (seconds: number): Promise<void> => {
  const since = performance.now();
  await poll('time', () => performance.now() - since > seconds * 1_000);
};
/** Steady state, some seconds after the load itself is there. */
async function steady(): Promise<void> {
  await poll('the steady state', () => {
    if (engine!.exitCode !== null) throw new Error(`The engine ended: ${said}`);
    return hasTold(said, 'steady');
  });
  await poll('load on the client', () =>
    processesWith('TILEBENCH_JOB', lab.clients[0]!.home, 'prefix').some(
      (pid) => readProc(`/proc/${pid}/comm`).trim() === 'sysbench',
    ),
  );
  await pass(5);
}
const gone = (): Promise<unknown> =>
  poll('the end of the engine', () => engine!.exitCode !== null || engine!.signalCode !== null);

/** The run as it is stored, and what holds of one whose clients did nothing wrong. */
async function expectUnblamed(steadyS = usualS): Promise<RunOverview> {
  on ??= await startEngineOnLab({ dataDir });
  const [run] = await on.call('run.list', {});
  const overview = await on.untilEnd(run!.id);
  expect(overview).toMatchObject({ state: 'passed', verdict: { outcome: 'passed' } });
  const span = overview.phases.find((p) => p.name === 'steady')!;
  expect(span.endMs! - span.startMs).toBe(steadyS * 1_000);
  const ids = overview.findings.map((f) => f.id);
  expect(ids.filter((id) => /^(silent|lost|late|workload|drift|link)/.test(id))).toEqual([]);
  // The meter may have been away with the engine; the clients were not.
  expect(overview.events.filter((e) => e.kind === 'fault' && e.entityId !== undefined)).toEqual([]);
  // None twice, and none lost for as long as the engine was away.
  const { seconds, leastStep, missing, mayMiss } = await on.everySecond(run!.id, 't0.java');
  expect(leastStep).toBeGreaterThanOrEqual(1);
  expect(missing).toBeLessThanOrEqual(mayMiss);
  // To the end: the ramps of 3 s and 2 s lie around the steady state.
  expect(seconds.at(-1)).toBeGreaterThanOrEqual(steadyS);
  return overview;
}
const finding = (overview: RunOverview, id: string): string =>
  overview.findings.find((f) => f.id === id)?.text ?? `no finding ${id}`;

test.each([
  ['back', -60],
  ['forward', 90],
])('the clock steps %s in the steady state: the run is as long as planned', async (way, s) => {
  startEngine();
  await steady();
  setWall(s);
  await gone();
  const overview = await expectUnblamed();
  expect(finding(overview, 'clock.step')).toContain(
    `The clock of this computer stepped ${way} by ${Math.abs(s)} s`,
  );
});

test('the engine is stopped for 25 s, as by a laptop that sleeps: no client is blamed', async () => {
  startEngine();
  await steady();
  engine!.kill('SIGSTOP');
  await pass(25);
  engine!.kill('SIGCONT');
  await gone();
  const overview = await expectUnblamed();
  expect(finding(overview, 'clock.away')).toMatch(/stood still for \d+ s/);
  // On a busy machine it may have stood for some seconds at other times, too.
  const stoodS = overview.events.flatMap(({ kind, untilMs, tMs }) =>
    kind === 'clock' && untilMs !== undefined ? [(untilMs - tMs) / 1_000] : [],
  );
  expect(Math.max(...stoodS)).toBeGreaterThanOrEqual(25);
});

test('the engine is killed, its clock is a minute behind when the next one reads on', async () => {
  startEngine(24);
  setWall(60);
  await steady();
  engine!.kill('SIGKILL');
  await gone();
  await pass(3);
  const overview = await expectUnblamed(24);
  expect(finding(overview, 'clock.step')).toContain('stepped back by 60 s');
  expect(finding(overview, 'engineRestarted')).toContain('restarted');
});
