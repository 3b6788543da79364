import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

export interface Program {
  /** What is run: for messages. */
  name: string;
  command: readonly string[];
  cwd: string;
  env?: Readonly<Record<string, string>>;
  /** Ended as a failure when it prints nothing for so long. */
  silentMs: number;
  /** After a line with these words it must end by itself within `leftoverMs`. */
  last?: string;
  print: (text: string) => void;
}
export interface Ended {
  code: number;
  text: string;
  /**
   * Processor time of it and of all processes it waited for; null where the system does not tell.
   */
  cpuSeconds: number | null;
}

/**
 * What a test left running keeps its runner from ending: said and ended after this, never waited
 * for. Minutes, because a runner on a busy machine takes its time to end its workers.
 */
const leftoverMs = 5 * 60_000;
const groups = new Set<number>();
/**
 * As it was at the start: building the bundles sets NODE_ENV in this process, under which React has
 * no tests.
 */
const ownEnv: Readonly<NodeJS.ProcessEnv> = { ...process.env };

/** Ends every program that runs, with all they started. */
export function endAll(signal: NodeJS.Signals): void {
  for (const pid of groups) endGroup(pid, signal);
}

/** A program is the leader of a group: what it started ends with it. */
function endGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, signal);
  } catch (thrown) {
    if (!(thrown instanceof Error && 'code' in thrown && thrown.code === 'ESRCH')) throw thrown;
  }
}

/** Hands each line of a stream on as it comes, whole. */
function eachLine(from: Readable, take: (line: string) => void): void {
  let rest = '';
  from.setEncoding('utf8');
  from.on('data', (part: string) => {
    const lines = (rest + part).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) take(line);
  });
  from.on('end', () => {
    if (rest !== '') take(rest);
  });
}

/** Seconds of `1m2.34s 0m0.5s`, the shell's `times` for its children. */
export function secondsOfTimes(text: string): number | null {
  const [, children = ''] = text.trim().split('\n');
  const parts = [...children.matchAll(/(\d+)m([\d.]+)s/g)];
  if (parts.length !== 2) return null;
  return parts.reduce((total, [, m, s]) => total + Number(m) * 60 + Number(s), 0);
}

/** Runs a program to its end; never rejects: what went wrong is told in its text, with code 1. */
export function runProgram(program: Program): Promise<Ended> {
  // The shell counts the processor time of its children; Node does not.
  const counted = process.platform !== 'win32';
  const [command = '', ...args] = counted
    ? ['/bin/sh', '-c', '"$@" 3>&-; code=$?; times >&3; exit $code', 'sh', ...program.command]
    : program.command;
  const child = spawn(command, args, {
    cwd: program.cwd,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    detached: counted,
    env: {
      ...ownEnv,
      FORCE_COLOR: '0',
      CI: '1',
      // As `npm start` has it: what tests start a hundred times is compiled once.
      NODE_COMPILE_CACHE: join(program.cwd, '.cache', 'compiled'),
      ...program.env,
    },
  });
  const { pid } = child;
  if (pid !== undefined) groups.add(pid);
  const lines: string[] = [];
  let killed = false;
  const say = (line: string): void => {
    lines.push(line);
    program.print(`${line}\n`);
  };
  const end = (reason: string): void => {
    if (killed || pid === undefined) return;
    killed = true;
    say(reason);
    endGroup(pid, 'SIGKILL');
    for (const stream of child.stdio) stream?.destroy();
  };
  let overdue: NodeJS.Timeout | undefined;
  const endSoon = (): void => {
    overdue ??= setTimeout(
      () => end('The tests are over but something they started still runs: a failure.'),
      leftoverMs,
    );
  };
  const silence = setTimeout(
    () =>
      end(
        `${program.name} printed nothing for ${program.silentMs / 60_000} minutes: ended. Its last line: ${lines.at(-1) ?? 'none'}`,
      ),
    program.silentMs,
  );
  for (const stream of [child.stdout, child.stderr].filter((one) => one !== null))
    eachLine(stream, (line) => {
      silence.refresh();
      say(line);
      if (program.last !== undefined && line.includes(program.last)) endSoon();
    });
  child.on('exit', endSoon);
  let times = '';
  const timesFrom = child.stdio[3];
  if (timesFrom !== null && timesFrom !== undefined && 'setEncoding' in timesFrom)
    timesFrom.setEncoding('utf8').on('data', (part: string) => {
      times += part;
    });
  return new Promise((done) => {
    const finish = (code: number): void => {
      clearTimeout(silence);
      clearTimeout(overdue);
      if (pid !== undefined) groups.delete(pid);
      done({
        code: killed ? 1 : code,
        text: lines.join('\n'),
        cpuSeconds: secondsOfTimes(times),
      });
    };
    child.on('error', (error) => {
      say(`${program.name}: ${error.message}`);
      finish(1);
    });
    child.on('close', (code) => finish(code ?? 1));
  });
}
