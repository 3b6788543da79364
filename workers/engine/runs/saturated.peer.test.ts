import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import {
  type EngineOnLab,
  faultPlan,
  faultProfile,
  hasTold,
  startEngineOnLab,
} from '../../../e2e/lab/engineOnLab.ts';
import { type Lab, startLab } from '../../../e2e/lab/lab.ts';
import { type LabNginx, startNginx } from '../../../e2e/lab/nginx.ts';
import { poll } from '../../../e2e/lab/poll.ts';
import { processesWith, readProc, signalAll } from '../../../e2e/lab/processes.ts';
import type { PlanFile } from '../../../src/core/plan/plan.ts';
import { complianceFindings } from '../../../src/core/score/compliance.ts';

let dir: string;
let lab: Lab;
let nginx: LabNginx;
let on: EngineOnLab;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'tb-behind-'));
  lab = await startLab({ dir, tiles: 1, clients: 1 });
  nginx = await startNginx({ dir });
});
afterAll(async () => {
  await nginx.stop();
  await lab.stop();
  rmSync(dir, { recursive: true, force: true });
});
afterEach(async () => {
  await on.close();
});

/** One tile that loads the private web server. A second of lateness is no busy machine's. */
function webPlan(steadyS: number, latenessLimitMs: number): PlanFile {
  const file = faultPlan(lab.plan, { phases: { steadyS } });
  const params = {
    host: '127.0.0.1',
    port: nginx.port,
    path: '/page.html',
    rate: 100,
    users: 16,
    latenessLimitMs,
  };
  const [java, ...rest] = faultProfile.workloads;
  const web = { ...java!, id: 'web', role: 'web', name: 'Web', driver: 'tilekit', params };
  return {
    ...file,
    profile: { ...faultProfile, workloads: [{ ...web, unit: 'operations/s' }, ...rest] },
    testbed: {
      ...file.testbed,
      tiles: file.testbed.tiles.map((tile) => ({
        ...tile,
        workloads: tile.workloads.map((one) =>
          one.workloadId === 'java' ? { ...one, workloadId: 'web' } : one,
        ),
      })),
    },
  };
}
const generator = (): number[] =>
  processesWith('TILEBENCH_JOB', lab.clients[0]!.home, 'prefix').filter((pid) =>
    readProc(`/proc/${pid}/comm`).startsWith('tilekit'),
  );
/** What the engine stored of one series of the web load. */
async function stored(runId: string, metric: string): Promise<readonly number[]> {
  const { series } = await on.call('run.overview', { id: runId });
  const def = series.find((one) => one.entity.id === 't0.web' && one.metric === metric)!;
  const [data] = await on.call('run.samples', { runId, seriesIds: [def.id], maxPoints: 0 });
  return [...data!.value];
}
const sum = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0);
const left = (): string[] => readdirSync(lab.clients[0]!.home).filter((name) => /kit/.test(name));

test('a generator that stands still is told as its client falling behind, not as a slow server', async () => {
  on = await startEngineOnLab({ limits: { silentMs: 60_000 } });
  const id = await on.launch(webPlan(30, 1_000));
  const before = nginx.answered();
  const steady = await on.untilSteady(id);
  const pids = await poll('the generator', () => (generator().length > 0 ? generator() : null));
  signalAll(pids, 'SIGSTOP');
  const stoodAt = Date.now();
  await poll('six seconds of standing still', () => Date.now() - stoodAt >= 6_000);
  signalAll(pids, 'SIGCONT');
  const live = await on.until(id, 'the finding while the run goes on', (o) =>
    o.findings.some((f) => f.id === 'saturated.client1'),
  );
  expect(live.state).toBe('steady');
  const overview = await on.untilEnd(id);
  const finding = overview.findings.find((f) => f.id === 'saturated.client1')!;
  expect(finding).toMatchObject({ severity: 'warn', subjects: ['Tile 1 Web'] });
  const [, behindS, ofS] = /in (\d+) of (\d+) seconds: it began up to/
    .exec(finding.text)!
    .map(Number);
  expect(behindS).toBeGreaterThanOrEqual(4);
  expect(ofS).toBeGreaterThanOrEqual(30);
  // Every second that is told is stored, and each lies in a span to be shaded.
  const share = await stored(id, 'clientSaturatedPct');
  expect(share.filter((pct) => pct === 100)).toHaveLength(behindS!);
  expect(Math.max(...(await stored(id, 'clientLateMs')))).toBeGreaterThan(4_000);
  expect(finding.spans!.some(({ fromMs }) => fromMs >= steady.phases[0]!.startMs)).toBe(true);
  // The arrivals of the time it stood were offered late, and all were answered.
  const answered = nginx.answered() - before;
  expect(Math.abs(sum(await stored(id, 'throughput')) / answered - 1)).toBeLessThan(0.01);
  expect(overview.verdict).toMatchObject({
    compliant: false,
    sentence: expect.stringContaining('client1 fell behind'),
  });
  const record = await on.call('run.record', { id });
  expect(complianceFindings(record)).toContainEqual(
    expect.objectContaining({ ruleId: 'clientsKeptUp', state: 'broken' }),
  );
  expect([...generator(), ...left()]).toEqual([]);
});

test('the engine is killed while a web load runs: the next one has every request that the server answered', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'tb-killed-'));
  const planPath = join(dir, 'killed.json');
  writeFileSync(planPath, JSON.stringify(webPlan(60, 60_000)));
  const before = nginx.answered();
  const child = spawn(
    process.execPath,
    ['workers/cli.ts', 'run', planPath, '--trust', '--data', dataDir, '--json'],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let said = '';
  child.stderr.on('data', (bytes: Buffer) => {
    said += bytes.toString();
  });
  try {
    await poll('steady state of the first engine', () => hasTold(said, 'steady'));
    await poll('the generator', () => generator().length > 0);
    child.kill('SIGKILL');
    await poll('the first engine gone', () => child.signalCode !== null || child.exitCode !== null);
    const gone = nginx.answered();
    await poll('load without an engine', () => nginx.answered() - gone > 500);
    on = await startEngineOnLab({ dataDir });
    const [run] = await on.call('run.list', {});
    const overview = await on.untilEnd(run!.id);
    expect(overview).toMatchObject({ state: 'passed', verdict: { outcome: 'passed' } });
    const { leastStep, missing, seconds } = await on.everySecond(run!.id, 't0.web');
    expect(seconds.length).toBeGreaterThan(55);
    expect({ leastStep, missing }).toEqual({ leastStep: 1, missing: 0 });
    const answered = nginx.answered() - before;
    expect(answered).toBeGreaterThan(5_500);
    expect(Math.abs(sum(await stored(run!.id, 'throughput')) / answered - 1)).toBeLessThan(0.01);
    expect([...generator(), ...left()]).toEqual([]);
  } finally {
    child.kill('SIGKILL');
    rmSync(dataDir, { recursive: true, force: true });
  }
});
