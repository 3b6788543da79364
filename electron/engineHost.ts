import { spawn } from 'node:child_process';
import type { Duplex } from 'node:stream';

import { MessageChannelMain, utilityProcess, type WebContents } from 'electron';

import { portFromStream } from '../src/shared/framePort.ts';
import {
  engineFd,
  type FromEngine,
  fromEngine,
  type ToEngine,
  type WorkspaceName,
} from '../src/shared/hostMessages.ts';
import { type Multiplex, multiplex } from '../src/shared/multiplex.ts';
import { portFromMessagePort } from '../src/shared/ports.ts';
import type { Keychain } from './keychain.ts';

export interface EngineHostOptions {
  /** Folder of the project or of the packaged application. */
  rootDir: string;
  dataDir: string;
  version: string;
  keychain: Keychain | null;
  /** Node 24 to run the engine with, where Electron's own Node is too old; null = Electron's utility process. */
  nodePath: string | null;
  onActive(run: Extract<FromEngine, { k: 'active' }>['run']): void;
  onFailed(message: string, hint: string | undefined): void;
}
export interface EngineHost {
  /** Gives this window a port to the engine; the data does not pass through the main process (with a utility process). */
  connect(contents: WebContents, workspace: WorkspaceName): void;
  /** Ends the engine in order, or hard after `graceMs`. */
  stop(graceMs: number): Promise<void>;
  readonly pid: number | undefined;
}
interface EngineProcess {
  pid(): number | undefined;
  alive(): boolean;
  connect(contents: WebContents, workspace: WorkspaceName): void;
  post(message: ToEngine): void;
  kill(): void;
  onMessage(listener: (data: unknown) => void): void;
  onExit(listener: () => void): void;
}

/** Restarts within this time count as one crash loop; after `maxRestarts` of them the engine is given up. */
const crashWindowMs = 60_000;
const maxRestarts = 5;

/** Runs the engine in a process of its own and starts it again when it is killed. */
export function startEngineHost(options: EngineHostOptions): EngineHost {
  let stopping = false;
  let failed = false;
  let exited: () => void = () => undefined;
  const crashes: number[] = [];
  /** Windows that asked while there was no engine. */
  const waiting: { contents: WebContents; workspace: WorkspaceName }[] = [];
  let engine = launch();

  function launch(): EngineProcess {
    const env = {
      ...process.env,
      TILEBENCH_DATA: options.dataDir,
      TILEBENCH_RESOURCES: `${options.rootDir}/resources`,
      TILEBENCH_VERSION: options.version,
      TILEBENCH_KEYCHAIN: options.keychain ? '1' : '0',
      TILEBENCH_DEMO_THREAD: `${options.rootDir}/dist/workers/demoThread.cjs`,
    };
    const started =
      options.nodePath === null
        ? inUtilityProcess(options.rootDir, env)
        : inForkedNode(options.rootDir, options.nodePath, env);
    started.onMessage((data) => {
      const message = fromEngine.safeParse(data);
      if (message.success) take(started, message.data);
    });
    started.onExit(() => {
      exited();
      if (stopping || failed) return;
      const now = Date.now();
      crashes.push(now);
      if (crashes.filter((at) => now - at < crashWindowMs).length > maxRestarts) {
        options.onFailed(
          'The engine ended several times within a minute.',
          'See the log in the data folder.',
        );
        return;
      }
      engine = launch();
      for (const { contents, workspace } of waiting.splice(0))
        if (!contents.isDestroyed()) engine.connect(contents, workspace);
    });
    return started;
  }

  function take(from: EngineProcess, message: FromEngine): void {
    switch (message.k) {
      case 'ready':
        return;
      case 'active':
        options.onActive(message.run);
        return;
      case 'failed':
        failed = true;
        options.onFailed(message.message, message.hint);
        return;
      case 'secret':
        try {
          from.post({ k: 'secret', id: message.id, value: useKeychain(options.keychain, message) });
        } catch (thrown) {
          from.post({
            k: 'secret',
            id: message.id,
            value: null,
            error: thrown instanceof Error ? thrown.message : String(thrown),
          });
        }
    }
  }

  return {
    connect(contents, workspace) {
      if (engine.alive()) engine.connect(contents, workspace);
      else waiting.push({ contents, workspace });
    },
    get pid() {
      return engine.pid();
    },
    stop: (graceMs) =>
      new Promise((done) => {
        stopping = true;
        const hard = setTimeout(() => engine.kill(), graceMs);
        exited = () => {
          clearTimeout(hard);
          done();
        };
        engine.post({ k: 'stop' });
      }),
  };
}

function useKeychain(
  keychain: Keychain | null,
  { op, name, value }: Extract<FromEngine, { k: 'secret' }>,
): string | null {
  if (op === 'get') return keychain?.get(name) ?? null;
  if (op === 'set') keychain?.set(name, value ?? '');
  else keychain?.remove(name);
  return null;
}

function inUtilityProcess(rootDir: string, env: Record<string, string | undefined>): EngineProcess {
  const child = utilityProcess.fork(`${rootDir}/dist/workers/utility.cjs`, [], {
    serviceName: 'Tilebench engine',
    stdio: 'inherit',
    env,
  });
  let ended = false;
  child.once('exit', () => {
    ended = true;
  });
  return {
    pid: () => child.pid,
    // Before the spawn there is no pid, and messages wait; after the exit there is none either.
    alive: () => !ended,
    connect(contents, workspace) {
      const { port1, port2 } = new MessageChannelMain();
      child.postMessage({ k: 'port', workspace } satisfies ToEngine, [port1]);
      contents.postMessage('engine.port', null, [port2]);
    },
    post: (message) => child.postMessage(message),
    kill: () => {
      child.kill();
    },
    onMessage: (listener) => {
      child.on('message', listener);
    },
    onExit: (listener) => {
      child.once('exit', listener);
    },
  };
}

/**
 * Messages are relayed here, because a MessagePort of Electron cannot be given to a plain Node process. They take a pipe
 * and not Node's IPC: in Electron 22 an IPC message of more than some kilobytes corrupts the heap of the main process.
 */
function inForkedNode(
  rootDir: string,
  nodePath: string,
  env: Record<string, string | undefined>,
): EngineProcess {
  const child = spawn(nodePath, [`${rootDir}/dist/workers/utility.cjs`], {
    stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
    env,
  });
  const carrier = portFromStream(child.stdio[engineFd] as Duplex, (thrown) => {
    process.stderr.write(`The engine's pipe is broken: ${String(thrown)}\n`);
  });
  const lines: Multiplex = multiplex(carrier);
  let ended = false;
  carrier.onClose(() => {
    ended = true;
  });
  return {
    pid: () => child.pid,
    alive: () => !ended,
    connect(contents, workspace) {
      const { port1, port2 } = new MessageChannelMain();
      const near = portFromMessagePort(port1);
      const far = lines.open(workspace);
      near.onMessage((data) => far.post(data));
      far.onMessage((data) => near.post(data));
      near.onClose(() => far.close());
      far.onClose(() => near.close());
      contents.postMessage('engine.port', null, [port2]);
    },
    post: (message) => lines.post(message),
    kill: () => {
      child.kill('SIGKILL');
    },
    onMessage: (listener) => lines.onOther(listener),
    onExit: (listener) => {
      child.once('exit', listener);
    },
  };
}
