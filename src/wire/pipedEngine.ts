import type { AppErrorShape } from '../core/base/errors.ts';
import { howItEnded } from './crashReport.ts';
import { type ByteStream, portFromStream } from './framePort.ts';
import { engineFd } from './hostMessages.ts';
import { multiplex } from './multiplex.ts';
import { memoryPorts, type Port } from './ports.ts';
import type { EngineProcess } from './supervisor.ts';

/** What is needed of a child process of Node, started with a pipe at `engineFd`. */
export interface PipedChild {
  /** undefined = it could not be started. */
  readonly pid?: number | undefined;
  readonly exitCode: number | null;
  readonly signalCode: string | null;
  readonly stdio: readonly unknown[];
  kill(signal: 'SIGKILL'): unknown;
  once(event: 'exit', listener: (code: number | null, signal: string | null) => void): unknown;
  once(event: 'error', listener: (thrown: Error) => void): unknown;
}
export interface PipedEngine extends EngineProcess {
  /** A port of its own to the engine; `label` says what it is for. */
  open(label: string): Port;
}

/**
 * An engine in a Node process, with all its ports over one pipe. `onBroken` hears of bytes that are
 * no message: the pipe ends with them.
 */
export function engineFromChild(
  child: PipedChild,
  onBroken: (thrown: unknown) => void,
): PipedEngine {
  const lines = multiplex(portFromStream(child.stdio[engineFd] as ByteStream, onBroken));
  let ended = false;
  const exits: ((how: string) => void)[] = [];
  const end = (how: string): void => {
    if (ended) return;
    ended = true;
    for (const listener of exits) listener(how);
  };
  child.once('exit', (code, signal) => end(howItEnded(code, signal)));
  // A program that cannot be started has no exit.
  child.once('error', ({ message }) => end(`could not be started: ${message}`));
  // Of one that ended before it came here neither is told any more.
  const over = child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
  if (over)
    queueMicrotask(() =>
      end(
        child.pid === undefined
          ? 'could not be started'
          : howItEnded(child.exitCode, child.signalCode),
      ),
    );
  return {
    get pid() {
      return child.pid;
    },
    open: (label) => lines.open(label),
    post: (message) => lines.post(message),
    kill: () => {
      child.kill('SIGKILL');
    },
    onMessage: lines.onOther,
    onExit: (listener) => {
      exits.push(listener);
    },
  };
}

/** In the place of an engine that is not started: says why, as an engine would that cannot start. */
export function refusedEngine(error: AppErrorShape): PipedEngine {
  const exits: ((how: string) => void)[] = [];
  return {
    pid: undefined,
    open() {
      const [near] = memoryPorts();
      near.close();
      return near;
    },
    post: () => undefined,
    kill: () =>
      queueMicrotask(() => {
        for (const listener of exits.splice(0)) listener('was not started');
      }),
    onMessage: (listener) => queueMicrotask(() => listener({ k: 'failed', error })),
    onExit: (listener) => {
      exits.push(listener);
    },
  };
}
