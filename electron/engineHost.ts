import { spawn } from 'node:child_process';

import { MessageChannelMain, utilityProcess, type WebContents } from 'electron';

import { bridge } from '../src/wire/bridge.ts';
import type { EngineLife } from '../src/wire/engineLife.ts';
import type { FromEngine, ToEngine, WorkspaceName } from '../src/wire/hostMessages.ts';
import { answerSecret, memorySecrets, type SecretStore } from '../src/wire/parentSecrets.ts';
import { engineFromChild } from '../src/wire/pipedEngine.ts';
import { portFromMessagePort } from '../src/wire/ports.ts';
import { type EngineProcess, superviseEngine } from '../src/wire/supervisor.ts';

export interface EngineHostOptions {
  /** Folder of the project or of the packaged application. */
  rootDir: string;
  dataDir: string;
  /** Where the engine's code is kept compiled, which is a good part of its next start. */
  compiledDir: string;
  version: string;
  /** null = the system has none: secrets last as long as this process. */
  keychain: SecretStore | null;
  /**
   * Node 24 to run the engine with, where Electron's own Node is too old; null = Electron's utility
   * process.
   */
  nodePath: string | null;
  onActive(run: Extract<FromEngine, { k: 'active' }>['run']): void;
  /** After each change of what the engine does. */
  onLife: (life: EngineLife) => void;
}
export interface EngineHost {
  /**
   * Gives this window a port to the engine, as soon as there is one; the data does not pass through
   * the main process (with a utility process).
   */
  connect(contents: WebContents, workspace: WorkspaceName): void;
  retry(): void;
  wait(): void;
  /** Ends the engine in order, or hard after `graceMs`; at once where there is none. */
  stop(graceMs: number): Promise<void>;
  readonly life: EngineLife;
  readonly pid: number | undefined;
}
interface WindowEngine extends EngineProcess {
  connect(contents: WebContents, workspace: WorkspaceName): void;
}

/** Runs the engine in a process of its own and keeps it by the rules of `engineLife.ts`. */
export function startEngineHost(options: EngineHostOptions): EngineHost {
  const secrets = options.keychain ?? memorySecrets();
  /** Windows that asked while there was no engine. */
  const waiting: { contents: WebContents; workspace: WorkspaceName }[] = [];
  const supervisor = superviseEngine<WindowEngine>({
    launch() {
      const engine = launchEngine(options);
      for (const { contents, workspace } of waiting.splice(0))
        if (!contents.isDestroyed()) engine.connect(contents, workspace);
      return engine;
    },
    onMessage(message, from) {
      if (message.k === 'active') options.onActive(message.run);
      if (message.k === 'secret') from.post(answerSecret(secrets, message));
    },
    onChange: options.onLife,
  });
  return {
    connect(contents, workspace) {
      if (supervisor.engine === null) waiting.push({ contents, workspace });
      else supervisor.engine.connect(contents, workspace);
    },
    retry: supervisor.retry,
    wait: supervisor.wait,
    stop: supervisor.stop,
    get life() {
      return supervisor.life;
    },
    get pid() {
      return supervisor.engine?.pid;
    },
  };
}

function launchEngine({
  rootDir,
  dataDir,
  compiledDir,
  version,
  keychain,
  nodePath,
}: EngineHostOptions): WindowEngine {
  const env = {
    ...process.env,
    NODE_COMPILE_CACHE: compiledDir,
    TILEBENCH_HOST: 'electron',
    TILEBENCH_DATA: dataDir,
    TILEBENCH_RESOURCES: `${rootDir}/resources`,
    TILEBENCH_VERSION: version,
    TILEBENCH_VAULT: keychain === null ? 'session' : 'keychain',
    TILEBENCH_DEMO_THREAD: `${rootDir}/dist/workers/demoThread.cjs`,
  };
  const program = `${rootDir}/dist/workers/utility.cjs`;
  return nodePath === null ? inUtilityProcess(program, env) : inForkedNode(program, nodePath, env);
}

function inUtilityProcess(program: string, env: Record<string, string | undefined>): WindowEngine {
  const child = utilityProcess.fork(program, [], {
    serviceName: 'Tilebench engine',
    stdio: 'inherit',
    env,
  });
  return {
    get pid() {
      return child.pid;
    },
    connect(contents, workspace) {
      const { port1, port2 } = new MessageChannelMain();
      child.postMessage({ k: 'port', workspace } satisfies ToEngine, [port1]);
      contents.postMessage('engine.port', null, [port2]);
    },
    post: (message) => child.postMessage(message),
    // Its own `kill` asks: a process that hangs, or is stopped, does not hear it.
    kill: () => {
      if (child.pid === undefined) child.kill();
      else process.kill(child.pid, 'SIGKILL');
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
 * Messages are relayed here, because a MessagePort of Electron cannot be given to a plain Node
 * process. They take a pipe and not Node's IPC: in Electron 22 an IPC message of more than some
 * kilobytes corrupts the heap of the main process.
 */
function inForkedNode(
  program: string,
  nodePath: string,
  env: Record<string, string | undefined>,
): WindowEngine {
  const child = spawn(nodePath, [program], {
    stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
    env,
  });
  const engine = engineFromChild(child, (thrown) => {
    process.stderr.write(`The engine's pipe is broken: ${String(thrown)}\n`);
  });
  return {
    get pid() {
      return engine.pid;
    },
    post: engine.post,
    kill: engine.kill,
    onMessage: engine.onMessage,
    onExit: engine.onExit,
    connect(contents, workspace) {
      const { port1, port2 } = new MessageChannelMain();
      bridge(portFromMessagePort(port1), engine.open(workspace));
      contents.postMessage('engine.port', null, [port2]);
    },
  };
}
