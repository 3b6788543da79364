import { Socket } from 'node:net';
import { dirname, join } from 'node:path';

import { AppError, toAppError } from '../src/core/base/errors.ts';
import { isEnd } from '../src/core/run/states.ts';
import { bridge } from '../src/wire/bridge.ts';
import { createEventHub } from '../src/wire/eventHub.ts';
import { portOfFrames } from '../src/wire/framedPort.ts';
import { portFromStream } from '../src/wire/framePort.ts';
import {
  engineFd,
  type FromEngine,
  toEngine,
  type WorkspaceName,
  workspaceName,
} from '../src/wire/hostMessages.ts';
import { multiplex } from '../src/wire/multiplex.ts';
import type { Port } from '../src/wire/ports.ts';
import { serve } from '../src/wire/serve.ts';
import { endureStream } from '../src/wire/standardStreams.ts';
import { checksOutputs } from './checksOutputs.ts';
import { createDemoHost } from './demo.ts';
import { createEngine } from './engine/engine.ts';
import { createRealDeps } from './realDeps.ts';
import { changedArchive } from './sealedArchive.ts';
import type { Vault } from './secrets.ts';
import { hearUnheard } from './unheard.ts';

/** The process that started this one: Electron's main process, or `tilebench serve`. */
interface Parent {
  post: (message: FromEngine) => void;
  onPort: (listener: (port: Port, workspace: WorkspaceName) => void) => void;
  onMessage: (listener: (data: unknown) => void) => void;
  onGone: (listener: () => void) => void;
  /** Ends this process when what was posted is on its way. */ endWith: (code: number) => void;
}
/** How the host started this engine. `frames`: its ports carry encoded messages. */
const { TILEBENCH_HOST, TILEBENCH_FRAMES } = process.env;
const hostName = TILEBENCH_HOST === 'browser' ? 'browser' : 'electron';
const frames = TILEBENCH_FRAMES === '1';

function connectParent(): Parent {
  // A Ctrl-C of the terminal goes to the whole group of processes: the host hears it too, and ends
  // this one in order.
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);
  const carrier = portFromStream(new Socket({ fd: engineFd }), (thrown) => {
    process.stderr.write(`engine: the pipe of the host is broken: ${String(thrown)}\n`);
  });
  const lines = multiplex(carrier);
  return {
    post: lines.post,
    onPort: (listener) =>
      lines.onPort((port, label) =>
        listener(frames ? portOfFrames(port) : port, workspaceName.catch('real').parse(label)),
      ),
    onMessage: lines.onOther,
    onGone: (listener) => carrier.onClose(listener),
    endWith: (code) => setImmediate(() => process.exit(code)),
  };
}

/**
 * Secrets live in the host's process: it alone may use the system's keychain, and it outlives an
 * engine that is started again.
 */
function parentVault(parent: Parent): {
  vault: Vault;
  is: (kind: Vault['kind']) => void;
  answer: (id: number, value: string | null, error?: string) => void;
} {
  let kind: Vault['kind'] = 'session';
  const open = new Map<
    number,
    { resolve(value: string | null): void; reject(error: Error): void }
  >();
  let next = 1;
  const ask = (
    op: 'get' | 'set' | 'remove',
    name: string,
    value?: string,
  ): Promise<string | null> =>
    new Promise((resolve, reject) => {
      open.set(next, { resolve, reject });
      parent.post({ k: 'secret', id: next++, op, name, ...(value === undefined ? {} : { value }) });
    });
  return {
    is(told) {
      kind = told;
    },
    vault: {
      get kind() {
        return kind;
      },
      get: (id) => ask('get', id),
      set: async (id, value) => {
        await ask('set', id, value);
      },
      remove: async (id) => {
        await ask('remove', id);
      },
    },
    answer(id, value, error) {
      const call = open.get(id);
      open.delete(id);
      if (error === undefined) call?.resolve(value);
      else
        call?.reject(
          new AppError({
            kind: 'authFailed',
            message: `The keychain failed: ${error}`,
            hint: 'Enter the password again in Connections.',
          }),
        );
    },
  };
}

async function main(parent: Parent): Promise<void> {
  const changed = hostName === 'electron' ? changedArchive(dirname(dirname(__dirname))) : null;
  if (changed !== null) throw new AppError(changed);
  const { vault, is, answer } = parentVault(parent);
  const {
    TILEBENCH_RESOURCES: resourcesDir = 'resources',
    TILEBENCH_VERSION: version = '0',
    TILEBENCH_DEMO_THREAD: threadFile = '',
  } = process.env;
  const early: Port[] = [];
  let accept = (port: Port): void => {
    early.push(port);
  };
  let acceptSimulated = (port: Port): void => {
    earlySimulated.push(port);
  };
  const earlySimulated: Port[] = [];
  let stop = (): Promise<void> => Promise.resolve();
  parent.onPort((port, workspace) => {
    if (workspace === 'simulated') acceptSimulated(port);
    else accept(port);
  });
  parent.onMessage((data) => {
    const message = toEngine.safeParse(data);
    if (!message.success) return;
    if (message.data.k === 'vault') is(message.data.kind);
    if (message.data.k === 'secret')
      answer(message.data.id, message.data.value, message.data.error);
    if (message.data.k === 'ping') parent.post({ k: 'pong' });
    if (message.data.k === 'stop') void stop().finally(() => process.exit(0));
  });
  parent.onGone(() => {
    void stop().finally(() => process.exit(0));
  });

  const deps = createRealDeps({ host: hostName, resourcesDir, version, vault });
  hearUnheard(process, (reason) =>
    deps.log.error('A promise failed and nobody listened', { reason }),
  );
  const hub = createEventHub((thrown) =>
    deps.log.error('An event could not be delivered', { thrown }),
  );
  let active = '';
  hub.subscribe((event, payload) => {
    if (event !== 'run.changed') return;
    const { id, name, state } = payload as {
      id: string;
      name: string;
      state: Parameters<typeof isEnd>[0];
    };
    const run = isEnd(state) ? null : { id, name, state };
    if (JSON.stringify(run) === active) return;
    active = JSON.stringify(run);
    parent.post({ k: 'active', run });
  });
  const engine = await createEngine(deps, hub.emit);
  const demo = createDemoHost({
    threadFile,
    dataDir: join(deps.dataDir, 'demo'),
    resourcesDir,
    version,
    host: hostName,
  });
  acceptSimulated = (port) => {
    void demo.connect().then((far) => bridge(port, far));
  };
  for (const port of earlySimulated.splice(0)) acceptSimulated(port);
  stop = async () => {
    await Promise.all([demo.close(), engine.close()]);
  };
  accept = (port) => {
    serve(port, engine.handlers, hub.subscribe, {
      onInternal: (method, thrown) => deps.log.error(`${method} failed`, { thrown }),
      checksOutputs,
    });
  };
  for (const port of early.splice(0)) accept(port);
  parent.post({ k: 'ready' });
}

// Its own log is a file.
for (const stream of [process.stdout, process.stderr]) endureStream(stream);
const parent = connectParent();
main(parent).catch((thrown: unknown) => {
  const error = toAppError(thrown);
  process.stderr.write(`engine: ${error.message}\n`);
  parent.post({ k: 'failed', error: error.toShape() });
  parent.endWith(1);
});
