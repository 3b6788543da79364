import type { VCenterConnection } from '../../../src/core/testbed/connection.ts';
import type { Inventory } from '../../../src/core/testbed/inventory.ts';
import type { Identity, TestReport } from '../../../src/wire/contract/connections.ts';

export interface PerfProvider {
  kind: 'host' | 'datastore' | 'vm';
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
    | 'queueLatencyMs'
    | 'costopPct'
    | 'activeMb'
    | 'diskKBps'
    | 'diskLatencyMs'
    | 'packetsRxPerS'
    | 'packetsTxPerS'
    | 'droppedRxPerS'
    | 'droppedTxPerS'
    | 'maxQueueDepth'
    | 'abortedPerS'
    | 'busResetsPerS'
    | 'reservationConflictsPerS';
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
/** A host as vCenter has it now; `connectionState` in vSphere's words. */
export interface HostState {
  connectionState: string;
  maintenance: boolean;
  clusterRef: string | null;
}
/** A path of a LUN over one storage adapter of a host. */
export interface AdapterPath {
  name: string;
  /** `active`, `standby`, `disabled`, `dead` or `unknown`, in vSphere's words. */
  state: string;
  /** Key of its LUN, and how many paths of it over other adapters carry or could. */
  lun: string;
  otherwise: number;
}
/** A VM that vCenter has on a host; `poweredOn` null = it does not say. */
export interface HostVm {
  ref: string;
  name: string;
  poweredOn: boolean | null;
}
/** A physical network adapter that is counted on its own. */
export interface UplinkCounted {
  hostRef: string;
  device: string;
  metrics: readonly PerfSeries['metric'][];
}
/** The uplink that carries one port of a VM, as its host tells it. */
export interface VmPort {
  vmRef: string;
  hostRef: string;
  /** Adapter of the VM: by its MAC address, or its label where it has none. */ adapter: string;
  /** Device of the host, e.g. `vmnic2`. */ uplink: string;
}
export interface VmPorts {
  ports: readonly VmPort[];
  /** Hosts that do not tell, and why. */ notTold: readonly { hostRef: string; note: string }[];
}
/**
 * What the command line of a host tells of its software: packages with their versions, settings
 * that are not as they were shipped. null = it does not tell; `note` says why.
 */
export interface HostSoftware {
  hostRef: string;
  packages: Record<string, string> | null;
  settings: Record<string, string> | null;
  note: string | null;
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
   * Packages and changed settings of hosts. One that refuses tells nothing but why; one that has no
   * command line to ask is left out.
   */
  hostSoftware(hostRefs: readonly string[], signal?: AbortSignal): Promise<HostSoftware[]>;
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
   * Physical network adapters that `perf` gives one by one (`instance`), by host and name, and what
   * it gives of each. Empty where this vCenter gives only the sum of a host.
   */
  uplinks(hostRefs: readonly string[], signal?: AbortSignal): Promise<UplinkCounted[]>;
  /**
   * Which uplink each port of running VMs is on. Ports that are spread over uplinks by address have
   * none, and are left out.
   */
  vmPorts(vmRefs: readonly string[], signal?: AbortSignal): Promise<VmPorts>;
  /** What `perf` gives of a datastore here beside its commands and latencies. */
  storeMetrics(signal?: AbortSignal): Promise<readonly PerfSeries['metric'][]>;
  /** What `perf` gives of a VM here; empty = nothing. */
  vmMetrics(signal?: AbortSignal): Promise<readonly PerfSeries['metric'][]>;
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
  /** How a host stands; throws notFound where it is gone. */
  hostState(hostRef: string, signal?: AbortSignal): Promise<HostState>;
  /** The VMs that are on a host now, powered off ones too; throws notFound where it is gone. */
  hostVms(hostRef: string, signal?: AbortSignal): Promise<HostVm[]>;
  /** Paths over a storage adapter of a host, as the host has them now; empty where it has none. */
  adapterPaths(hostRef: string, device: string, signal?: AbortSignal): Promise<AdapterPath[]>;
  /** Enables or disables one path of a host; the host answers when it has done so. */
  setPath(hostRef: string, pathName: string, on: boolean, signal?: AbortSignal): Promise<void>;
  /**
   * Resolves when vCenter's task has ended: by its word no running VM is on it any more, DRS moves
   * them, or somebody else. What is really there says `hostVms`.
   */
  enterMaintenance(hostRef: string, signal?: AbortSignal, watch?: TaskWatch): Promise<void>;
  exitMaintenance(hostRef: string, signal?: AbortSignal, watch?: TaskWatch): Promise<void>;
  disconnectHost(hostRef: string, signal?: AbortSignal, watch?: TaskWatch): Promise<void>;
  /** With the account that vCenter has on it. */
  reconnectHost(hostRef: string, signal?: AbortSignal, watch?: TaskWatch): Promise<void>;
  /**
   * Moves a host that this vCenter has outside the cluster into it; one of another cluster must be
   * in maintenance mode.
   */
  joinCluster(
    hostRef: string,
    clusterRef: string,
    signal?: AbortSignal,
    watch?: TaskWatch,
  ): Promise<void>;
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

/** What a session does to hosts. */
export type HostCalls = Pick<
  VCenterSession,
  | 'hostState'
  | 'hostVms'
  | 'adapterPaths'
  | 'setPath'
  | 'enterMaintenance'
  | 'exitMaintenance'
  | 'disconnectHost'
  | 'reconnectHost'
  | 'joinCluster'
>;
