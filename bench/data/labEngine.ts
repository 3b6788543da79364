import { resolve } from 'node:path';

import type { RunOverview } from '../../src/core/run/run.ts';
import { isEnd } from '../../src/core/run/states.ts';
import { createClient } from '../../src/wire/channel.ts';
import type { Client } from '../../src/wire/contract.ts';
import { createEventHub } from '../../src/wire/eventHub.ts';
import { memoryPorts } from '../../src/wire/ports.ts';
import { serve } from '../../src/wire/serve.ts';
import { createDemoDeps } from '../../workers/demoDeps.ts';
import { createEngine } from '../../workers/engine/engine.ts';

export interface LabEngine {
  client: Client;
  /** Milliseconds of virtual time since 1970. */ nowMs(): number;
  /** Launches a checked plan and waits for its end. */ runToEnd(
    planId: string,
    checkedHash: string,
    name?: string,
  ): Promise<RunOverview>;
  close(): Promise<void>;
}

/**
 * The engine over the simulated lab, its database in `dataDir`, in this process; virtual time goes
 * as fast as the machine.
 */
export async function openLabEngine(dataDir: string): Promise<LabEngine> {
  const demo = createDemoDeps({
    host: 'test',
    dataDir,
    resourcesDir: resolve(import.meta.dirname, '..', '..', 'resources'),
    version: '0',
    pace: { speed: null, paused: false },
  });
  const hub = createEventHub((thrown) => {
    throw thrown;
  });
  const engine = await createEngine(demo.deps, hub.emit);
  const [near, far] = memoryPorts();
  serve(far, engine.handlers, hub.subscribe);
  const client = createClient(near);
  return {
    client,
    nowMs: () => demo.clock.now(),
    async runToEnd(planId, checkedHash, name) {
      const early: RunOverview[] = [];
      let tell = (overview: RunOverview): void => {
        early.push(overview);
      };
      const stop = client.on('run.changed', (overview) => {
        if (isEnd(overview.state)) tell(overview);
      });
      try {
        const { runId } = await launch(client, {
          planId,
          checkedHash,
          ...(name === undefined ? {} : { name }),
        });
        return await new Promise<RunOverview>((done) => {
          tell = (overview) => {
            if (overview.id === runId) done(overview);
          };
          for (const overview of early) tell(overview);
        });
      } finally {
        stop();
      }
    },
    async close() {
      client.close();
      await engine.close();
      demo.close();
    },
  };
}

/**
 * Starts a run as soon as the one before has let go of the testbed: it tells of its end a moment
 * earlier.
 */
async function launch(
  client: Client,
  input: { planId: string; checkedHash: string; name?: string },
): Promise<{ runId: string }> {
  for (let turn = 0; ; turn += 1) {
    try {
      return await client.call('run.start', input);
    } catch (thrown) {
      if ((thrown as { kind?: string }).kind !== 'conflict' || turn > 1_000) throw thrown;
      await new Promise<void>((resolve) => {
        setImmediate(resolve);
      });
    }
  }
}
