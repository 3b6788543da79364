import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import type { PlanFile } from '../../../../src/core/plan/plan.ts';
import type { RunOverview } from '../../../../src/core/run/run.ts';
import { isEnd } from '../../../../src/core/run/states.ts';
import {
  type EventName,
  type EventPayload,
  type Input,
  type MethodName,
  type Output,
} from '../../../../src/wire/contract.ts';
import { importOwn, sourceOf } from '../../../../src/wire/importOwn.ts';
import { callHandler, checkEvent } from '../../../../src/wire/serve.ts';
import { type Deps, silentLog } from '../../deps.ts';
import { createEngine, type Engine } from '../../engine.ts';
import type { GalleryEntry } from '../../gallery/types.ts';
import type { RunLimits } from '../../runs/context.ts';
import { createVirtualClock, type VirtualClock } from '../clock.ts';
import { createSimLab, type SimLab } from '../index.ts';
import type { CreateModel } from '../model/types.ts';

export interface SimEngine {
  clock: VirtualClock;
  lab: SimLab;
  engine: Engine;
  dataDir: string;
  call<M extends MethodName>(method: M, input: Input<M>): Promise<Output<M>>;
  /** Imports, checks and starts the plan; gives the run's id. */
  launch(file: PlanFile): Promise<string>;
  /** The overview at the run's end. */
  ended(runId: string): Promise<RunOverview>;
  /** Waits until the clock has come this far from now. */
  pass(ms: number): Promise<void>;
  on(listener: (event: EventName, payload: unknown) => void): void;
  /** A new engine over the same edges and data. The old one is closed first. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** A whole engine on a simulated lab as fast as the machine goes, in a folder of its own. */
export async function createSimEngine(options: {
  createModel: CreateModel;
  limits?: Partial<RunLimits>;
  startMs?: number;
  gallery?: readonly GalleryEntry[];
}): Promise<SimEngine> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tilebench-sim-'));
  const clock = createVirtualClock({
    startMs: options.startMs ?? Date.UTC(2026, 0, 5, 8),
    speed: null,
    paused: false,
  });
  const lab = createSimLab({ clock, createModel: options.createModel });
  const listeners = new Set<(event: EventName, payload: unknown) => void>();
  let nextId = 0;
  const deps: Deps = {
    ...lab.edges,
    lab: lab.control,
    clock,
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
      get: async () => 'simulated',
      set: async () => undefined,
      remove: async () => undefined,
    },
    readTextFile: async () => '',
  };
  const emit = <E extends EventName>(event: E, payload: EventPayload<E>): void => {
    checkEvent(event, payload);
    for (const listener of [...listeners]) listener(event, payload);
  };
  const start = (): Promise<Engine> =>
    createEngine(deps, emit, {
      ...(options.limits ? { limits: options.limits } : {}),
      ...(options.gallery ? { gallery: options.gallery } : {}),
    });
  const sim: SimEngine = {
    clock,
    lab,
    dataDir,
    engine: await start(),
    async call(method, input) {
      const { signal } = new AbortController();
      // The handler map is typed method by method; one generic call cannot carry that through.
      return (await callHandler(sim.engine.handlers, method, input, signal, true)) as Output<
        typeof method
      >;
    },
    async launch(file) {
      await importOwn(sim, sourceOf(file));
      const report = await sim.call('plan.check', { id: file.plan.id });
      if (!report.ready)
        throw new Error(
          report.findings
            .filter((f) => f.severity === 'block')
            .map((f) => `${f.title}: ${f.evidence}`)
            .join('\n'),
        );
      return (await sim.call('run.start', { planId: file.plan.id, checkedHash: report.hash }))
        .runId;
    },
    ended: (runId) =>
      new Promise((done, failed) => {
        const take = (overview: RunOverview): void => {
          if (overview.id !== runId || !isEnd(overview.state)) return;
          listeners.delete(listen);
          done(overview);
        };
        const listen = (event: EventName, payload: unknown): void => {
          if (event === 'run.changed') take(payload as RunOverview);
        };
        listeners.add(listen);
        sim.call('run.overview', { id: runId }).then(take, failed);
      }),
    pass: (ms) => clock.sleep(ms),
    on(listener) {
      listeners.add(listener);
    },
    async restart() {
      await sim.engine.close();
      sim.engine = await start();
    },
    async close() {
      await sim.engine.close();
      clock.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
  return sim;
}
