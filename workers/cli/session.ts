import { join } from 'node:path';

import { createClient } from '../../src/wire/channel.ts';
import type { Client, Emit, Handlers } from '../../src/wire/contract.ts';
import { createEventHub } from '../../src/wire/eventHub.ts';
import { memoryPorts } from '../../src/wire/ports.ts';
import { serve } from '../../src/wire/serve.ts';
import { checksOutputs } from '../checksOutputs.ts';
import { defaultDataDir } from '../dataDir.ts';
import { createDemoDeps, type DemoDeps } from '../demoDeps.ts';
import type { Deps } from '../engine/deps.ts';
import { createEngine } from '../engine/engine.ts';
import { createRealDeps } from '../realDeps.ts';
import { sessionVault } from '../secrets.ts';

export interface SessionOptions {
  rootDir: string;
  version: string;
  dataDir?: string;
  host: 'cli' | 'browser';
  /** On the simulated workspace, in this process and as fast as the machine goes. */
  demo?: boolean;
  /**
   * Goes on with a study that an earlier engine drove: for commands that stay. Default: it stands.
   */
  resumeStudies?: boolean;
}
export interface Session {
  client: Client;
  deps: Deps;
  handlers: Handlers;
  subscribe: (emit: Emit) => () => void;
  close(): Promise<void>;
}

/** An engine in this process with a client beside it: what each command works on. */
export async function openSession(options: SessionOptions): Promise<Session> {
  const { deps, close } = options.demo ? demoDeps(options) : realDeps(options);
  const hub = createEventHub((thrown) =>
    deps.log.error('An event could not be delivered', { thrown }),
  );
  const engine = await createEngine(deps, hub.emit, {
    resumeStudies: options.resumeStudies ?? false,
  });
  const [near, far] = memoryPorts();
  serve(far, engine.handlers, hub.subscribe, {
    onInternal: (method, thrown) => deps.log.error(`${method} failed`, { thrown }),
    checksOutputs,
  });
  const client = createClient(near);
  return {
    client,
    deps,
    handlers: engine.handlers,
    subscribe: hub.subscribe,
    async close() {
      client.close();
      await engine.close();
      close();
    },
  };
}

function realDeps({
  rootDir,
  version,
  dataDir,
  host,
}: SessionOptions): Pick<DemoDeps, 'deps' | 'close'> {
  return {
    deps: createRealDeps({
      host,
      resourcesDir: `${rootDir}/resources`,
      version,
      vault: sessionVault(),
      ...(dataDir ? { dataDir } : {}),
    }),
    close: () => undefined,
  };
}

function demoDeps({ rootDir, version, dataDir, host }: SessionOptions): DemoDeps {
  return createDemoDeps({
    host,
    dataDir: join(dataDir ?? defaultDataDir(process.env, process.platform), 'demo'),
    resourcesDir: `${rootDir}/resources`,
    version,
    pace: { speed: null, paused: false },
  });
}
