import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { faultPlan, faultProfile, hasTold } from '../../e2e/lab/engineOnLab.ts';
import { type Lab, startLab } from '../../e2e/lab/lab.ts';
import { poll } from '../../e2e/lab/poll.ts';
import { listProcesses, readProc } from '../../e2e/lab/processes.ts';
import type { PlanFile } from '../../src/core/plan/plan.ts';

let dir: string;
let lab: Lab;
let dataDir: string;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'tb-'));
  lab = await startLab({ dir, tiles: 1 });
});
afterAll(async () => {
  await lab.stop();
  rmSync(dir, { recursive: true, force: true });
});
beforeEach(() => {
  dataDir = mkdtempSync(join(dir, 'data-'));
});

interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}
interface Running {
  ended: Promise<Ended>;
  stderr: () => string;
  interrupt: () => void;
  pid: number;
}
function tilebench(...args: string[]): Running {
  const child = spawn(process.execPath, ['workers/cli.ts', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (bytes: Buffer) => {
    stdout += bytes.toString();
  });
  child.stderr.on('data', (bytes: Buffer) => {
    stderr += bytes.toString();
  });
  return {
    ended: new Promise((done) => {
      child.on('close', (code) => done({ code, stdout, stderr }));
    }),
    stderr: () => stderr,
    interrupt: () => child.kill('SIGINT'),
    pid: child.pid!,
  };
}
const short = (change: Partial<PlanFile['plan']['phases']> = {}): PlanFile =>
  faultPlan(lab.plan, { phases: { rampUpS: 2, steadyS: 8, rampDownS: 1, ...change } });
function planFile(name: string, plan: unknown): string {
  const path = join(dir, name);
  writeFileSync(path, JSON.stringify(plan, null, 2));
  return path;
}
const jobsOf = (): number[] =>
  listProcesses()
    .filter(
      (p) =>
        p.state !== 'Z' &&
        readProc(`/proc/${p.pid}/environ`).includes(`TILEBENCH_JOB=${lab.clients[0]!.home}`),
    )
    .map((p) => p.pid);

test('a run that passes ends with 0, one JSON object on stdout, progress on stderr; its runs can be listed, shown, exported; no secret is anywhere', async () => {
  const run = tilebench(
    'run',
    planFile('ok.json', short()),
    '--trust',
    '--data',
    dataDir,
    '--json',
  );
  await poll('load on the client', () => jobsOf().length > 0);
  const secret = lab.vcenter.password;
  // The simulator itself carries its password in its environment; nobody has it in a command line.
  expect(
    listProcesses().filter((p) => readProc(`/proc/${p.pid}/cmdline`).includes(secret)),
  ).toEqual([]);
  expect(readProc(`/proc/${run.pid}/environ`)).not.toContain(secret);
  const { code, stdout, stderr } = await run.ended;
  expect({ code, tail: code === 0 ? '' : stderr.slice(-800) }).toEqual({ code: 0, tail: '' });
  const result = JSON.parse(stdout) as {
    outcome: string;
    run: { id: string; score: { total: number | null } };
  };
  expect(result.outcome).toBe('passed');
  expect(result.run.score.total).toBeGreaterThan(0);
  expect(stderr).toContain('steady');

  const listed = await tilebench('runs', 'list', '--data', dataDir, '--json').ended;
  expect(listed.code).toBe(0);
  expect(listed.stdout).toContain(result.run.id);
  const out = join(dataDir, 'out.csv');
  const exported = await tilebench(
    'runs',
    'export',
    result.run.id,
    '--data',
    dataDir,
    '--format',
    'csv',
    '--output',
    out,
  ).ended;
  expect({ code: exported.code, said: exported.code === 0 ? '' : exported.stderr }).toEqual({
    code: 0,
    said: '',
  });
  // How many seconds a busy client prints is its affair: as many as the JSON has of them.
  const json = JSON.parse(
    (
      await tilebench(
        'runs',
        'export',
        result.run.id,
        '--data',
        dataDir,
        '--format',
        'json',
        '-o',
        '-',
      ).ended
    ).stdout,
  ) as { series: { metric: string; unit: string; value: number[] }[] };
  const seconds = json.series.find((s) => s.metric === 'throughput' && s.unit === 'events/s')!;
  expect(seconds.value.length).toBeGreaterThan(1);
  expect(
    readFileSync(out, 'utf8')
      .split('\r\n')
      .filter((row) => row.includes(',throughput,events/s,')).length,
  ).toBe(seconds.value.length);

  for (const file of readdirSync(dataDir, { recursive: true, encoding: 'utf8' })
    .map((name) => join(dataDir, name))
    .filter((path) => statSync(path).isFile())) {
    expect({ file, holds: readFileSync(file).includes(secret) }).toEqual({ file, holds: false });
  }
  expect(
    execFileSync('sh', [
      '-c',
      `grep -rl "${secret}" ${lab.clients.map((c) => c.home).join(' ')} || true`,
    ]).toString(),
  ).toBe('');
});

test('bad input ends with 2 and names line and column', async () => {
  const path = planFile('bad.json', { ...short(), plan: { ...short().plan, tiles: 'two' } });
  const { code, stderr } = await tilebench('run', path, '--data', dataDir).ended;
  expect(code).toBe(2);
  expect(stderr).toMatch(/bad\.json:\d+:\d+: plan\.tiles/);
});

test('a plan that the check forbids ends with 3 and says why', async () => {
  const plan = short();
  const path = planFile('forbidden.json', {
    ...plan,
    connections: plan.connections.map((c) => (c.kind === 'client' ? { ...c, port: 1 } : c)),
  });
  const { code, stderr, stdout } = await tilebench('run', path, '--trust', '--data', dataDir).ended;
  expect(code).toBe(3);
  expect(`${stderr}${stdout}`).toMatch(/127\.0\.0\.1/);
});

test('a missed QoS limit ends with 6', async () => {
  const plan = short();
  const strict = {
    ...faultProfile,
    workloads: faultProfile.workloads.map((w) =>
      w.id === 'java'
        ? {
            ...w,
            qos: [{ metric: 'latencyP95Ms' as const, max: 0.0001, unit: 'ms', source: 'test' }],
          }
        : w,
    ),
  };
  const { code, stdout } = await tilebench(
    'run',
    planFile('strict.json', { ...plan, profile: strict }),
    '--trust',
    '--data',
    dataDir,
  ).ended;
  expect(code).toBe(6);
  expect(stdout).toMatch(/Java p95 .*, limit 0\.0001/);
});

test('Ctrl-C once ends gracefully with 5 and leaves nothing on the client', async () => {
  const run = tilebench(
    'run',
    planFile('long.json', short({ steadyS: 100 })),
    '--trust',
    '--data',
    dataDir,
  );
  await poll('steady state', () => hasTold(run.stderr(), 'steady'));
  run.interrupt();
  expect((await run.ended).code).toBe(5);
  expect(jobsOf()).toEqual([]);
});

test('Ctrl-C twice ends at once with 5 and leaves nothing on the client', async () => {
  const run = tilebench(
    'run',
    planFile('long.json', short({ steadyS: 100 })),
    '--trust',
    '--data',
    dataDir,
  );
  await poll('steady state', () => hasTold(run.stderr(), 'steady'));
  run.interrupt();
  await poll('the first interrupt is taken', () => run.stderr().includes('interrupt again'));
  run.interrupt();
  const { code, stderr } = await run.ended;
  expect(code).toBe(5);
  expect(stderr).toContain('Ending the run at once.');
  expect(jobsOf()).toEqual([]);
});

test('load that dies ends with 4 and names the workload', async () => {
  const run = tilebench(
    'run',
    planFile('long.json', short({ steadyS: 100 })),
    '--trust',
    '--data',
    dataDir,
  );
  await poll('steady state', () => hasTold(run.stderr(), 'steady'));
  const driver = await poll('the process of the load', () =>
    jobsOf().find((pid) => readProc(`/proc/${pid}/cmdline`).startsWith('sysbench')),
  );
  process.kill(driver, 'SIGKILL');
  const { code, stdout } = await run.ended;
  expect(code).toBe(4);
  expect(stdout).toMatch(/Tile 1 Java failed: it ended before its time \(exit code 137\)/);
  expect(jobsOf()).toEqual([]);
});

test('two runs are compared, with a delta and a verdict', async () => {
  const path = planFile('ok.json', short());
  const ids: string[] = [];
  for (let i = 0; i < 2; i += 1)
    ids.push(
      (
        JSON.parse(
          (await tilebench('run', path, '--trust', '--data', dataDir, '--json').ended).stdout,
        ) as {
          run: { id: string };
        }
      ).run.id,
    );
  const { code, stdout } = await tilebench('runs', 'compare', ...ids, '--data', dataDir, '--json')
    .ended;
  expect(code).toBe(0);
  const comparison = JSON.parse(stdout) as {
    baselineId: string;
    sentence: string;
    rows: { key: string; values: (number | null)[]; deltaPct: (number | null)[] }[];
    guards: string[];
  };
  expect(comparison).toMatchObject({ baselineId: ids[0], guards: [] });
  expect(comparison.sentence).not.toBe('');
  const throughput = comparison.rows.find(
    (row) => row.key.includes('throughput') && row.values.every((value) => value !== null),
  )!;
  expect(throughput.deltaPct[1]).toBeCloseTo(
    ((throughput.values[1]! - throughput.values[0]!) / throughput.values[0]!) * 100,
    6,
  );
});
