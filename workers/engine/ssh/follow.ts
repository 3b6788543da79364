import { fail, toAppError } from '../../../src/core/base/errors.ts';
import type { JobEnd, JobHandle } from '../deps/ssh.ts';
import { abortable, abortedError } from './deadline.ts';
import type { Liveness } from './liveness.ts';
import type { JobExit, JobHost, JobState } from './remoteJob.ts';
import { goneError, jobEnd, parseExit } from './remoteJob.ts';
import type { RemoteFiles, SftpLane } from './sftpLane.ts';

export type OnBytes = (chunk: Uint8Array, offset: number) => void;
export type OnLink = (up: boolean, detail: string) => void;

const smallRead = 32 * 1_024;
const largeRead = 256 * 1_024;

/**
 * Follows a job's stdout from a byte offset to its end. Reads by offset, one read at a time, so a
 * slow consumer slows the reads, and a lost connection loses and repeats nothing. See
 * SshHost.followJob for what it rejects with.
 */
export async function followJob(
  host: JobHost,
  lane: SftpLane,
  liveness: Liveness,
  job: JobHandle,
  fromOffset: number,
  onBytes: OnBytes,
  onLink: OnLink,
  signal: AbortSignal,
): Promise<JobEnd> {
  const { clock, limits, log } = host.env;
  let offset = fromOffset;
  let downSinceMs: number | null = null;
  let tries = 0;
  const deliver: OnBytes = (chunk, at) => {
    onBytes(chunk, at);
    offset = at + chunk.length;
  };
  for (;;) {
    if (signal.aborted) throw abortedError(`Following ${job.jobId}`);
    try {
      const files = await lane.files(signal);
      return await readToEnd(
        host,
        files,
        liveness,
        job,
        offset,
        deliver,
        () => {
          if (downSinceMs === null) return;
          onLink(
            true,
            `${host.target.name} is back after ` +
              `${Math.round((clock.now() - downSinceMs) / 1_000)} s; reading on from byte ` +
              `${offset}.`,
          );
          downSinceMs = null;
          tries = 0;
        },
        signal,
      );
    } catch (thrown) {
      const error = toAppError(thrown);
      if (signal.aborted) throw abortedError(`Following ${job.jobId}`);
      if (error.kind !== 'unreachable' && error.kind !== 'timedOut') throw error;
      if (downSinceMs === null) {
        downSinceMs = clock.now();
        onLink(false, error.message);
        log.info('A followed job lost its connection', {
          client: host.target.name,
          jobId: job.jobId,
          offset,
          error: error.message,
        });
      }
      await clock.sleep(
        Math.min(limits.maxBackoffMs, 250 * 2 ** Math.min(tries, 8)) * (0.75 + Math.random() / 2),
        signal,
      );
      tries += 1;
    }
  }
}

async function readToEnd(
  host: JobHost,
  files: RemoteFiles,
  liveness: Liveness,
  job: JobHandle,
  fromOffset: number,
  deliver: OnBytes,
  onUp: () => void,
  signal: AbortSignal,
): Promise<JobEnd> {
  const { clock, limits, pace } = host.env;
  const what = `Following ${job.jobId}`;
  const handle = await abortable(files.open(`${job.dir}/stdout`), signal, what);
  if (!handle) throw goneError(host, job.dir);
  onUp();
  const leave = pace.join();
  try {
    let buffer = Buffer.allocUnsafe(smallRead);
    let offset = fromOffset;
    let exit: JobExit | null = null;
    let state: JobState['state'] = 'running';
    let exitAskedMs = -Infinity;
    let aliveAskedMs = clock.now();
    for (;;) {
      const count = await abortable(files.read(handle, buffer, offset), signal, what);
      if (count > 0) {
        // A copy of its own: the consumer may keep the chunk, the buffer is read into again.
        deliver(Uint8Array.prototype.slice.call(buffer, 0, count), offset);
        offset += count;
        // What writes lives: it is asked after once it is silent.
        aliveAskedMs = clock.now();
        if (count === buffer.length && buffer.length < largeRead)
          buffer = Buffer.allocUnsafe(largeRead);
        // So little is all there is (servers cut long answers, not these), and a job that writes
        // has not ended: neither is asked about.
        if (count < smallRead && !exit && state === 'running')
          await clock.sleep(pace.pauseMs(), signal);
        continue;
      }
      // Whatever the job wrote before its end was known has now been read.
      if (exit || state !== 'running')
        return await finish(host, files, handle, job, state, exit, offset);
      if (buffer.length > smallRead) buffer = Buffer.allocUnsafe(smallRead);
      const now = clock.now();
      if (now - exitAskedMs >= limits.exitPollMs) {
        exitAskedMs = now;
        const text = await abortable(files.tail(`${job.dir}/exit`, 200), signal, what);
        if (text) {
          exit = parseExit(text.toString('latin1'));
          continue;
        }
      }
      if (now - aliveAskedMs >= limits.livenessMs) {
        aliveAskedMs = now;
        const answer = await abortable(liveness.check(job.dir), signal, what);
        if (answer.state === 'gone') throw goneError(host, job.dir);
        state = answer.state;
        exit = answer.exit;
        if (state !== 'running') continue;
      }
      await clock.sleep(pace.pauseMs(), signal);
    }
  } finally {
    leave();
    files.close(handle);
  }
}

async function finish(
  host: JobHost,
  files: RemoteFiles,
  handle: Buffer,
  job: JobHandle,
  state: JobState['state'],
  exit: JobExit | null,
  offset: number,
): Promise<JobEnd> {
  const size = await files.size(handle);
  if (size < offset)
    throw fail(
      'notFound',
      `stdout of job ${job.jobId} on ${host.target.name} has ${size} bytes, fewer than the ${offset} already read.`,
      'Somebody changed the job directory; its later output is lost.',
    );
  const stderr = await files.tail(`${job.dir}/stderr`, 4_096);
  return jobEnd(state, exit, job.startMs, offset, stderr?.toString('utf8') ?? '');
}
