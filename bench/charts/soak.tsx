import '@mantine/core/styles.css';

import { createRoot } from 'react-dom/client';

import { fail } from '../../src/core/base/errors.ts';
import type { RunRecord } from '../../src/core/run/run.ts';
import { runSessionsOf } from '../../src/ui/engine/runSessions.ts';
import { createAppStore } from '../../src/ui/engine/store.ts';
import { App } from '../../src/ui/shell/App.tsx';
import { createClient } from '../../src/wire/channel.ts';
import { type Handlers, type MethodName, methods } from '../../src/wire/contract.ts';
import { createEventHub } from '../../src/wire/eventHub.ts';
import { memoryPorts } from '../../src/wire/ports.ts';
import { serve } from '../../src/wire/serve.ts';
import { demoRecord } from '../demoRecord.ts';
import { randomSource, startMs, valueAt } from './feed.ts';
import { soakOverview, soakProfile, soakSeries } from './soakRun.ts';

/** What the bench calls through the browser. */
export interface SoakPage {
  /** The whole application at the address of the run; resolves when its board is there. */
  mount(): Promise<void>;
  /**
   * The next so many seconds of the run, as fast as the page takes them; a frame is drawn every two
   * minutes of it.
   */
  run(seconds: number): Promise<{ received: number; frames: number }>;
}

const hub = createEventHub((thrown) => {
  throw thrown;
});
const random = randomSource(5);
let second = 0;

const record = (): RunRecord => {
  const base = demoRecord('soak', [...soakSeries], startMs, 60);
  return {
    ...base,
    profile: soakProfile,
    overview: soakOverview(second),
    plan: { ...base.plan, phases: soakProfile.phases },
  };
};
/** The engine as far as the board asks of it. */
const answers: Partial<Record<MethodName, () => unknown>> = {
  'run.overview': () => soakOverview(second),
  'run.record': record,
  'run.samples': () => [],
  'run.list': () => [],
  'study.list': () => [],
  'testbed.list': () => [],
  'plan.list': () => [],
  'profile.list': () => [],
  'connection.list': () => [],
  'app.info': () => ({ version: '0', host: 'test', secrets: 'session', dataDir: '/' }),
  'lab.status': () => ({ nowMs: startMs + second * 1_000, paused: false, speed: null, labs: [] }),
};
const handlers = Object.fromEntries(
  Object.keys(methods).map((name) => [
    name,
    async () => {
      const answer = answers[name as MethodName];
      if (answer === undefined) throw fail('notFound', `The bench gives no answer to ${name}.`);
      return answer();
    },
  ]),
) as unknown as Handlers;

const frame = (): Promise<number> =>
  new Promise((done) => {
    requestAnimationFrame(done);
  });
const turn = (): Promise<void> =>
  new Promise((done) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      done();
    };
    port2.postMessage(null);
  });

let received = 0;
let newestMs = (): number => NaN;
const page: SoakPage = {
  async mount() {
    window.location.hash = '#/runs/soak';
    const [near, far] = memoryPorts();
    serve(far, handlers, hub.subscribe);
    const client = createClient(near);
    client.follow('soak');
    newestMs = () => runSessionsOf(client).live.lastMs('soak');
    client.on('run.samples', ({ batch }) => {
      received += batch.length / 3;
    });
    const services = {
      client,
      workspace: { kind: 'simulated' as const, open: () => undefined },
      desktop: {
        kind: 'browser' as const,
        saveFile: async () => null,
        openFile: async () => null,
        openBinary: async () => null,
        onOpenFile: () => () => undefined,
        onCommand: () => () => undefined,
        detach: async () => 'blocked' as const,
        setActiveRun: () => undefined,
      },
    };
    createRoot(document.getElementById('root')!).render(
      <App services={services} store={createAppStore(services)} />,
    );
    while (document.querySelectorAll('canvas').length < 4) await frame();
  },
  async run(seconds) {
    const before = received;
    let frames = 0;
    const batch = new Float64Array(soakSeries.length * 3);
    for (const until = second + seconds; second < until; second += 1) {
      for (let id = 0; id < soakSeries.length; id += 1) {
        batch[id * 3] = id;
        batch[id * 3 + 1] = startMs + second * 1_000;
        batch[id * 3 + 2] = valueAt(id, second, random);
      }
      hub.emit('run.samples', { runId: 'soak', batch: batch.slice() });
      // Ports hand over in later microtasks: a turn lets them, and what is not acknowledged is not
      // piled up.
      await turn();
      if (second % 30 === 0) hub.emit('run.changed', soakOverview(second));
      if (second % 120 === 0) {
        await frame();
        frames += 1;
      }
    }
    for (let i = 0; i < 30; i += 1) await frame();
    if (!(newestMs() === startMs + (second - 1) * 1_000))
      throw new Error(`The store stands at ${newestMs()}, not at second ${second - 1}.`);
    return { received: received - before, frames };
  },
};
Object.assign(window, { soakPage: page });
