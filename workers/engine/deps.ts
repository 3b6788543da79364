import type { LabFault, LabSpec, LabStatus } from '../../src/core/lab/lab.ts';
import type {
  ClientConnection,
  Inventory,
  PowerConnection,
  SecretRef,
  SshAuth,
  VCenterConnection,
} from '../../src/core/testbed/testbed.ts';
import type { Identity, TestReport } from '../../src/wire/contract/connections.ts';

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

/* ── Edge 1: vCenter ── */
export interface PerfProvider {
  kind: 'host' | 'datastore';
  ref: string;
}
/** One counter of one entity over a time span; `tMs` is vCenter's clock. */
export interface PerfSeries {
  ref: string;
  /** Part of the entity, e.g. the uplink `vmnic2`; absent = the whole. */ instance?: string;
  metric:
    | 'cpuPct'
    | 'memoryPct'
    | 'netKbps'
    | 'powerW'
    | 'iops'
    | 'readIops'
    | 'writeIops'
    | 'deviceLatencyMs'
    | 'kernelLatencyMs'
    | 'cpuBusyPct'
    | 'readyPct'
    | 'swapMb'
    | 'balloonMb'
    | 'swapInKBps'
    | 'powerCapW'
    | 'queueLatencyMs';
  points: readonly { tMs: number; value: number }[];
}
/** One event as vCenter tells of it; `tMs` is vCenter's clock, `key` rises and is told once. */
export interface VmEvent {
  key: number;
  /** Same for all events of one cause; of a task also its `chainId`. */ chainId: number | null;
  tMs: number;
  vmRef: string | null;
  vmName: string | null;
  /** Where the VM is after it, or the host it is about. */ hostRef: string | null;
  /** vSphere's name of the event, e.g. `DrsVmMigratedEvent`. */ type: string;
  text: string;
  user: string | null;
}
/** One task as vCenter tells of it; times are vCenter's clock. */
export interface TaskFacts {
  ref: string;
  chainId: number | null;
  /** What it works on, by vCenter's reference. */
  entityRef: string | null;
  /** vCenter's name of it, e.g. `VirtualMachine.relocate`. */
  operation: string;
  state: 'queued' | 'running' | 'success' | 'error';
  progressPct: number | null;
  queuedMs: number | null;
  startedMs: number | null;
  completedMs: number | null;
}
/**
 * DRS of one cluster. Rate 1 is the most aggressive, 5 the most conservative, as the API counts.
 * null = vCenter did not say.
 */
export interface DrsSetting {
  enabled: boolean | null;
  behavior: string | null;
  vmotionRate: number | null;
}
export interface VCenterSession {
  /** vCenter's clock minus ours, in ms, and how wrong that may be. */
  clockOffset(signal?: AbortSignal): Promise<{ offsetMs: number; errorMs: number }>;
  inventory(signal?: AbortSignal): Promise<Inventory>;
  /**
   * Clocks of hosts minus ours, in ms, each wrong by at most `errorMs`. A host that does not tell
   * is left out.
   */
  hostClocks(
    hostRefs: readonly string[],
    signal?: AbortSignal,
  ): Promise<{ hostRef: string; offsetMs: number; errorMs: number }[]>;
  /**
   * 20 s real-time samples with tMs > sinceMs (vCenter clock), oldest first; back-fills up to an
   * hour. Datastore figures are sums and means over the hosts that mount it.
   */
  perf(
    providers: readonly PerfProvider[],
    sinceMs: number,
    signal?: AbortSignal,
  ): Promise<PerfSeries[]>;
  /**
   * Physical network adapters whose use `perf` gives one by one (`instance`), by host and name.
   * Empty where this vCenter gives only the sum of a host.
   */
  uplinks(
    hostRefs: readonly string[],
    signal?: AbortSignal,
  ): Promise<{ hostRef: string; device: string }[]>;
  /**
   * Privileges the benchmark needs that this user lacks; `also` are those that only some plans
   * need.
   */
  missingPrivileges(signal?: AbortSignal, also?: readonly string[]): Promise<string[]>;
  /** Where a VM is now; throws notFound where it is gone. */
  placement(
    vmRef: string,
    signal?: AbortSignal,
  ): Promise<{
    hostRef: string | null;
    datastoreRefs: string[];
    poweredOn: boolean;
    /** Of the guest, as its tools tell it. */ ip: string | null;
  }>;
  /** Where these VMs run now, in one call. VMs that are gone are left out. */
  placements(
    vmRefs: readonly string[],
    signal?: AbortSignal,
  ): Promise<Map<string, { hostRef: string | null; poweredOn: boolean }>>;
  relocate(
    vmRef: string,
    target: { hostRef?: string; datastoreRef?: string },
    signal?: AbortSignal,
    watch?: TaskWatch,
  ): Promise<void>;
  clone(
    vmRef: string,
    name: string,
    target: CloneTarget,
    signal?: AbortSignal,
    watch?: TaskWatch,
  ): Promise<string>;
  power(vmRef: string, on: boolean, signal?: AbortSignal, watch?: TaskWatch): Promise<void>;
  snapshot(vmRef: string, name: string, signal?: AbortSignal, watch?: TaskWatch): Promise<string>;
  removeSnapshot(snapshotRef: string, signal?: AbortSignal, watch?: TaskWatch): Promise<void>;
  destroy(vmRef: string, signal?: AbortSignal, watch?: TaskWatch): Promise<void>;
  /**
   * Waits for a task started earlier; gives the id of what it made, if anything. The signal ends
   * the wait, not the task. Throws the task's fault, notFound where vCenter has forgotten it.
   */
  followTask(taskRef: string, signal?: AbortSignal, watch?: TaskWatch): Promise<string | null>;
  /** Best effort: a task that cannot be cancelled any more runs to its end. */
  cancelTask(taskRef: string): Promise<void>;
  /** What is written on a VM; throws notFound where it is gone. */
  vmMark(vmRef: string, signal?: AbortSignal): Promise<VmMark>;
  /** Bytes a VM's files take now, and could grow to; null where vCenter does not say. */
  vmStorage(
    vmRef: string,
    signal?: AbortSignal,
  ): Promise<{ usedBytes: number | null; growsToBytes: number | null }>;
  /** Puts the first network adapter of a VM on a network; the others stay. */
  connectNetwork(vmRef: string, networkRef: string, signal?: AbortSignal): Promise<void>;
  /** The VM folder of this name in the datacenter of a host; made where there is none. */
  makeFolder(
    name: string,
    hostRef: string,
    signal?: AbortSignal,
  ): Promise<{ ref: string; made: boolean }>;
  /** Removes a folder that holds nothing; false where it holds something, or is gone already. */
  removeEmptyFolder(folderRef: string, signal?: AbortSignal): Promise<boolean>;
  /**
   * Recent tasks on these VMs, queued and running ones among them: what another engine, or this one
   * before a restart, began.
   */
  tasks(vmRefs: readonly string[], signal?: AbortSignal): Promise<TaskFacts[]>;
  /** One task as it stands; null where vCenter has forgotten it. */
  task(taskRef: string, signal?: AbortSignal): Promise<TaskFacts | null>;
  /**
   * Events of VMs, hosts and alarms with tMs >= sinceMs (vCenter's clock), oldest first.
   * `truncated`: there were more than is read at once; ask again from the last.
   */
  events(sinceMs: number, signal?: AbortSignal): Promise<{ events: VmEvent[]; truncated: boolean }>;
  drs(clusterRef: string, signal?: AbortSignal): Promise<DrsSetting>;
  /** Members that are null stay as they are. */
  setDrs(clusterRef: string, setting: DrsSetting, signal?: AbortSignal): Promise<void>;
  logout(): Promise<void>;
}
/** Where a clone goes, and what is written on it. */
export interface CloneTarget {
  /**
   * Customisation specification of this vCenter, by name; notFound where there is none of that
   * name.
   */ customization?: string;
  hostRef?: string;
  datastoreRef?: string;
  folderRef?: string;
  poolRef?: string;
  annotation?: string;
  extraConfig?: Readonly<Record<string, string>>;
}
/**
 * Told while a task runs: its id as soon as it is known, and its progress in percent where vCenter
 * gives it.
 */
export interface TaskWatch {
  onTask?(taskRef: string): void;
  onProgress?(percent: number): void;
  /** All of it, whenever its state or progress has changed, its end included. */ onFacts?(
    task: TaskFacts,
  ): void;
}
export interface VmMark {
  name: string;
  annotation: string;
  extraConfig: Readonly<Record<string, string>>;
  folderRef: string | null;
}
export interface VCenterEdge {
  identify(connection: VCenterConnection, signal?: AbortSignal): Promise<Identity>;
  test(connection: VCenterConnection, password: string, signal?: AbortSignal): Promise<TestReport>;
  /** Logs in; keeps alive; logs in again on NotAuthenticated. */
  connect(
    connection: VCenterConnection,
    password: string,
    signal?: AbortSignal,
  ): Promise<VCenterSession>;
}

/* ── Edge 2: SSH ── */
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
export type { ClientConnection, SshAuth };

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
export interface SshHost {
  /**
   * Short commands only; output bounded by `maxBytes` (default 1 MiB). Never rejects for a non-zero
   * exit.
   */
  exec(
    command: string,
    options?: { signal?: AbortSignal; timeoutMs?: number; stdin?: string; maxBytes?: number },
  ): Promise<{ code: number | null; stdout: string; stderr: string }>;
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

/* ── Edge 3: power ── */
export interface PowerReading {
  tMs: number;
  watts: number;
}
export interface PowerMeter {
  readonly source: string;
  readonly periodMs: number;
  readonly lagMs: number;
  readonly decimals: number;
  /**
   * Newer readings than the last call's; empty when there is nothing new. Throws AppError
   * (unreachable, notFound, timedOut) with words that name the meter.
   */
  read(signal?: AbortSignal): Promise<PowerReading[]>;
  /**
   * How often the device behind the meter measures, which is how old a reading may be; null = it
   * does not say.
   */
  updateMs?(signal?: AbortSignal): Promise<number | null>;
  close(): void;
}
export interface PowerEdge {
  test(connection: PowerConnection, signal?: AbortSignal): Promise<TestReport>;
  open(connection: PowerConnection): PowerMeter;
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
  addFault(labId: string, fault: LabFault): LabStatus;
  removeFault(labId: string, id: string): LabStatus;
  onChange(listener: (status: LabStatus) => void): () => void;
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
  /** null: the edges are real. Otherwise everything this engine does is simulated, and says so. */
  lab: LabControl | null;
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
