import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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
import { listProcesses, processesWith, readProc, signalAll } from '../../../e2e/lab/processes.ts';
import { startSshd } from '../../../e2e/lab/sshd.ts';
import { startTcpProxy } from '../../../e2e/lab/tcpProxy.ts';
import type { PlanFile } from '../../../src/core/plan/plan.ts';
import type { RunOverview } from '../../../src/core/run/run.ts';
import { importOwn, sourceOf } from '../../../src/wire/importOwn.ts';

let dir: string;
let lab: Lab;
let on: EngineOnLab;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'tb-'));
  lab = await startLab({ dir, tiles: 1 });
});
afterAll(async () => {
  await lab.stop();
  rmSync(dir, { recursive: true, force: true });
});
afterEach(async () => {
  await on.close();
});

const text = (overview: RunOverview, id: string): string =>
  overview.findings.find((f) => f.id.startsWith(id))?.text ??
  `no finding ${id}; there are ${overview.findings.map((f) => f.id).join(', ')}`;
const steady = (id: string): Promise<RunOverview> => on.untilSteady(id);
const withClient = (
  change: Partial<Extract<PlanFile['connections'][number], { kind: 'client' }>>,
): PlanFile['connections'] =>
  lab.plan.connections.map((c) =>
    c.kind === 'client' && c.id === 'client1' ? { ...c, ...change } : c,
  );
/** Processes of any job of a run, wherever they are. */
const leftRunning = (runId: string): number[] =>
  listProcesses()
    .filter(
      (p) =>
        p.state !== 'Z' &&
        new RegExp(`TILEBENCH_JOB=[^\0]*${runId}`).test(readProc(`/proc/${p.pid}/environ`)),
    )
    .map((p) => p.pid);
/** Every second of the load is stored, once. */
async function expectEverySecond(runId: string): Promise<void> {
  const { seconds, leastStep, missing, mayMiss } = await on.everySecond(runId, 't0.java');
  expect(seconds.length).toBeGreaterThan(20);
  expect(leastStep).toBeGreaterThanOrEqual(1);
  expect(missing).toBeLessThanOrEqual(mayMiss);
}
/** The load's own process, once it is there. */
const loadOf = (runId: string): Promise<number[]> =>
  poll('the process of the load', () => {
    const found = leftRunning(runId).filter(
      (pid) => readProc(`/proc/${pid}/comm`).trim() === 'sysbench',
    );
    return found.length > 0 ? found : null;
  });

test('sshd killed and restarted in steady state: no second lost, the run passes and says so', async () => {
  on = await startEngineOnLab();
  const id = await on.launch(faultPlan(lab.plan));
  await steady(id);
  await lab.clients[0]!.kill();
  await on.until(id, 'the lost connection', (o) => o.workloads.some((w) => w.state === 'lost'));
  await lab.clients[0]!.restart();
  const overview = await on.untilEnd(id);
  expect(overview).toMatchObject({ state: 'passed', verdict: { outcome: 'passed' } });
  expect(text(overview, 'outage.client1')).toMatch(/^client1 lost .*, recovered, no sample/);
  await expectEverySecond(id);
  expect(leftRunning(id)).toEqual([]);
});

test('TCP cut for 30 s: no second lost', async () => {
  on = await startEngineOnLab();
  const proxy = await startTcpProxy(lab.clients[0]!.port);
  try {
    const id = await on.launch(
      faultPlan(lab.plan, {
        connections: withClient({ port: proxy.port }),
        phases: { steadyS: 50 },
      }),
    );
    await steady(id);
    proxy.cut();
    const cutAt = Date.now();
    await on.until(id, 'the lost connection', (o) => o.workloads.every((w) => w.state === 'lost'));
    await poll('30 s of cut', () => Date.now() - cutAt >= 30_000);
    proxy.heal();
    const overview = await on.untilEnd(id);
    expect(overview.state).toBe('passed');
    await expectEverySecond(id);
    expect(overview.events.filter((e) => e.kind === 'recovered').length).toBeGreaterThanOrEqual(1);
  } finally {
    await proxy.stop();
  }
});

test('client hung (SIGSTOP): shown as lost, read on when it comes back', async () => {
  on = await startEngineOnLab();
  const id = await on.launch(faultPlan(lab.plan, { phases: { steadyS: 40 } }));
  await steady(id);
  lab.clients[0]!.freeze();
  await on.until(id, 'the hung client shown as lost', (o) =>
    o.workloads.every((w) => w.state === 'lost'),
  );
  lab.clients[0]!.thaw();
  const overview = await on.untilEnd(id);
  expect(overview.state).toBe('passed');
  await expectEverySecond(id);
});

test('a hung driver program is told as silent', async () => {
  // Silence of a load that is only slow must not be taken for it.
  on = await startEngineOnLab({ limits: { silentMs: 8_000, lostMs: 8_000, graceMs: 2_000 } });
  const id = await on.launch(faultPlan(lab.plan, { phases: { steadyS: 60 } }));
  await steady(id);
  signalAll(await loadOf(id), 'SIGSTOP');
  const overview = await on.untilEnd(id);
  expect(overview).toMatchObject({ state: 'failed', abortReason: 'hostUnreachable' });
  expect(text(overview, 'outage.client1')).toMatch(/^No sample of Tile 1 .* from client1 since/);
  expect(leftRunning(id)).toEqual([]);
});

test('vCenter session expired, then vCenter killed and back: counters are filled in, no wrong end', async () => {
  on = await startEngineOnLab();
  const id = await on.launch(faultPlan(lab.plan, { phases: { steadyS: 50 } }));
  await steady(id);
  await lab.vcenter.control.expireSessions();
  await lab.vcenter.kill();
  await on.until(id, 'the finding on vCenter', (o) =>
    o.findings.some((f) => f.id === 'outage.lab-vcenter' && f.severity === 'warn'),
  );
  await lab.vcenter.restart();
  const overview = await on.untilEnd(id);
  expect(overview.state).toBe('passed');
  expect(text(overview, 'outage.lab-vcenter')).toMatch(/did not answer .*, recovered/);
  const host = overview.series.find((s) => s.entity.kind === 'host' && s.metric === 'cpuPct')!;
  const times = await on.seconds(id, host.entity.id, 'cpuPct');
  expect(times.length).toBeGreaterThanOrEqual(2);
  expect(times.every((t, i) => i === 0 || t - times[i - 1]! === 20)).toBe(true);
  // The clients were there all the time: their processors are read over SSH, beside vCenter.
  const client = overview.series.find((s) => s.metric === 'clientCpuPct')!;
  const [cpu] = await on.call('run.samples', { runId: id, seriesIds: [client.id], maxPoints: 0 });
  expect(cpu!.value.length).toBeGreaterThanOrEqual(2);
  expect([...cpu!.value].every((value) => value > 0 && value <= 100)).toBe(true);
  expect(client.periodMs).toBe(1_000);
  expect(cpu!.value.length).toBeGreaterThan(20);
  // All that this machine tells of itself, told by each client, which is this machine.
  const ofClient = overview.series.filter((s) => s.entity.id === client.entity.id);
  const pressure = existsSync('/proc/pressure/cpu') ? ['cpuPressurePct', 'ioPressurePct'] : [];
  expect(ofClient.map((s) => s.metric)).toEqual(
    expect.arrayContaining(['stealPct', 'memoryPct', 'netKbps', ...pressure]),
  );
  const [memory] = await on.call('run.samples', {
    runId: id,
    seriesIds: [ofClient.find((s) => s.metric === 'memoryPct')!.id],
    maxPoints: 0,
  });
  expect([...memory!.value].every((value) => value > 0 && value < 100)).toBe(true);
});

test('the driver exits early: the run fails with its words, nothing is left', async () => {
  on = await startEngineOnLab();
  const id = await on.launch(faultPlan(lab.plan, { phases: { steadyS: 60 } }));
  await steady(id);
  signalAll(await loadOf(id), 'SIGKILL');
  const overview = await on.untilEnd(id);
  expect(overview).toMatchObject({ state: 'failed', abortReason: 'workloadFailed' });
  expect(overview.verdict?.sentence).toContain('ended before its time');
  expect(leftRunning(id)).toEqual([]);
});

test('a client whose clock is 90 s ahead: samples lie at the right time, the check names the offset', async () => {
  on = await startEngineOnLab();
  const skewed = await startSshd({ name: 'skewed', dir: join(dir, 'skewed'), clockOffsetS: 90 });
  try {
    const file = faultPlan(lab.plan, {
      connections: withClient({ port: skewed.port, hostKeySha256: skewed.hostKeySha256 }),
    });
    await importOwn(on, sourceOf(file));
    const report = await on.call('plan.check', { id: file.plan.id });
    const told = report.findings.find((f) => f.id === 'client.clockOffset')!;
    expect(told.severity).toBe('warn');
    const [, offsetMs, errorMs] = /^\+(\d+) ms ± (\d+) ms/.exec(told.evidence)!.map(Number);
    expect(Math.abs(offsetMs! - 90_000)).toBeLessThanOrEqual(errorMs! + 2);
    const { runId } = await on.call('run.start', {
      planId: file.plan.id,
      checkedHash: report.hash,
    });
    await on.untilEnd(runId);
    const seconds = await on.seconds(runId, 't0.java');
    // By the client's own clock it would lie 90 s off; how late a load begins is the machine's
    // affair.
    expect(seconds[0]).toBeLessThan(45);
    expect(seconds[0]).toBeGreaterThanOrEqual(0);
    await expectEverySecond(runId);
  } finally {
    await skewed.stop();
  }
});

test('wrong trust and missing driver are refused before launch, each in its words', async () => {
  on = await startEngineOnLab();
  const checked = async (file: PlanFile): Promise<string> => {
    await importOwn(on, sourceOf(file));
    const report = await on.call('plan.check', { id: file.plan.id });
    expect(report.ready).toBe(false);
    return report.findings
      .filter((f) => f.severity === 'block')
      .map((f) => `${f.title}: ${f.evidence} ${f.fix ?? ''}`)
      .join('\n');
  };
  expect(
    await checked(
      faultPlan(lab.plan, {
        connections: withClient({ hostKeySha256: `SHA256:${'A'.repeat(43)}` }),
      }),
    ),
  ).toMatch(/host key/i);
  const wrongPin = lab.plan.connections.map((c) =>
    c.kind === 'vcenter'
      ? {
          ...c,
          fingerprint256: lab.vcenter.fingerprint256.replace(/^../, (two) =>
            two === '00' ? '11' : '00',
          ),
        }
      : c,
  );
  expect(await checked(faultPlan(lab.plan, { connections: wrongPin }))).toMatch(/certificate/i);
  const badPassword = join(dir, 'bad-password');
  writeFileSync(badPassword, 'wrong\n');
  expect(
    await checked(
      faultPlan(lab.plan, {
        connections: lab.plan.connections.map((c) =>
          c.kind === 'vcenter' ? { ...c, password: { file: badPassword } } : c,
        ),
      }),
    ),
  ).toMatch(/password|user|login/i);
  const bare = await startSshd({
    name: 'bare',
    dir: join(dir, 'bare'),
    env: { PATH: emptyPath() },
  });
  try {
    expect(
      await checked(
        faultPlan(lab.plan, {
          connections: withClient({ port: bare.port, hostKeySha256: bare.hostKeySha256 }),
        }),
      ),
    ).toContain('sysbench is not installed');
  } finally {
    await bare.stop();
  }
});

/** A PATH with what a shell needs, without the drivers. */
function emptyPath(): string {
  const path = join(dir, 'bin');
  mkdirSync(path, { recursive: true });
  for (const name of [
    'sh',
    'uname',
    'nproc',
    'cut',
    'date',
    'head',
    'ls',
    'mkdir',
    'rmdir',
    'rm',
    'cat',
    'sed',
    'grep',
    'touch',
    'mv',
    'sleep',
    'setsid',
    'env',
    'test',
    'ps',
    'kill',
    'id',
    'tr',
    'awk',
    'stat',
    'wc',
    'dd',
    'tail',
    'nohup',
    'chmod',
  ]) {
    execFileSync('sh', ['-c', `ln -sf "$(command -v ${name})" ${join(path, name)}`]);
  }
  return path;
}

test('the engine is killed with SIGKILL in steady state: the next one reads on without gap or duplicate', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'tb-killed-'));
  const file = faultPlan(lab.plan, { phases: { steadyS: 100 } });
  const planPath = join(dir, 'killed.json');
  writeFileSync(planPath, JSON.stringify(file));
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
    await poll('load on the client', () =>
      processesWith('TILEBENCH_JOB', lab.clients[0]!.home, 'prefix').some(
        (pid) => readProc(`/proc/${pid}/comm`).trim() === 'sysbench',
      ),
    );
    const since = Date.now();
    await poll('some seconds of steady state', () => Date.now() - since > 5_000);
    child.kill('SIGKILL');
    await poll('the first engine gone', () => child.signalCode !== null || child.exitCode !== null);
    const gone = Date.now();
    await poll('some seconds without an engine', () => Date.now() - gone > 8_000);
    on = await startEngineOnLab({ dataDir });
    const [run] = await on.call('run.list', {});
    const overview = await on.untilEnd(run!.id);
    expect(overview).toMatchObject({ state: 'passed', verdict: { outcome: 'passed' } });
    expect(text(overview, 'engineRestarted')).toContain('restarted');
    await expectEverySecond(run!.id);
    // The meter has no history: the time without an engine is a gap, never an interpolation.
    const watts = await on.seconds(run!.id, 'lab-power', 'powerW');
    expect(
      Math.max(...watts.map((t, i) => (i === 0 ? 0 : t - watts[i - 1]!))),
    ).toBeGreaterThanOrEqual(8);
    expect(leftRunning(run!.id)).toEqual([]);
  } finally {
    child.kill('SIGKILL');
  }
});

test('disk full: the run ends as failed with words, the stored seconds stay, nothing is left running', async () => {
  const mount = join(dir, 'small');
  mkdirSync(mount);
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=100m', 'tmpfs', mount]);
  try {
    on = await startEngineOnLab({
      dataDir: mount,
      limits: { graceMs: 2_000, storePatienceMs: 5_000 },
    });
    const file = faultPlan(lab.plan, { phases: { steadyS: 90 } });
    await importOwn(on, sourceOf(file));
    execFileSync('fallocate', ['-l', '60m', join(mount, 'other')]);
    const early = await on.call('plan.check', { id: file.plan.id });
    expect(early.findings.find((f) => f.id === 'engine.disk')).toMatchObject({
      severity: 'block',
      fix: expect.stringContaining('Free space'),
    });
    await expect(
      on.call('run.start', { planId: file.plan.id, checkedHash: early.hash }),
    ).rejects.toMatchObject({ kind: 'conflict' });
    rmSync(join(mount, 'other'));
    const report = await on.call('plan.check', { id: file.plan.id });
    const { runId } = await on.call('run.start', {
      planId: file.plan.id,
      checkedHash: report.hash,
    });
    await steady(runId);
    const stored = (await on.seconds(runId, 't0.java')).length;
    execFileSync('sh', ['-c', `cat /dev/zero > ${join(mount, 'filler')} 2>/dev/null || true`]);
    const overview = await on.untilEnd(runId);
    expect(overview).toMatchObject({ state: 'failed', abortReason: 'storeFailed' });
    expect(text(overview, 'store')).toMatch(/disk/i);
    expect((await on.seconds(runId, 't0.java')).length).toBeGreaterThanOrEqual(stored);
    expect(leftRunning(runId)).toEqual([]);
    rmSync(join(mount, 'filler'));
    await poll(
      'the end of the run stored once there is space',
      async () => (await on.call('run.list', {}))[0]?.state === 'failed',
    );
  } finally {
    await on.engine.close();
    execFileSync('umount', ['-l', mount]);
  }
});
