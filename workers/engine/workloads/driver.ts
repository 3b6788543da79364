import type * as z from 'zod';

import type { MetricName } from '../../../src/core/metric/metric.ts';
import type { DriverId } from '../../../src/core/profile/driverKinds.ts';
import type { SshHost } from '../deps/ssh.ts';

/**
 * What a driver gives: one entry a series. The first is the scored throughput where there is one.
 */
export interface DriverSeries {
  metric: MetricName;
  unit: string;
  decimals: number;
}

export interface DriverTiming {
  durationS: number;
  intervalS: number;
}

/**
 * Where a fresh parser can start so that it yields exactly what follows. `state` is small (≤ 4 kB).
 */
export interface ParserResume {
  offset: number;
  state?: string | undefined;
}

export interface ParserOptions {
  /** When the command started, client clock, epoch ms. */
  startMs: number;
  intervalMs: number;
  /** Called for each measurement; tMs on the client's clock. */
  emit: (metric: MetricName, tMs: number, value: number) => void;
  resume?: ParserResume;
}

/** Byte-wise; one torn, oversized or binary line is counted, never fatal. */
export interface DriverParser {
  push(chunk: Uint8Array): void;
  /** The job has ended and all bytes were pushed. */
  end(): void;
  /**
   * Offset (from the start of stdout) from which a fresh parser continues. It may repeat the last
   * emitted record (fio needs its predecessor): the engine drops samples that are not newer.
   */
  resume(): ParserResume;
  readonly badLines: number;
  /** The first few bad lines, cut and made printable, for the finding. */
  readonly badExamples: readonly string[];
}

export interface DriverCheck<P = Record<string, unknown>> {
  ok: boolean;
  version: string | null;
  problem?: string;
  /** The parameter that most likely causes it. */ blames?: keyof P & string;
  /** What somebody must know before the run, although nothing is wrong. */
  warning?: string;
  fix?: string;
  /** To copy: what mends it. */ command?: string;
}

/** The tool's own final report, for the cross-check against stored samples. */
export interface FinalReport {
  /** Seconds after the start from which the report counts (a tool's own warm-up is left out). */ fromS?: number;
  throughput: number | null;
  latencyMeanMs: number | null;
  latencyP95Ms: number | null;
  /** What the load did not bring to its end, in words behind the workload's name. */
  warning?: string;
  text: string;
}

/**
 * A server that a load needs on another machine: a run starts it there as a job of its own where the
 * machine is a client of Connections, and ends it with itself.
 */
export interface DriverServer {
  /** In words: The web tier. */ name: string;
  /** Of its machine, as a client machine has it in Connections. */ address: string;
  /** The parameter that names the machine. */ blames: string;
  /** One /bin/sh command that serves until it is ended. No secret in it. */ command: string;
  /** What its output holds once it answers. */ ready: string;
  /** Puts there what the command needs; idempotent. */
  prepare(host: SshHost, signal?: AbortSignal): Promise<void>;
  /** Takes that away; idempotent. */
  cleanup(host: SshHost, signal?: AbortSignal): Promise<void>;
}

/** P: the driver's parameters as its schema parses them. */
export interface Driver<P = Record<string, unknown>> {
  /** Its key in `driverKinds.ts`. */
  readonly id: DriverId;
  readonly title: string;
  readonly role: string;
  readonly params: z.ZodType<P>;
  /** Oldest version of the tool whose output this driver can read, and why. */
  readonly minimumVersion?: { version: string; reason: string };
  /** Address of the machine under load, as the client knows it; '' = none, or the client itself. */
  target?(params: P): string;
  /**
   * Fills in the machine under load where the parameters name none: the guest address of the
   * assigned VM, '' where vCenter knows none, null where no VM is assigned.
   */
  withTarget?(params: P, guestAddress: string | null): P;
  /**
   * Where the program tells `clientLateMs` and `clientSaturatedPct`: above which lateness its client
   * counts as behind.
   */
  latenessLimitMs?(params: P): number;
  /** What a run starts for it on other machines; absent = nothing. */
  servers?(params: P): readonly DriverServer[];
  series(params: P): readonly DriverSeries[];
  /** Installed, which version, and does what the run will load answer. */
  check(host: SshHost, params: P, signal?: AbortSignal): Promise<DriverCheck<P>>;
  /** Creates what the load needs (tables, files); idempotent; may take minutes. */
  prepare(host: SshHost, params: P, signal?: AbortSignal): Promise<void>;
  /**
   * One /bin/sh command that prints intervals to stdout and ends by itself after durationS. No
   * secret in it: secrets go by file or environment in the job directory.
   */
  command(params: P, timing: DriverTiming): string;
  parser(params: P, options: ParserOptions): DriverParser;
  /** From the whole stdout of an ended job; null when it was cut short. */
  finalReport(params: P, stdout: string): FinalReport | null;
  /**
   * What every run undoes at its end: data its parameters ask to be removed, a program that was put
   * on the client. Absent = what prepare made stays for the next run. Idempotent.
   */
  afterRun?(host: SshHost, params: P, signal?: AbortSignal): Promise<void>;
  /** Removes what prepare made; idempotent. No run calls it. */
  cleanup(host: SshHost, params: P, signal?: AbortSignal): Promise<void>;
}
