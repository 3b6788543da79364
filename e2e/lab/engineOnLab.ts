import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { PlanFile } from '../../src/core/plan/plan.ts';
import type { Profile } from '../../src/core/profile/profile.ts';
import type { RunOverview } from '../../src/core/run/run.ts';
import { runStateWord } from '../../src/core/run/runWords.ts';
import { isEnd, type RunState } from '../../src/core/run/states.ts';
import { type Emit, type Input, type MethodName, type Output } from '../../src/wire/contract.ts';
import { importOwn, sourceOf } from '../../src/wire/importOwn.ts';
import { callHandler, checkEvent } from '../../src/wire/serve.ts';
import { createEngine, type Engine } from '../../workers/engine/engine.ts';
import type { RunLimits } from '../../workers/engine/runs/context.ts';
import { createRealDeps } from '../../workers/realDeps.ts';
import { sessionVault } from '../../workers/secrets.ts';
import { poll } from './poll.ts';

/** Light, quick load for tests of faults: one scored workload and a heartbeat. */
export const faultProfile: Profile = {
  schemaVersion: 1,
  id: 'fault-tile',
  version: '1',
  name: 'Fault tile',
  description: 'For tests',
  resultName: 'scaling study',
  minimumHosts: 1,
  workloads: [
    {
      id: 'java',
      role: 'java',
      name: 'Java',
      driver: 'sysbench-cpu',
      params: { rate: 50 },
      unit: 'events/s',
      scored: true,
      reference: 50,
      referenceSource: 'test',
      qos: [],
    },
    {
      id: 'standby',
      role: 'standby',
      name: 'Standby',
      driver: 'heartbeat',
      params: {},
      unit: 'beats/s',
      scored: false,
      reference: null,
      referenceSource: 'not scored',
      qos: [],
    },
  ],
  phases: { rampUpS: 3, staggerS: 0, steadyS: 24, periods: 2, rampDownS: 2 },
  scoring: { tile: 'geometricMean', total: 'sum', periods: 'median', source: 'test' },
};

/** The lab's plan file with the fault profile on one client, plus changes. */
export function faultPlan(
  base: PlanFile,
  change: { phases?: Partial<Profile['phases']>; connections?: PlanFile['connections'] } = {},
): PlanFile {
  const workloads = faultProfile.workloads.map((w) => ({
    ...base.testbed.tiles[0]!.workloads.find((a) => a.workloadId === w.id)!,
    clientId: 'client1',
    params: {},
  }));
  return {
    tilebenchPlan: 1,
    profile: faultProfile,
    connections: change.connections ?? base.connections,
    testbed: { ...base.testbed, profileId: faultProfile.id, tiles: [{ index: 0, workloads }] },
    plan: {
      ...base.plan,
      profileId: faultProfile.id,
      tiles: 1,
      phases: { ...faultProfile.phases, ...change.phases },
      sampling: { workloadMs: 1_000, vcenterMs: 5_000 },
    },
  };
}

/**
 * Whether `tilebench run` has told this state: by the state's own line, because the check before
 * the run speaks of states too.
 */
export const hasTold = (said: string, state: RunState): boolean =>
  said.split('\n').some((line) => line.startsWith(`${runStateWord(state, null)}: `));

export interface EverySecond {
  seconds: number[];
  /** The shortest from one to the next: below 1 where one is there twice. */
  leastStep: number;
  missing: number;
  mayMiss: number;
}

export interface EngineOnLab {
  engine: Engine;
  dataDir: string;
  call<M extends MethodName>(method: M, input: Input<M>): Promise<Output<M>>;
  launch(file: PlanFile): Promise<string>;
  until(
    id: string,
    what: string,
    holds: (overview: RunOverview) => boolean,
    limitMs?: number,
  ): Promise<RunOverview>;
  untilEnd(id: string, limitMs?: number): Promise<RunOverview>;
  /** Steady state, with every workload under load. */
  untilSteady(id: string): Promise<RunOverview>;
  /** Whole seconds of one series since the run's start. */
  seconds(id: string, entityId: string, metric?: string): Promise<number[]>;
  /**
   * Of a load that prints every second: the seconds that are stored, how many are missing between
   * them, and how many may be. Where sysbench itself stalls on a busy machine it skips a second and
   * prints the next one twice: so many as the run says of lines that it could not use.
   */
  everySecond(id: string, entityId: string): Promise<EverySecond>;
  close(): Promise<void>;
}

/** A real engine in this process, on a data folder of its own, or a given one. */
export async function startEngineOnLab(
  options: {
    dataDir?: string;
    limits?: Partial<RunLimits>;
    env?: Readonly<Record<string, string>>;
    /** Who hears of events; default: each is held against the contract. */
    emit?: Emit;
  } = {},
): Promise<EngineOnLab> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'tb-engine-'));
  const deps = createRealDeps({
    host: 'test',
    dataDir,
    resourcesDir: 'resources',
    version: '0.0.0-test',
    vault: sessionVault(),
    env: { ...process.env, ...options.env },
    stderrLevel: 'error',
  });
  const emit: Emit = options.emit ?? checkEvent;
  const engine = await createEngine(deps, emit, {
    // Not the product's patience: a busy machine may not answer within it, and nothing is wrong.
    checkMs: 5 * 60_000,
    ...(options.limits ? { limits: options.limits } : {}),
  });
  const on: EngineOnLab = {
    engine,
    dataDir,
    async call(method, input) {
      const { signal } = new AbortController();
      // The handler map is typed method by method; one generic call cannot carry that through.
      return (await callHandler(engine.handlers, method, input, signal, true)) as Output<
        typeof method
      >;
    },
    async launch(file) {
      await importOwn(on, sourceOf(file));
      const report = await on.call('plan.check', { id: file.plan.id });
      const blocks = report.findings.filter((f) => f.severity === 'block');
      if (blocks.length > 0) throw new Error(`Not ready: ${JSON.stringify(blocks)}`);
      return (await on.call('run.start', { planId: file.plan.id, checkedHash: report.hash })).runId;
    },
    until: (id, what, holds, limitMs = 5 * 60_000) =>
      poll(
        what,
        async () => {
          const overview = await on.call('run.overview', { id });
          return holds(overview) ? overview : null;
        },
        limitMs,
      ),
    untilEnd: (id, limitMs = 8 * 60_000) =>
      on.until(id, 'the end of the run', (o) => isEnd(o.state), limitMs),
    untilSteady: (id) =>
      on.until(
        id,
        'steady state under load',
        (o) =>
          o.state === 'steady' &&
          o.workloads.every((w) => w.state === 'running' && w.lastSampleMs !== null),
      ),
    async everySecond(id, entityId) {
      const seconds = await on.seconds(id, entityId);
      const { findings } = await on.call('run.overview', { id });
      const said = findings.find((f) => f.id === `lines.${entityId}`)?.text ?? '';
      const steps = seconds.slice(1).map((s, i) => s - seconds[i]!);
      return {
        seconds,
        leastStep: Math.min(...steps),
        missing: steps.reduce((sum, step) => sum + step - 1, 0),
        mayMiss: Number(/: (\d+) lines? of/.exec(said)?.[1] ?? 0),
      };
    },
    async seconds(id, entityId, metric = 'throughput') {
      const overview = await on.call('run.overview', { id });
      const def = overview.series.find((s) => s.entity.id === entityId && s.metric === metric);
      if (!def) throw new Error(`No series ${entityId} ${metric}.`);
      const [data] = await on.call('run.samples', { runId: id, seriesIds: [def.id], maxPoints: 0 });
      return [...data!.tMs].map((t) => Math.round((t - overview.startedAtMs!) / 1_000));
    },
    async close() {
      await engine.close();
      if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true });
    },
  };
  return on;
}
