import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

export interface Child {
  readonly pid: number;
  readonly process: ChildProcess;
  ended(): boolean;
  /** TERM, then KILL after the grace; resolves when it is gone. */ stop(
    graceMs?: number,
  ): Promise<void>;
  kill(): Promise<void>;
  log(): string;
}

/**
 * The first line a program prints; rejects at once with its code and its last words when it ends
 * before.
 */
export function firstLine(child: ChildProcess, what: string): Promise<string> {
  const { stdout } = child;
  if (stdout === null) throw new Error(`${what} has no output to read.`);
  let errors = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-4_000);
  });
  return new Promise((resolve, reject) => {
    createInterface({ input: stdout }).once('line', resolve);
    child.once('error', (error) =>
      reject(new Error(`${what} cannot be started: ${error.message}`)),
    );
    child.once('close', (code, signal) =>
      reject(new Error(`${what} ended at its start (${code ?? signal}): ${errors.trim()}`)),
    );
  });
}

/** Starts a server in the foreground with its output in a file. */
export function startChild(
  command: string,
  args: readonly string[],
  logPath: string,
  env: Readonly<Record<string, string>> = {},
): Child {
  const log = openSync(logPath, 'a');
  const child = spawn(command, args, {
    stdio: ['ignore', log, log],
    env: { ...process.env, ...env },
  });
  closeSync(log);
  if (child.pid === undefined) throw new Error(`${command} cannot be started.`);
  const gone = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
  });
  const ended = (): boolean => child.exitCode !== null || child.signalCode !== null;
  return {
    pid: child.pid,
    process: child,
    ended,
    async stop(graceMs = 10_000) {
      if (ended()) return;
      child.kill('SIGTERM');
      const killer = setTimeout(() => child.kill('SIGKILL'), graceMs);
      await gone;
      clearTimeout(killer);
    },
    async kill() {
      if (!ended()) {
        child.kill('SIGKILL');
        await gone;
      }
    },
    log: () => readFileSync(logPath, 'utf8'),
  };
}
