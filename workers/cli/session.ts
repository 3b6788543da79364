import { createClient, createEventHub, memoryPorts, serve } from '../../src/shared/channel.ts';
import type { Client, Emit, Handlers } from '../../src/shared/contract.ts';
import type { Deps } from '../engine/deps.ts';
import { createEngine } from '../engine/engine.ts';
import { createRealDeps } from '../realDeps.ts';
import { sessionVault } from '../secrets.ts';

export interface SessionOptions { rootDir: string; version: string; dataDir?: string; host: 'cli' | 'browser' }
export interface Session { client: Client; deps: Deps; handlers: Handlers; subscribe: (emit: Emit) => () => void; close(): Promise<void> }

/** An engine in this process with a client beside it: what each command works on. */
export async function openSession(options: SessionOptions): Promise<Session> {
  const deps = createRealDeps({ host: options.host, resourcesDir: `${options.rootDir}/resources`, version: options.version, vault: sessionVault(), ...(options.dataDir ? { dataDir: options.dataDir } : {}) });
  const hub = createEventHub((thrown) => deps.log.error('An event could not be delivered', { thrown }));
  const engine = await createEngine(deps, hub.emit);
  const [near, far] = memoryPorts();
  serve(far, engine.handlers, hub.subscribe, { onInternal: (method, thrown) => deps.log.error(`${method} failed`, { thrown }) });
  const client = createClient(near);
  return {
    client, deps, handlers: engine.handlers, subscribe: hub.subscribe,
    async close() {
      client.close();
      await engine.close();
    },
  };
}
