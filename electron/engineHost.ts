import { MessageChannelMain, type WebContents } from 'electron';

import type { AppErrorShape } from '../src/core/base/errors.ts';
import { bridge } from '../src/wire/bridge.ts';
import type { EngineLife } from '../src/wire/engineLife.ts';
import type { FromEngine, WorkspaceName } from '../src/wire/hostMessages.ts';
import { answerSecret, memorySecrets, type SecretStore } from '../src/wire/parentSecrets.ts';
import { engineFromChild, type PipedEngine, refusedEngine } from '../src/wire/pipedEngine.ts';
import { portFromMessagePort } from '../src/wire/ports.ts';
import { superviseEngine } from '../src/wire/supervisor.ts';
import {
  type EngineChild,
  type EngineProgram,
  type EngineStart,
  startEngineChild,
} from './engineChild.ts';

export interface EngineHostOptions {
  program: EngineProgram;
  /** The engine that was started already, or why it was not. */
  first: EngineStart;
  /** It ended by itself; `how` is in words. */
  onCrash(how: string, child: EngineChild): void;
  /** null = the system has none: secrets last as long as this process. */
  keychain: SecretStore | null;
  onActive(run: Extract<FromEngine, { k: 'active' }>['run']): void;
  /** After each change of what the engine does. */
  onLife: (life: EngineLife) => void;
}
export interface EngineHost {
  /** Gives this window a port to the engine, as soon as there is one. */
  connect(contents: WebContents, workspace: WorkspaceName): void;
  retry(): void;
  /** Ends the engine, which must not run on, and starts none any more. */
  refuse(error: AppErrorShape): void;
  wait(): void;
  /** Ends the engine in order, or hard after `graceMs`; at once where there is none. */
  stop(graceMs: number): Promise<void>;
  readonly life: EngineLife;
  readonly pid: number | undefined;
}

/** Runs the engine in a process of its own and keeps it by the rules of `engineLife.ts`. */
export function startEngineHost(options: EngineHostOptions): EngineHost {
  const { program, keychain } = options;
  const store = keychain ?? memorySecrets();
  const kind = keychain === null ? 'session' : 'keychain';
  let start: EngineStart | null = options.first;
  let child: EngineChild | null = null;
  let refused: AppErrorShape | null = null;
  /** Windows that asked while there was no engine. */
  const waiting: { contents: WebContents; workspace: WorkspaceName }[] = [];
  const supervisor = superviseEngine<PipedEngine>({
    launch() {
      const next: EngineStart =
        refused === null ? (start ?? startEngineChild(program)) : { refused };
      start = null;
      if ('refused' in next) {
        process.stderr.write(`Tilebench: ${next.refused.message}\n`);
        return refusedEngine(next.refused);
      }
      child = next;
      const engine = engineOf(child);
      engine.post({ k: 'vault', kind });
      for (const { contents, workspace } of waiting.splice(0))
        if (!contents.isDestroyed()) connect(engine, contents, workspace);
      return engine;
    },
    onMessage(message, from) {
      if (message.k === 'active') options.onActive(message.run);
      if (message.k === 'secret') from.post(answerSecret(store, message));
    },
    onChange: options.onLife,
    onCrash(how) {
      if (child !== null) options.onCrash(how, child);
    },
  });
  return {
    connect(contents, workspace) {
      if (contents.isDestroyed()) return;
      if (supervisor.engine === null) waiting.push({ contents, workspace });
      else connect(supervisor.engine, contents, workspace);
    },
    retry: supervisor.retry,
    refuse(error) {
      refused = error;
      process.stderr.write(`Tilebench: ${error.message}\n`);
      supervisor.refuse(error);
    },
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

const engineOf = (child: EngineChild): PipedEngine =>
  engineFromChild(child.process, (thrown) => {
    process.stderr.write(`The engine's pipe is broken: ${String(thrown)}\n`);
  });

/** The data passes through this process: a MessagePort cannot be given to a plain Node process. */
function connect(engine: PipedEngine, contents: WebContents, workspace: WorkspaceName): void {
  const { port1, port2 } = new MessageChannelMain();
  bridge(portFromMessagePort(port1), engine.open(workspace));
  contents.postMessage('engine.port', null, [port2]);
}
