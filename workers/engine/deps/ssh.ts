import type { Identity, TestReport } from '../../../src/wire/contract/connections.ts';

/** A client with its jump chain and secrets resolved; first hop first, the target last. */
export interface SshHop {
  host: string;
  port: number;
  user: string;
  auth: ResolvedAuth;
  hostKeySha256?: string;
  /** SHA-1 signatures are taken from its host key and given with its user's. */
  allowSha1?: boolean;
}
export type ResolvedAuth =
  | { method: 'key'; privateKey: string; passphrase?: string }
  | { method: 'agent'; socket: string }
  | { method: 'password'; password: string };
export interface SshTarget {
  id: string;
  name: string;
  hops: readonly SshHop[];
}
export interface JobSpec {
  /** Unique a run and workload: names the remote directory `~/.tilebench/<runId>/<jobId>`. */
  runId: string;
  jobId: string;
  /** One /bin/sh command line; runs in the job directory. */
  command: string;
  /** The job ends itself after this, whatever happens to us. */
  timeLimitS: number;
}
/** Enough to find a job again after an engine restart. */
export interface JobHandle {
  runId: string;
  jobId: string;
  dir: string;
  pgid: number;
  /** Client's clock, epoch ms, when the command started. */ startMs: number;
}
export interface JobEnd {
  exitCode: number | null;
  signal: string | null;
  /** Bytes of stdout in all. */ bytes: number;
  stderrTail: string;
  /** From its start to its end by the records of its own machine; null where it left none. */
  ranMs: number | null;
}
export interface JobStatus {
  running: boolean;
  end: JobEnd | null;
  stdoutBytes: number;
}
/** A file of this computer that goes to a client. */
export interface SentFile {
  path: string;
  sha256: string;
  bytes: number;
}
export interface SshHost {
  /**
   * Short commands only; output bounded by `maxBytes` (default 1 MiB). Never rejects for a non-zero
   * exit.
   */
  exec(
    command: string,
    options?: { signal?: AbortSignal; timeoutMs?: number; stdin?: string; maxBytes?: number },
  ): Promise<{ code: number | null; stdout: string; stderr: string }>;
  /**
   * Runs a command that goes on printing, and hands on what it prints as it comes, until it ends or
   * `signal` fires. Rejects aborted once its process group is ended; unreachable when the connection
   * is lost, which ends it with the next thing it prints. For machines that can keep no job.
   */
  stream(
    command: string,
    onBytes: (chunk: Uint8Array) => void,
    signal: AbortSignal,
  ): Promise<{ code: number | null; stderrTail: string }>;
  /** Client's clock minus ours (ms), best of several round trips. */
  clockOffset(signal?: AbortSignal): Promise<{ offsetMs: number; errorMs: number }>;
  startJob(spec: JobSpec, signal?: AbortSignal): Promise<JobHandle>;
  /**
   * Calls `onBytes` with stdout from `fromOffset` on, until the job has ended and all was read.
   * Reconnects and reads on by itself; `onLink(false|true)` tells of a lost and regained
   * connection. Rejects only when the signal fires (`aborted`), the trust or credentials fail, or
   * the job's directory is gone (`notFound`).
   */
  followJob(
    job: JobHandle,
    fromOffset: number,
    onBytes: (chunk: Uint8Array, offset: number) => void,
    onLink: (up: boolean, detail: string) => void,
    signal: AbortSignal,
  ): Promise<JobEnd>;
  jobStatus(job: JobHandle, signal?: AbortSignal): Promise<JobStatus>;
  /** Ends the whole process group: TERM, and KILL after `graceMs`. Ok when it is already gone. */
  endJob(job: JobHandle, graceMs: number, signal?: AbortSignal): Promise<void>;
  /** Last `maxBytes` of the job's files, for the run's log. */
  readJobFile(
    job: JobHandle,
    name: 'stdout' | 'stderr' | 'command',
    maxBytes: number,
    signal?: AbortSignal,
  ): Promise<string>;
  /**
   * Puts the load generator of this computer there by SFTP, named by its digest; gives its whole
   * path there once the digest of what arrived is that of what was sent. Throws notFound where this
   * computer has none for that machine.
   */
  putKit(signal?: AbortSignal): Promise<string>;
  /**
   * Puts a file of this computer there by SFTP, named by its digest; gives its whole path there once
   * the digest of what arrived is that of what was sent. Throws conflict where there is no room.
   */
  putFile(file: SentFile, signal?: AbortSignal): Promise<string>;
  /** Removes what `putFile` put there. */
  dropFiles(signal?: AbortSignal): Promise<void>;
  /** Ends what may still run of a run (all jobs below its directory) and removes the directory. */
  cleanRun(runId: string, signal?: AbortSignal): Promise<void>;
  close(): void;
}
export interface SshEdge {
  identify(target: SshTarget, signal?: AbortSignal): Promise<Identity>;
  test(target: SshTarget, signal?: AbortSignal): Promise<TestReport>;
  /** Connects lazily and pools; verification happens before authentication at every hop. */
  host(target: SshTarget): SshHost;
}
