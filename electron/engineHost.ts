import { spawn } from 'node:child_process';

import { MessageChannelMain, type WebContents } from 'electron';

import { bridge } from '../src/wire/bridge.ts';
import type { EngineLife } from '../src/wire/engineLife.ts';
import type { FromEngine, WorkspaceName } from '../src/wire/hostMessages.ts';
import { answerSecret, memorySecrets, type SecretStore } from '../src/wire/parentSecrets.ts';
import { engineFromChild, type PipedEngine } from '../src/wire/pipedEngine.ts';
import { portFromMessagePort } from '../src/wire/ports.ts';
import { superviseEngine } from '../src/wire/supervisor.ts';

export interface EngineHostOptions {
  /** Folder of the project, or of what a package laid out. */
  rootDir: string;
  dataDir: string;
  /** Where the engine's code is kept compiled, which is a good part of its next start. */
  compiledDir: string;
  version: string;
  /**
   * Known once the application is ready, which the engine does not wait for; null = the system has
   * none: secrets last as long as this process.
   */
  keychain: Promise<SecretStore | null>;
  /** Node 24, which runs the engine, and in what environment. */
  nodePath: string;
  engineEnv: Readonly<Record<string, string | undefined>>;
  onActive(run: Extract<FromEngine, { k: 'active' }>['run']): void;
  /** After each change of what the engine does. */
  onLife: (life: EngineLife) => void;
}
export interface EngineHost {
  /** Gives this window a port to the engine, as soon as there is one. */
  connect(contents: WebContents, workspace: WorkspaceName): void;
  retry(): void;
  wait(): void;
  /** Ends the engine in order, or hard after `graceMs`; at once where there is none. */
  stop(graceMs: number): Promise<void>;
  readonly life: EngineLife;
  readonly pid: number | undefined;
}

/** Runs the engine in a process of its own and keeps it by the rules of `engineLife.ts`. */
export function startEngineHost(options: EngineHostOptions): EngineHost {
  const secrets = options.keychain.then((keychain) => ({
    kind: keychain === null ? ('session' as const) : ('keychain' as const),
    store: keychain ?? memorySecrets(),
  }));
  /** Windows that asked while there was no engine. */
  const waiting: { contents: WebContents; workspace: WorkspaceName }[] = [];
  const supervisor = superviseEngine<PipedEngine>({
    launch() {
      const engine = launchEngine(options);
      void secrets.then(({ kind }) => engine.post({ k: 'vault', kind }));
      for (const { contents, workspace } of waiting.splice(0))
        if (!contents.isDestroyed()) connect(engine, contents, workspace);
      return engine;
    },
    onMessage(message, from) {
      if (message.k === 'active') options.onActive(message.run);
      if (message.k === 'secret')
        void secrets.then(({ store }) => from.post(answerSecret(store, message)));
    },
    onChange: options.onLife,
  });
  return {
    connect(contents, workspace) {
      if (supervisor.engine === null) waiting.push({ contents, workspace });
      else connect(supervisor.engine, contents, workspace);
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

/**
 * Messages take a pipe and not Node's IPC: in Electron 22 an IPC message of more than some
 * kilobytes corrupts the heap of the main process.
 */
function launchEngine({
  rootDir,
  dataDir,
  compiledDir,
  version,
  nodePath,
  engineEnv,
}: EngineHostOptions): PipedEngine {
  const child = spawn(nodePath, [`${rootDir}/dist/workers/engineProcess.cjs`], {
    stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
    env: {
      ...engineEnv,
      NODE_COMPILE_CACHE: compiledDir,
      TILEBENCH_HOST: 'electron',
      TILEBENCH_DATA: dataDir,
      TILEBENCH_RESOURCES: `${rootDir}/resources`,
      TILEBENCH_VERSION: version,
      TILEBENCH_DEMO_THREAD: `${rootDir}/dist/workers/demoThread.cjs`,
    },
  });
  return engineFromChild(child, (thrown) => {
    process.stderr.write(`The engine's pipe is broken: ${String(thrown)}\n`);
  });
}

/** The data passes through this process: a MessagePort cannot be given to a plain Node process. */
function connect(engine: PipedEngine, contents: WebContents, workspace: WorkspaceName): void {
  const { port1, port2 } = new MessageChannelMain();
  bridge(portFromMessagePort(port1), engine.open(workspace));
  contents.postMessage('engine.port', null, [port2]);
}
