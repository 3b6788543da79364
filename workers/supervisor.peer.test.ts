import { spawn } from 'node:child_process';
import { resolve } from 'node:path';

import type { EngineLife } from '../src/wire/engineLife.ts';
import { engineFromChild, type PipedEngine } from '../src/wire/pipedEngine.ts';
import { superviseEngine, type Supervisor } from '../src/wire/supervisor.ts';

/** Real processes, and a clock that goes so much faster than theirs. */
const faster = 15;
const clock = {
  now: () => performance.now() * faster,
  every(ms: number, act: () => void) {
    const timer = setInterval(act, ms / faster);
    return () => clearInterval(timer);
  },
};
const silent = (): void => undefined;

let supervisor: Supervisor<PipedEngine>;
const lives: EngineLife[] = [];
let changed = silent;
const start = (program: string, ...args: string[]): void => {
  lives.length = 0;
  supervisor = superviseEngine({
    launch: () =>
      engineFromChild(
        spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit', 'pipe'] }),
        silent,
      ),
    onMessage: silent,
    onChange(life) {
      lives.push(life);
      changed();
    },
    clock,
  });
};
const startEngine = (): void => start(process.execPath, resolve('workers/testing/pipedChild.ts'));
async function until(what: (life: EngineLife) => boolean): Promise<void> {
  while (!what(supervisor.life))
    await new Promise<void>((done) => {
      changed = done;
    });
}
const phases = (): string[] => lives.map(({ phase }) => phase);
const isThere = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test('an engine that is stopped by a signal is noticed, ended and started again', async () => {
  startEngine();
  await until(({ phase }) => phase === 'running');
  const before = supervisor.engine?.pid ?? 0;
  process.kill(before, 'SIGSTOP');
  await until(({ phase }) => phase === 'unresponsive');
  await until(({ phase }) => phase === 'running');
  // On a busy machine it may have been slow to answer before.
  expect(phases().join(' ')).toMatch(
    /^(?:unresponsive )?running (?:unresponsive running )*unresponsive pausing starting (?:unresponsive )?running$/,
  );
  expect([isThere(before), supervisor.engine?.pid === before]).toEqual([false, false]);
  const last = supervisor.engine?.pid ?? 0;
  await supervisor.stop(1_000_000);
  expect(isThere(last)).toBe(false);
});

test('an engine that was stopped by a signal does not keep its host from ending', async () => {
  startEngine();
  await until(({ phase }) => phase === 'running');
  const pid = supervisor.engine?.pid ?? 0;
  process.kill(pid, 'SIGSTOP');
  await supervisor.stop(2_000);
  expect([isThere(pid), supervisor.life.phase]).toEqual([false, 'stopped']);
});

test('a program that is not there is given up, and a stop ends at once', async () => {
  start('/no/such/program');
  await until(({ phase }) => phase === 'failed');
  await supervisor.stop(1_000_000);
  expect(supervisor.life.phase).toBe('stopped');
});
