import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import type { Plan, PlanFile } from '../../../src/core/plan/plan.ts';
import type { Profile } from '../../../src/core/profile/profile.ts';
import type { RunOverview } from '../../../src/core/run/run.ts';
import type {
  EventName,
  EventPayload,
  Input,
  MethodName,
  Output,
} from '../../../src/wire/contract.ts';
import { importOwn, sourceOf } from '../../../src/wire/importOwn.ts';
import { callHandler, checkEvent } from '../../../src/wire/serve.ts';
import { createSteadyClock } from '../clock/steadyClock.ts';
import { openDatabase } from '../db/open.ts';
import type { Database } from '../db/types.ts';
import { type Clock, type Deps, silentLog } from '../deps.ts';
import type { PerfSeries } from '../deps/vcenter.ts';
import { createEngine, type Engine } from '../engine.ts';
import type { RunLimits } from '../runs/context.ts';
import { createFakeClock, type FakeClock } from './fakeClock.ts';
import { createFakeLab, type FakeLab } from './fakeLab.ts';
import { createFakeTime, type FakeTime } from './fakeTime.ts';

export const testProfile: Profile = {
  schemaVersion: 1,
  id: 'test-tile',
  version: '1',
  name: 'Test tile',
  description: '',
  resultName: 'scaling study',
  minimumHosts: 1,
  workloads: [
    {
      id: 'java',
      role: 'java',
      name: 'Java',
      driver: 'sysbench-cpu',
      params: {},
      unit: 'events/s',
      scored: true,
      reference: 50,
      referenceSource: 'test',
      qos: [{ metric: 'latencyP95Ms', max: 10, unit: 'ms', source: 'test' }],
    },
    {
      id: 'batch',
      role: 'java',
      name: 'Batch',
      driver: 'sysbench-cpu',
      params: {},
      unit: 'events/s',
      scored: true,
      reference: 200,
      referenceSource: 'test',
      qos: [],
    },
  ],
  phases: { rampUpS: 60, staggerS: 20, steadyS: 300, periods: 3, rampDownS: 20 },
  scoring: { tile: 'geometricMean', total: 'sum', periods: 'median', source: 'test' },
};

/** A plan of two tiles on one client, with vCenter and a power meter. */
export function testPlanFile(plan: Partial<Plan> = {}): PlanFile {
  return {
    tilebenchPlan: 1,
    profile: testProfile,
    connections: [
      {
        kind: 'vcenter',
        id: 'vc',
        name: 'vc',
        host: 'vc.test',
        port: 443,
        user: 'u',
        password: { env: 'VC' },
      },
      {
        kind: 'client',
        id: 'c1',
        name: 'client one',
        host: 'c1.test',
        port: 22,
        user: 'u',
        auth: { method: 'password', password: { env: 'VC' } },
      },
      {
        kind: 'power',
        id: 'p1',
        name: 'meter',
        source: {
          type: 'nut',
          host: 'nut.test',
          port: 3493,
          ups: 'ups',
          variable: 'ups.realpower',
          periodMs: 1_000,
        },
      },
    ],
    testbed: {
      id: 'tb',
      name: 'Bed',
      version: 0,
      profileId: 'test-tile',
      vcenterId: 'vc',
      powerIds: ['p1'],
      notes: '',
      tiles: [0, 1].map((index) => ({
        index,
        workloads: ['java', 'batch'].map((workloadId, i) => ({
          workloadId,
          vm: { ref: `vm-${index * 2 + i}`, name: `vm${index * 2 + i}` },
          clientId: 'c1',
          params: {},
        })),
      })),
    },
    plan: {
      id: 'plan',
      name: 'Plan',
      version: 0,
      testbedId: 'tb',
      profileId: 'test-tile',
      tiles: 2,
      phases: testProfile.phases,
      sampling: { workloadMs: 1_000, vcenterMs: 20_000 },
      referenceRunId: null,
      overrides: {},
      study: null,
      notes: '',
      ...plan,
    },
  };
}

export interface Harness {
  clock: FakeClock;
  time: FakeTime;
  lab: FakeLab;
  engine: Engine;
  dataDir: string;
  overviews: RunOverview[];
  /** All that was emitted, in order. */
  events: { event: EventName; payload: unknown }[];
  call<M extends MethodName>(method: M, input: Input<M>): Promise<Output<M>>;
  /** Imports the plan, launches it past its check and returns the run's id. */
  launch(file?: PlanFile): Promise<string>;
  overview(id: string): Promise<RunOverview>;
  /**
   * A new engine on the same data and lab, as after a restart. The old one is closed first; `edit`
   * changes what it left.
   */
  restart(edit?: (db: Database) => void, options?: { resumeStudies?: boolean }): Promise<void>;
  close(): Promise<void>;
}

/** An engine on a fake clock and fake edges, with a real database in a folder of its own. */
export async function createHarness(
  options: {
    limits?: Partial<RunLimits>;
    clockOffsetMs?: number;
    uplinks?: readonly string[];
    vmMetrics?: readonly PerfSeries['metric'][];
    vcenterOffsetMs?: () => number;
    /** In place of the fake ones. */ deps?: Partial<Deps>;
    /** The engine's own time comes from a computer that may sleep and be set: `harness.time`. */
    ownTime?: boolean;
    /** Default: a new one, removed at the end. */
    dataDir?: string;
  } = {},
): Promise<Harness> {
  const clock = createFakeClock();
  const time = createFakeTime(clock);
  let engineClock: Clock = options.ownTime ? createSteadyClock(time.sources) : clock;
  const lab = createFakeLab(clock, {
    engineNow: () => engineClock.now(),
    clockOffsetMs: options.clockOffsetMs ?? 0,
    uplinks: options.uplinks ?? [],
    vmMetrics: options.vmMetrics ?? [],
    ...(options.vcenterOffsetMs ? { vcenterOffsetMs: options.vcenterOffsetMs } : {}),
  });
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'tilebench-engine-'));
  const overviews: RunOverview[] = [];
  const events: Harness['events'] = [];
  let nextId = 0;
  const deps: Deps = {
    ...lab.edges,
    lab: null,
    clock: engineClock,
    dataDir,
    resourcesDir: resolve('resources'),
    host: 'test',
    version: '0.0.0-test',
    env: {},
    ids: { next: (prefix) => `${prefix}-${(nextId += 1)}` },
    log: silentLog,
    secrets: {
      kind: 'session',
      sourceOf: async (ref) => ref,
      get: async () => 'secret',
      set: async () => undefined,
      remove: async () => undefined,
    },
    readTextFile: async () => '',
    ...options.deps,
  };
  const emit = <E extends EventName>(event: E, payload: EventPayload<E>): void => {
    checkEvent(event, payload);
    events.push({ event, payload });
    if (event === 'run.changed') overviews.push(payload as RunOverview);
  };
  const start = (more: { resumeStudies?: boolean } = {}): Promise<Engine> =>
    createEngine(deps, emit, { ...more, ...(options.limits ? { limits: options.limits } : {}) });
  const harness: Harness = {
    clock,
    time,
    lab,
    dataDir,
    overviews,
    events,
    engine: await start(),
    async call(method, input) {
      const { signal } = new AbortController();
      // The handler map is typed method by method; one generic call cannot carry that through.
      return (await callHandler(harness.engine.handlers, method, input, signal, true)) as Output<
        typeof method
      >;
    },
    async launch(file = testPlanFile()) {
      await importOwn(harness, sourceOf(file));
      const report = await harness.call('plan.check', { id: file.plan.id });
      const { runId } = await harness.call('run.start', {
        planId: file.plan.id,
        checkedHash: report.hash,
      });
      return runId;
    },
    overview: (id) => harness.call('run.overview', { id }),
    async restart(edit, more) {
      await harness.engine.close();
      if (edit) {
        const db = openDatabase(deps);
        edit(db);
        db.close();
      }
      // Another process remembers nothing of the clock it had.
      if (options.ownTime) engineClock = createSteadyClock(time.sources);
      deps.clock = engineClock;
      harness.engine = await start(more);
    },
    async close() {
      await harness.engine.close();
      if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true });
    },
  };
  return harness;
}
