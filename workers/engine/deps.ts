import type { LabFault, LabSpec, LabStatus } from '../../src/core/lab/lab.ts';
import type { SecretRef } from '../../src/core/testbed/secretRef.ts';
import type { PowerEdge } from './deps/power.ts';
import type { SshEdge } from './deps/ssh.ts';
import type { UpdateEdge } from './deps/updates.ts';
import type { VCenterEdge } from './deps/vcenter.ts';

/**
 * What happened to this computer's time. `fromMs` and `toMs`: of a step what the clock would have
 * shown and what it showed, of the others from when to when.
 */
export interface ClockJump {
  kind: 'slept' | 'stood' | 'stepped';
  /** By `now` of who holds the clock. */
  atMs: number;
  fromMs: number;
  toMs: number;
}
export interface ClockHold {
  /**
   * The computer's clock stepped by so much before it was held, as its peers show: `now` goes back
   * to what it was.
   */
  realign(steppedMs: number): void;
  release(): void;
}
/** Time, only through this: a test runs a three-hour run in milliseconds. */
export interface Clock {
  /**
   * Epoch milliseconds. While the clock is held they only grow, whatever the computer's clock is
   * set to.
   */
  now(): number;
  /**
   * Resolves after `ms` in which this process ran: sleep of the computer does not use up anybody's
   * patience. Rejects with an AppError `aborted` when the signal fires.
   */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Milliseconds in which this process ran, from any origin. Absent = as `now`. */
  awakeMs?(): number;
  /**
   * Keeps `now` from stepping until it is released, and tells of every jump. Absent = time cannot
   * jump.
   */
  hold?(onJump: (jump: ClockJump) => void): ClockHold;
  /**
   * Milliseconds that may gather before somebody looks: more where virtual time flies. Absent =
   * every caller's own rhythm.
   */
  grainMs?(): number;
}
export interface Ids {
  next(prefix: string): string;
}
export interface Log {
  debug(text: string, facts?: Record<string, unknown>): void;
  info(text: string, facts?: Record<string, unknown>): void;
  warn(text: string, facts?: Record<string, unknown>): void;
  error(text: string, facts?: Record<string, unknown>): void;
}

const nothing = (): void => undefined;
/** Keeps nothing: for tests, benches and labs. */
export const silentLog: Log = { debug: nothing, info: nothing, warn: nothing, error: nothing };

/** The host's secret store. `session` = forgotten when the host ends. */
export interface Secrets {
  readonly kind: 'keychain' | 'session';
  /** Where the secret really lies: a variable may stand in for a keychain entry. */
  sourceOf(ref: SecretRef): Promise<SecretRef>;
  /**
   * Throws authFailed with a hint when the secret is not there. Only the secret gate asks: it knows
   * whom a secret is for.
   */
  get(ref: SecretRef): Promise<string>;
  set(id: string, value: string): Promise<void>;
  remove(id: string): Promise<void>;
}

/** What a simulated machine does not run. */
export interface LabRefusal {
  /** The program has no twin there at all. */
  noTwin: boolean;
  /** What its shell, or the twin, would say. */
  says: string;
  /** Kinds of load that the lab defines. */
  kinds: readonly string[];
}

/** The simulated lab behind the four edges, where there is one. */
export interface LabControl {
  status(): LabStatus;
  setPace(pace: { speed: number | null; paused: boolean }): LabStatus;
  /**
   * Makes a lab reachable, or replaces the one of that id; nothing may run on it (`conflict`). Its
   * vCenter is `<id>.sim`.
   */
  load(spec: LabSpec): LabStatus;
  /** Forgets a lab, at the next start too; nothing may run on it (`conflict`). */
  unload(labId: string): LabStatus;
  /** The loaded lab as it was given; null where there is none of that id. */
  given(labId: string): LabSpec | null;
  /**
   * The loaded lab as it was given, with these changes (`variant` names a set); replaces those of
   * the last call. `invalidInput` for an unknown path.
   */
  configure(labId: string, changes: Readonly<Record<string, unknown>>): void;
  /**
   * Milliseconds until the lab behind this vCenter is at a mark of its own time; 0 where there is
   * none. Runs that begin at a mark are the same at any pace.
   */
  untilMarkMs(vcenterHost: string): number;
  /**
   * Why a machine of a lab would end this command of a load at once; null: it would run, or the
   * address is no lab's.
   */
  refusalOf(machineHost: string, command: string): LabRefusal | null;
  addFault(labId: string, fault: LabFault): LabStatus;
  removeFault(labId: string, id: string): LabStatus;
  onChange(listener: (status: LabStatus) => void): () => void;
}

/** The file in which a practice lab of this user tells of itself. */
export interface PracticeLabEdge {
  /** null: there is none. `stranger`: why it may be another's, null where it is the user's alone. */
  read(
    which: 'lab' | 'styleTile',
  ): Promise<{ path: string; text: string; stranger: string | null } | null>;
  /** Whether somebody listens there. Never rejects. */
  answers(host: string, port: number): Promise<boolean>;
}

/** Everything an engine needs from its host. */
export interface Deps {
  clock: Clock;
  ids: Ids;
  log: Log;
  secrets: Secrets;
  vcenter: VCenterEdge;
  ssh: SshEdge;
  power: PowerEdge;
  /** Absent = nothing newer is ever looked for. */
  updates?: UpdateEdge;
  /** null: the edges are real. Otherwise everything this engine does is simulated, and says so. */
  lab: LabControl | null;
  /** Absent = no practice lab is looked for. */
  practiceLab?: PracticeLabEdge;
  /** Folder of the database, backups and logs. */
  dataDir: string;
  /** Shipped profiles and samples. */
  resourcesDir: string;
  host: 'electron' | 'browser' | 'cli' | 'test';
  version: string;
  /** Throws notFound where a key file is not readable. */
  readTextFile(path: string): Promise<string>;
  env: Readonly<Record<string, string | undefined>>;
}
