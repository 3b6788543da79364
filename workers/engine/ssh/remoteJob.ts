import { fail, toAppError } from '../../../src/core/base/errors.ts';
import type { JobEnd, JobHandle, JobSpec, JobStatus, SshTarget } from '../deps/ssh.ts';
import type { ExecOptions } from './exec.ts';
import { execOn } from './exec.ts';
import {
  answerMark,
  cleanScript,
  endScript,
  startScript,
  statusScript,
  tailScript,
} from './jobScripts.ts';
import type { Pool } from './pool.ts';
import { remoteName } from './quote.ts';
import type { SshEnv } from './types.ts';

export interface JobHost {
  env: SshEnv;
  target: SshTarget;
  pool: Pool;
}
export interface JobState {
  state: 'running' | 'ended' | 'lost' | 'rebooted' | 'gone';
  bytes: number;
  exit: JobExit | null;
}
export interface JobExit {
  code: number;
  /** By the client's clock. */
  endMs: number;
  reason: string;
  /** null where the job was ended from outside its supervisor, or by an earlier version. */
  ranMs: number | null;
}

/**
 * The answer lines of a script, which is safe to run twice: a connection lost on the way is tried
 * again.
 */
export async function ask(
  host: JobHost,
  script: string,
  options: ExecOptions = {},
): Promise<string[]> {
  for (let tries = 1; ; tries += 1) {
    try {
      const { code, stdout, stderr } = await execOn(
        host.env,
        host.target,
        host.pool,
        script,
        options,
      );
      const lines = stdout
        .split('\n')
        .filter((line) => line.startsWith(answerMark))
        .map((line) => line.slice(answerMark.length).trim());
      if (lines.length > 0) return lines;
      throw fail(
        'internal',
        `${host.target.name} gave no answer to a job script (exit code ${code}): ${stderr.slice(-300)}`,
        'Check that /bin/sh works there and that the login shell prints nothing and ends nothing.',
      );
    } catch (thrown) {
      const error = toAppError(thrown);
      // A step in the details means that not even connecting works.
      if (error.kind !== 'unreachable' || error.details?.['step'] !== undefined || tries >= 4)
        throw error;
      await host.env.clock.sleep(200 * tries, options.signal);
    }
  }
}

/** Starts the job, or finds it where an engine before this one started it. */
export async function startJob(
  host: JobHost,
  spec: JobSpec,
  signal?: AbortSignal,
): Promise<JobHandle> {
  const runId = remoteName('run', spec.runId);
  const jobId = remoteName('job', spec.jobId);
  if (!Number.isFinite(spec.timeLimitS) || spec.timeLimitS <= 0)
    throw fail(
      'invalidInput',
      `The time limit of job ${jobId} is ${spec.timeLimitS} s.`,
      'Give a limit above zero.',
    );
  const stdin = `${spec.command}\n`;
  const script = startScript(runId, jobId, Buffer.byteLength(stdin), Math.ceil(spec.timeLimitS));
  const [answer = ''] = await ask(host, script, { stdin, ...(signal ? { signal } : {}) });
  const found = /^ok (\d+) (\d+) (\/.*)$/.exec(answer);
  if (!found?.[1] || !found[2] || !found[3]) {
    throw fail(
      'conflict',
      `Job ${jobId} did not start on ${host.target.name}: ${answer.replace(/^fail /, '')}.`,
      'Check free space, write permission and installed tools of that machine.',
      { client: host.target.name, jobId },
    );
  }
  return { runId, jobId, dir: found[3], pgid: Number(found[1]), startMs: Number(found[2]) };
}

/** States of many jobs by one command. */
export async function jobStates(
  host: JobHost,
  dirs: readonly string[],
  signal?: AbortSignal,
): Promise<JobState[]> {
  const lines = await ask(host, statusScript(dirs), signal ? { signal } : {});
  return dirs.map((_, index) => parseState(lines[index] ?? ''));
}

function parseState(line: string): JobState {
  const [state, bytes, ...exit] = line.split(' ');
  if (
    state !== 'running' &&
    state !== 'ended' &&
    state !== 'lost' &&
    state !== 'rebooted' &&
    state !== 'gone'
  )
    throw fail('internal', `A job state cannot be read: ${line.slice(0, 80)}`);
  return {
    state,
    bytes: Number(bytes),
    exit: state === 'ended' ? parseExit(exit.join(' ')) : null,
  };
}

/**
 * The exit file: `code endMs reason ranMs`; the last one is missing in those of earlier versions.
 */
export function parseExit(text: string): JobExit {
  const [code, endMs, reason, ranMs] = text.trim().split(' ');
  return {
    code: Number(code),
    endMs: Number(endMs),
    reason: reason ?? 'done',
    ranMs: ranMs === undefined ? null : Number(ranMs),
  };
}

/** Signals by number, as a shell reports them (128 + n). */
const signalNames: Record<number, string> = {
  1: 'SIGHUP',
  2: 'SIGINT',
  3: 'SIGQUIT',
  6: 'SIGABRT',
  8: 'SIGFPE',
  9: 'SIGKILL',
  11: 'SIGSEGV',
  13: 'SIGPIPE',
  14: 'SIGALRM',
  15: 'SIGTERM',
};

/** The end of a job from its state; `startMs` by the client's clock, `stderr` is its last part. */
export function jobEnd(
  state: JobState['state'],
  exit: JobExit | null,
  startMs: number,
  bytes: number,
  stderr: string,
): JobEnd {
  const say = (words: string): string =>
    `${stderr}${stderr === '' || stderr.endsWith('\n') ? '' : '\n'}[tilebench] ${words}`;
  if (exit) {
    const signal = exit.code > 128 ? (signalNames[exit.code - 128] ?? null) : null;
    return {
      exitCode: exit.code,
      signal,
      bytes,
      stderrTail:
        exit.reason === 'limit' ? say('The job was ended by its own time limit.') : stderr,
      ranMs: exit.ranMs ?? exit.endMs - startMs,
    };
  }
  if (state === 'rebooted')
    return {
      exitCode: null,
      signal: 'rebooted',
      bytes,
      stderrTail: say('The client was restarted while the job ran.'),
      ranMs: null,
    };
  return {
    exitCode: null,
    signal: 'SIGKILL',
    bytes,
    stderrTail: say(
      'The job left no exit code: it was killed from outside, or the disk of the client is full.',
    ),
    ranMs: null,
  };
}

export const goneError = (host: JobHost, dir: string): Error =>
  fail(
    'notFound',
    `The job directory ${dir} is gone from ${host.target.name}.`,
    'Somebody removed it while the job ran; its output after the last stored second is lost.',
    { client: host.target.name, dir },
  );

export async function jobStatus(
  host: JobHost,
  job: JobHandle,
  signal?: AbortSignal,
): Promise<JobStatus> {
  const [state] = await jobStates(host, [job.dir], signal);
  if (!state || state.state === 'gone') throw goneError(host, job.dir);
  if (state.state === 'running') return { running: true, end: null, stdoutBytes: state.bytes };
  return {
    running: false,
    end: jobEnd(
      state.state,
      state.exit,
      job.startMs,
      state.bytes,
      await readJobFile(host, job, 'stderr', 4_096, signal),
    ),
    stdoutBytes: state.bytes,
  };
}

/** Ends the job's processes. Throws internal, naming them, where some cannot be ended. */
export async function endJob(
  host: JobHost,
  job: JobHandle,
  graceMs: number,
  signal?: AbortSignal,
): Promise<void> {
  const [answer = ''] = await ask(host, endScript(job.dir, Math.max(0, Math.round(graceMs))), {
    timeoutMs: graceMs + 30_000,
    ...(signal ? { signal } : {}),
  });
  if (answer.startsWith('alive')) throw stillAlive(host, job.jobId, answer);
}

export async function readJobFile(
  host: JobHost,
  job: JobHandle,
  name: 'stdout' | 'stderr' | 'command',
  maxBytes: number,
  signal?: AbortSignal,
): Promise<string> {
  const { code, stdout, stderr } = await execOn(
    host.env,
    host.target,
    host.pool,
    tailScript(job.dir, name, maxBytes),
    { maxBytes: maxBytes + 4_096, ...(signal ? { signal } : {}) },
  );
  if (code !== 0)
    throw fail(
      'notFound',
      `${name} of job ${job.jobId} cannot be read on ${host.target.name}: ${stderr.trim()}.`,
      'The job directory may have been removed.',
    );
  return stdout;
}

/** Ends all of a run on this client and removes its directory. Ok when there is nothing. */
export async function cleanRun(host: JobHost, runId: string, signal?: AbortSignal): Promise<void> {
  const [answer = ''] = await ask(host, cleanScript(remoteName('run', runId)), {
    timeoutMs: 60_000,
    ...(signal ? { signal } : {}),
  });
  if (answer.startsWith('alive')) throw stillAlive(host, runId, answer);
  if (answer.startsWith('kept'))
    throw fail(
      'internal',
      `${answer.slice(5)} on ${host.target.name} could not be removed.`,
      'Remove it by hand.',
    );
}

function stillAlive(host: JobHost, what: string, answer: string): Error {
  return fail(
    'internal',
    `Processes of ${what} cannot be ended on ${host.target.name}: ${answer.replace('alive', '').trim()}.`,
    'They may wait for a dead disk. End them by hand or restart that machine.',
  );
}
