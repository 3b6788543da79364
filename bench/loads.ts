import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { type EngineOnLab, startEngineOnLab } from '../e2e/lab/engineOnLab.ts';
import { processesWith } from '../e2e/lab/processes.ts';
import { type LabSshd, startSshd } from '../e2e/lab/sshd.ts';
import { type PlanFile, planFileSchema } from '../src/core/plan/plan.ts';
import type { Profile } from '../src/core/profile/profile.ts';
import type { RunOverview } from '../src/core/run/run.ts';
import { isEnd } from '../src/core/run/states.ts';
import type { Emit } from '../src/wire/contract.ts';
import { importOwn, sourceOf } from '../src/wire/importOwn.ts';
import type { BenchResult, BenchRow } from './row.ts';

const clientCount = Number(process.env['BENCH_CLIENTS'] ?? 200);
const jobsPerClient = 6;
const jobCount = clientCount * jobsPerClient;
const steadyS = 300;
const measuredS = 20;
/** The budgets of the design point, each by its name below. */
const budgets = { startS: 60, enginePct: 10, left: 0 } as const;

/**
 * One process that prints a line per second and computes nothing: what is measured is the console
 * and the shell around each load, and 1,200 of tilekit would need more memory than a small machine
 * has.
 */
const load =
  'exec perl -e \'$| = 1; for (1 .. $ENV{DURATION_S}) { sleep 1; print "ops 10.5\\n" }\'';

const profile: Profile = {
  schemaVersion: 1,
  id: 'many-loads',
  version: '1',
  name: 'Many light loads',
  description: 'For the bench',
  resultName: 'scaling study',
  minimumHosts: 1,
  workloads: Array.from({ length: jobsPerClient }, (_, i) => ({
    id: `w${i}`,
    role: `w${i}`,
    name: `Load ${i}`,
    driver: 'command' as const,
    params: { command: load, pattern: 'ops (?<throughput>[0-9.]+)', decimals: 1 },
    unit: 'ops/s',
    scored: true,
    reference: 10,
    referenceSource: 'bench',
    qos: [],
  })),
  // The first phase is as long as the budget: a late start shows.
  phases: { rampUpS: budgets.startS, staggerS: 0, steadyS, periods: 1, rampDownS: 5 },
  scoring: { tile: 'geometricMean', total: 'sum', periods: 'median', source: 'bench' },
};

const planOf = (clients: readonly LabSshd[]): PlanFile =>
  planFileSchema.parse({
    tilebenchPlan: 1,
    profile,
    connections: clients.map((client) => ({
      kind: 'client',
      id: client.name,
      name: client.name,
      host: client.host,
      port: client.port,
      user: client.user,
      auth: { method: 'key', path: client.privateKeyPath },
      hostKeySha256: client.hostKeySha256,
    })),
    testbed: {
      id: 'many-clients',
      name: 'Many clients',
      profileId: profile.id,
      vcenterId: null,
      powerIds: [],
      tiles: clients.map((client, index) => ({
        index,
        workloads: profile.workloads.map(({ id }) => ({
          workloadId: id,
          clientId: client.name,
          vm: null,
          params: {},
        })),
      })),
    },
    plan: {
      id: 'many-loads',
      name: 'Many loads',
      testbedId: 'many-clients',
      profileId: profile.id,
      tiles: clients.length,
      phases: profile.phases,
    },
  });

/** In batches: each is a key pair, a process and a port that is waited for. */
async function startClients(dir: string): Promise<LabSshd[]> {
  const keysDir = new URL('../e2e/lab/keys', import.meta.url).pathname;
  const clients: LabSshd[] = [];
  while (clients.length < clientCount) {
    const names = Array.from(
      { length: Math.min(10, clientCount - clients.length) },
      (_, i) => `client${clients.length + i + 1}`,
    );
    clients.push(
      ...(await Promise.all(
        names.map((name) =>
          startSshd({
            name,
            dir: join(dir, name),
            keysDir,
            // Sessions of one client are no other client's processes.
            ownProcesses: process.getuid?.() === 0,
          }),
        ),
      )),
    );
  }
  return clients;
}

interface Figures {
  checkS: number;
  prepareS: number;
  startS: number;
  enginePct: number;
  rssMb: number;
  silent: number;
  stopS: number;
  processesLeft: number;
  filesLeft: number;
}

const seconds = (fromMs: number): number => (performance.now() - fromMs) / 1_000;

/** A window's place: gets a copy of each event, as through its port, and keeps the newest overview. */
function createWatcher() {
  let newest: RunOverview | null = null;
  let look = (): void => undefined;
  const emit: Emit = (event, payload) => {
    const copy: unknown = structuredClone(payload);
    if (event !== 'run.changed') return;
    newest = copy as RunOverview;
    look();
  };
  return {
    emit,
    until: (holds: (overview: RunOverview) => boolean): Promise<RunOverview> =>
      new Promise((resolve, reject) => {
        look = () => {
          if (newest === null) return;
          if (holds(newest)) resolve(newest);
          else if (isEnd(newest.state))
            reject(new Error(`The run ended: ${newest.verdict?.sentence ?? newest.state}`));
        };
        look();
      }),
  };
}
type Watcher = ReturnType<typeof createWatcher>;

/** Processor of this process over some seconds, % of one core. */
async function enginePct(): Promise<number> {
  const before = process.cpuUsage();
  const fromMs = performance.now();
  await delay(measuredS * 1_000);
  const used = process.cpuUsage(before);
  return (used.user + used.system) / 10_000 / seconds(fromMs);
}

async function measure(
  on: EngineOnLab,
  watcher: Watcher,
  clients: readonly LabSshd[],
  dir: string,
): Promise<Figures> {
  const file = planOf(clients);
  await importOwn(on, sourceOf(file));
  const checkFrom = performance.now();
  const report = await on.call('plan.check', { id: file.plan.id });
  const checkS = seconds(checkFrom);
  const blocks = report.findings.filter(({ severity }) => severity === 'block');
  if (blocks.length > 0) throw new Error(`Not ready: ${blocks[0]!.evidence}`);
  const launchFrom = performance.now();
  const { runId } = await on.call('run.start', {
    planId: file.plan.id,
    checkedHash: report.hash,
  });
  await watcher.until(({ startedAtMs }) => startedAtMs !== null);
  const prepareS = seconds(launchFrom);
  const startFrom = performance.now();
  await watcher.until(({ workloads }) => workloads.every(({ state }) => state === 'running'));
  const startS = seconds(startFrom);
  await watcher.until(({ workloads }) => workloads.every((one) => one.lastSampleMs !== null));
  const pct = await enginePct();
  const rssMb = process.memoryUsage.rss() / 1e6;
  const stopFrom = performance.now();
  await on.call('run.abort', { id: runId, hard: false });
  const ended = await watcher.until(({ state }) => isEnd(state));
  const stopS = seconds(stopFrom);
  for (const { text } of ended.findings.filter(({ severity }) => severity !== 'info').slice(0, 5))
    process.stderr.write(`  ${text}\n`);
  return {
    checkS,
    prepareS,
    startS,
    enginePct: pct,
    rssMb,
    silent: ended.workloads.filter(({ lastSampleMs }) => lastSampleMs === null).length,
    stopS,
    processesLeft: processesWith('TILEBENCH_JOB', dir, 'prefix').length,
    filesLeft: clients.reduce((sum, { home }) => {
      const kept = join(home, '.tilebench');
      return sum + (existsSync(kept) ? readdirSync(kept).length : 0);
    }, 0),
  };
}

/** 1,200 light loads on 200 clients through the engine's own runner: check, start, follow, stop. */
export async function run(): Promise<BenchResult[]> {
  const dir = mkdtempSync(join(tmpdir(), 'tilebench-loads-'));
  const clients = await startClients(dir);
  const watcher = createWatcher();
  const on = await startEngineOnLab({ emit: watcher.emit });
  try {
    const figures = await measure(on, watcher, clients, dir);
    const row = (label: string, value: number, unit: string, budget?: number): BenchRow => ({
      label,
      value,
      unit,
      ...(budget === undefined ? {} : { budget }),
    });
    return [
      {
        name: `${jobCount} light loads on ${clientCount} clients, a line per second each`,
        rows: [
          row('check of the plan', figures.checkS, 's'),
          row('from launch to ramp-up', figures.prepareS, 's'),
          row('from ramp-up to all loads running', figures.startS, 's', budgets.startS),
          row('engine in steady state', figures.enginePct, '% of one core', budgets.enginePct),
          row('memory of the engine', figures.rssMb, 'MB'),
          row('loads that told nothing', figures.silent, '', 0),
          row('from abort to the end of the run', figures.stopS, 's'),
          row('processes left on the clients', figures.processesLeft, '', budgets.left),
          row('folders of the run left on the clients', figures.filesLeft, '', budgets.left),
        ],
      },
    ];
  } finally {
    await on.close();
    await Promise.all(clients.map((client) => client.stop()));
    rmSync(dir, { recursive: true, force: true });
  }
}
