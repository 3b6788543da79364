import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { type EngineLife, killAfterMs, noticeAfterMs, pauseMs } from '../src/wire/engineLife.ts';
import { engineFromChild, type PipedEngine, refusedEngine } from '../src/wire/pipedEngine.ts';
import { superviseEngine, type Supervisor } from '../src/wire/supervisor.ts';

/**
 * Real processes, and a clock that goes by hand: no machine is too slow for it. While it passes, no
 * answer is taken.
 */
let nowMs = 0;
const looks = new Set<() => void>();
const clock = {
  now: () => nowMs,
  every(_ms: number, act: () => void) {
    looks.add(act);
    return () => looks.delete(act);
  },
};
/** Looked at as often as the real one is. */
const pass = (ms: number): void => {
  for (const untilMs = nowMs + ms; nowMs < untilMs;) {
    nowMs += 250;
    for (const look of [...looks]) look();
  }
};
const silent = (): void => undefined;

let supervisor: Supervisor<PipedEngine>;
const lives: EngineLife[] = [];
let hearChange = silent;
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
      hearChange();
    },
    clock,
  });
};
const startEngine = (): void => start(process.execPath, resolve('workers/testing/pipedChild.ts'));
async function until(what: (life: EngineLife) => boolean): Promise<void> {
  while (!what(supervisor.life))
    await new Promise<void>((done) => {
      hearChange = done;
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
  pass(noticeAfterMs);
  expect(supervisor.life.phase).toBe('unresponsive');
  pass(killAfterMs - noticeAfterMs);
  await until(({ phase }) => phase === 'pausing');
  pass(pauseMs(1));
  await until(({ phase }) => phase === 'running');
  expect(phases()).toEqual(['running', 'unresponsive', 'pausing', 'starting', 'running']);
  expect([isThere(before), supervisor.engine?.pid === before]).toEqual([false, false]);
  const last = supervisor.engine?.pid ?? 0;
  await supervisor.stop(1_000_000);
  expect(isThere(last)).toBe(false);
});

test('an engine that answers stays, however long it is asked', async () => {
  startEngine();
  await until(({ phase }) => phase === 'running');
  const before = supervisor.engine?.pid;
  // Twice the silence after which one is ended; a ping each time, answered by a real process.
  for (let i = 0; i < 60; i += 1) {
    const heardMs = supervisor.life.heardMs;
    pass(2_000);
    while (supervisor.life.heardMs === heardMs) await nextTurn();
  }
  expect([phases(), supervisor.engine?.pid]).toEqual([['running'], before]);
  await supervisor.stop(1_000_000);
});

test('an engine that was stopped by a signal does not keep its host from ending', async () => {
  startEngine();
  await until(({ phase }) => phase === 'running');
  const pid = supervisor.engine?.pid ?? 0;
  process.kill(pid, 'SIGSTOP');
  const stopped = supervisor.stop(2_000);
  pass(2_000);
  await stopped;
  expect([isThere(pid), supervisor.life.phase]).toEqual([false, 'stopped']);
});

const changed = { kind: 'untrusted', message: 'bin/node is another.' } as const;

test('an engine that its host must not run on is ended at once, and not started by itself', async () => {
  startEngine();
  await until(({ phase }) => phase === 'running');
  const pid = supervisor.engine?.pid ?? 0;
  supervisor.refuse(changed);
  await until(({ phase }) => phase === 'failed');
  expect([isThere(pid), supervisor.life.error]).toEqual([false, changed]);
  await supervisor.stop(1_000_000);
});

test('an engine that is never started says why, and a stop ends at once', async () => {
  supervisor = superviseEngine({
    launch: () => refusedEngine(changed),
    onMessage: silent,
    onChange: () => hearChange(),
    onCrash: () => {
      throw new Error('It did not crash.');
    },
    clock,
  });
  await until(({ phase }) => phase === 'failed');
  expect(supervisor.life.error).toEqual(changed);
  await supervisor.stop(1_000_000);
});

test('a program that is not there is given up, and a stop ends at once', async () => {
  start('/no/such/program');
  while (supervisor.life.phase !== 'failed') {
    if (supervisor.life.phase === 'pausing') pass(supervisor.life.dueMs - nowMs);
    await nextTurn();
  }
  await supervisor.stop(1_000_000);
  expect(supervisor.life.phase).toBe('stopped');
});
