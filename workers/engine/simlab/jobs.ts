import type { JobEnd, JobHandle, JobSpec } from '../deps/ssh.ts';
import type { LabModel } from './model/types.ts';
import { createOutput, type Output } from './programs/output.ts';
import type { Program } from './programs/types.ts';

/** How a job ends, as its wrapper tells it. */
export interface Ending {
  exitCode: number | null;
  signal: string | null;
  stderr: string;
}

/** One program on one machine of a lab. Times in engine's epoch ms. */
export interface SimJob {
  readonly handle: JobHandle;
  readonly machine: string;
  readonly command: string;
  /** VM under load; null = none. */
  readonly vmId: string | null;
  readonly startMs: number;
  /** When it ends by itself, or by its time limit. */
  readonly dueMs: number;
  readonly output: Output;
  readonly end: JobEnd | null;
  /** When it next prints or ends. */
  nextMs(): number;
  /**
   * Prints what is due up to `toMs`, to which the model has been brought. Ends the job when its
   * time is over.
   */
  advance(model: LabModel, toMs: number): void;
  /** Ends it before its time; the load goes with it. */
  kill(how: Ending): void;
  /** Told when it is ended before its time. */
  onKill(listener: () => void): void;
}

const empty = {
  header: '',
  fields: 1,
  take: () => [0],
  begin: () => null,
  print: () => '',
  trailer: () => '',
};

const passed: Ending = { exitCode: 0, signal: null, stderr: '' };
const outOfTime: Ending = {
  exitCode: 143,
  signal: 'SIGTERM',
  stderr: '[tilebench] The job was ended by its own time limit.',
};
/** The end of a program that does not run. */
const refusalOf = (program: Program): Ending => ({
  exitCode: program.kind === 'fails' ? program.exitCode : 1,
  signal: null,
  stderr: program.kind === 'fails' ? program.stderr : '',
});

const handleOf = ({ runId, jobId }: JobSpec, pgid: number, startMs: number): JobHandle => ({
  runId,
  jobId,
  dir: `/home/lab/.tilebench/${runId}/${jobId}`,
  pgid,
  startMs,
});

/**
 * Starts a program: its load is on the model from `nowMs`. `offsetAt` is the client's clock minus
 * the engine's.
 */
export function startSimJob(options: {
  spec: JobSpec;
  machine: string;
  program: Program;
  model: LabModel;
  clientId: string | null;
  nowMs: number;
  offsetAt: (tMs: number) => number;
  pgid: number;
}): SimJob {
  const { spec, machine, program, model, clientId, nowMs, offsetAt } = options;
  const handle = handleOf(spec, options.pgid, nowMs + offsetAt(nowMs));
  const runs = program.kind === 'runs' ? program : null;
  const limitMs = spec.timeLimitS * 1_000;
  const inTime = runs !== null && runs.durationMs <= limitMs;
  const dueMs = nowMs + (runs === null ? 0 : Math.min(runs.durationMs, limitMs));
  const intervalMs = runs?.intervalMs ?? 1_000;
  const output = createOutput(runs?.format ?? empty);
  const loadId = `${spec.runId}/${spec.jobId}`;
  let loaded = false;
  const killListeners: (() => void)[] = [];
  let end: JobEnd | null = null;
  if (runs?.load) {
    model.startLoad({ id: loadId, vmId: runs.load.vmId, clientId, demand: runs.load.demand });
    loaded = true;
  }

  const finish = (how: Ending, ranMs: number): void => {
    if (loaded) model.stopLoad(loadId);
    loaded = false;
    end = {
      exitCode: how.exitCode,
      signal: how.signal,
      bytes: output.bytes,
      stderrTail: how.stderr,
      ranMs,
    };
  };
  const job: SimJob = {
    handle,
    machine,
    command: spec.command,
    vmId: runs?.load?.vmId ?? null,
    startMs: nowMs,
    dueMs,
    output,
    get end() {
      return end;
    },
    nextMs: () => (end ? Infinity : Math.min(nowMs + (output.intervals + 1) * intervalMs, dueMs)),
    advance(on, toMs) {
      if (end) return;
      if (runs === null) {
        finish(refusalOf(program), 0);
        return;
      }
      for (;;) {
        const fromMs = nowMs + output.intervals * intervalMs;
        const atMs = fromMs + intervalMs;
        if (atMs > toMs || atMs > dueMs) break;
        const interval = {
          index: output.intervals,
          elapsedMs: atMs - nowMs,
          lengthMs: intervalMs,
          clientMs: atMs + offsetAt(atMs),
        };
        output.add(
          runs.format.take(loaded ? on.load(loadId, fromMs, atMs) : null, interval),
          interval,
        );
      }
      if (toMs < dueMs) return;
      if (inTime) output.finish();
      finish(inTime ? passed : outOfTime, dueMs - nowMs);
    },
    kill(how) {
      if (end) return;
      finish(how, output.intervals * intervalMs);
      for (const listener of killListeners.splice(0)) listener();
    },
    onKill(listener) {
      killListeners.push(listener);
    },
  };
  return job;
}
