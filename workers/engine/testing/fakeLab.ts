import { fail } from '../../../src/core/base/errors.ts';
import type { Inventory } from '../../../src/core/testbed/inventory.ts';
import type { Deps } from '../deps.ts';
import type { PowerEdge } from '../deps/power.ts';
import type { JobEnd, JobHandle, SshEdge, SshHost } from '../deps/ssh.ts';
import type {
  HostSoftware,
  PerfProvider,
  PerfSeries,
  VCenterEdge,
  VCenterSession,
} from '../deps/vcenter.ts';
import type { FakeClock } from './fakeClock.ts';
import { createFakeOperations, type FakeOperations } from './fakeOperations.ts';

/**
 * One job on a fake client: prints a sysbench cpu interval line a second until its time is over or
 * it is ended.
 */
interface FakeJob {
  handle: JobHandle;
  prints: FakeLoad;
  /** Its output so far, plain ASCII, and how many lines that is. */
  printed: string;
  lines: number;
  durationS: number;
  endedMs: number | null;
  exitCode: number;
  killed: boolean;
}

/** What a job's lines say. */
export interface FakeLoad {
  throughput: number;
  p95Ms: number;
  /** Another 95th percentile in a second of the job. */ p95At?: (second: number) => number;
}

export interface FakeLab {
  edges: Pick<Deps, 'ssh' | 'vcenter' | 'power'>;
  jobs: Map<string, FakeJob>;
  /** false: followers lose their connection; the jobs go on. */
  setLink(up: boolean): void;
  /** Ends one job before its time, as a crashed driver would. */
  crash(jobId: string, exitCode: number): void;
  setVcenter(up: boolean): void;
  /** Output with which commands on the client fail from now on; null = it works. */
  setRefusal(of: (command: string) => string | null): void;
  /** What jobs that start from now on print, by their command and id (`t0.java`). */
  setLoad(of: (command: string, jobId: string) => Partial<FakeLoad>): void;
  /** vCenter's operations: faults, counts, overlaps. */
  operations: FakeOperations;
  inventory: Inventory;
  /** What the command line of a host tells, by the host's reference; a host without tells nothing. */
  software: Map<string, Omit<HostSoftware, 'hostRef'>>;
  readonly running: number;
  readonly swept: readonly string[];
}

const usual: FakeLoad = { throughput: 100, p95Ms: 1.5 };
const line = (second: number, { throughput, p95Ms, p95At }: FakeLoad): string =>
  `[ ${second}s ] thds: 1 eps: ${throughput.toFixed(2)} lat (ms,95%): ${(p95At?.(second) ?? p95Ms).toFixed(2)}\n`;

/**
 * The four edges on a fake clock: two hosts, one datastore, clients whose clock is `clockOffsetMs`
 * ahead, a 200 W meter.
 */
export function createFakeLab(
  clock: FakeClock,
  options: {
    clockOffsetMs?: number;
    /** The engine's clock, where it is not the fake one. */
    engineNow?: () => number;
    /**
     * By how much vCenter's clock seems ahead, asked each time its offset is measured: a slow
     * answer makes it err.
     */
    vcenterOffsetMs?: () => number;
    vms?: number;
    /**
     * Adapters of each host that vCenter counts one by one: 20 KB/s on the first, 21 on the second
     * …
     */ uplinks?: readonly string[];
    /** What vCenter counts of a VM: 50 of each. */ vmMetrics?: readonly PerfSeries['metric'][];
  } = {},
): FakeLab {
  const { uplinks = [], vmMetrics = [] } = options;
  const offsetMs = options.clockOffsetMs ?? 0;
  const jobs = new Map<string, FakeJob>();
  const swept: string[] = [];
  let linkUp = true;
  let vcenterUp = true;
  let refusal: (command: string) => string | null = () => null;
  let load: (command: string, jobId: string) => Partial<FakeLoad> = () => ({});

  const secondsOf = (job: FakeJob): number =>
    Math.max(
      0,
      Math.floor(
        ((job.endedMs ??
          Math.min(clock.now(), job.handle.startMs - offsetMs + job.durationS * 1_000)) -
          (job.handle.startMs - offsetMs)) /
          1_000,
      ),
    );
  const dueMs = (job: FakeJob): number => job.handle.startMs - offsetMs + job.durationS * 1_000;
  const over = (job: FakeJob): boolean => job.endedMs !== null || clock.now() >= dueMs(job);
  const output = (job: FakeJob): string => {
    for (const until = secondsOf(job); job.lines < until;) {
      job.lines += 1;
      job.printed += line(job.lines, job.prints);
    }
    return job.printed;
  };
  const endOf = (job: FakeJob): JobEnd => ({
    exitCode: job.killed ? null : job.exitCode,
    signal: job.killed ? 'TERM' : null,
    bytes: output(job).length,
    stderrTail: job.exitCode === 0 ? '' : 'FATAL: driver crashed',
    ranMs: Math.min(job.endedMs ?? Infinity, dueMs(job)) - (job.handle.startMs - offsetMs),
  });
  const required = (handle: JobHandle): FakeJob => {
    const job = jobs.get(handle.jobId);
    if (!job) throw fail('notFound', `Job ${handle.jobId} is gone.`);
    return job;
  };

  const host: SshHost = {
    exec: async (command) => {
      const refused = refusal(command);
      return {
        code: refused === null ? 0 : 1,
        stdout: refused ?? 'Linux 6.1\n4\n8000000 kB\nsysbench 1.0.20\n',
        stderr: '',
      };
    },
    stream: async () => ({ code: 127, stderrTail: 'sh: esxtop: not found' }),
    clockOffset: async () => ({
      offsetMs: clock.now() + offsetMs - (options.engineNow?.() ?? clock.now()),
      errorMs: 1,
    }),
    async startJob(spec) {
      const known = jobs.get(spec.jobId);
      if (known?.handle.runId === spec.runId) return known.handle;
      const handle: JobHandle = {
        runId: spec.runId,
        jobId: spec.jobId,
        dir: `/fake/${spec.jobId}`,
        pgid: 1_000 + jobs.size,
        startMs: clock.now() + offsetMs,
      };
      jobs.set(spec.jobId, {
        handle,
        prints: { ...usual, ...load(spec.command, spec.jobId) },
        printed: '',
        lines: 0,
        durationS: spec.timeLimitS - 60,
        endedMs: null,
        exitCode: 0,
        killed: false,
      });
      return handle;
    },
    async followJob(handle, fromOffset, onBytes, onLink, signal) {
      const job = required(handle);
      let offset = fromOffset;
      let wasUp = true;
      for (;;) {
        if (linkUp !== wasUp) {
          wasUp = linkUp;
          onLink(linkUp, 'connection reset');
        }
        if (linkUp) {
          const bytes = Buffer.from(output(job).slice(offset));
          if (bytes.length > 0) {
            onBytes(bytes, offset);
            offset += bytes.length;
          }
          if (over(job)) {
            job.endedMs ??= clock.now();
            return endOf(job);
          }
        }
        await clock.sleep(250, signal);
      }
    },
    jobStatus: async (handle) => {
      const job = required(handle);
      return {
        running: !over(job),
        end: over(job) ? endOf(job) : null,
        stdoutBytes: output(job).length,
      };
    },
    async endJob(handle) {
      if (!linkUp) throw fail('unreachable', 'Client one cannot be reached.');
      const job = required(handle);
      if (!over(job)) {
        job.endedMs = clock.now();
        job.killed = true;
      }
    },
    readJobFile: async (handle, name) =>
      name === 'stdout' ? output(required(handle)) : name === 'command' ? 'sysbench cpu run' : '',
    putKit: async () => '/home/tilekit',
    putFile: async () => '/home/file',
    dropFiles: async () => undefined,
    async cleanRun(runId) {
      if (!linkUp) throw fail('unreachable', 'Client one cannot be reached.');
      swept.push(runId);
      for (const job of jobs.values()) job.endedMs ??= clock.now();
    },
    close: () => undefined,
  };

  const inventory: Inventory = {
    vcenterId: 'vc',
    product: 'VMware vCenter Server',
    version: '8.0.3',
    build: '1',
    instanceUuid: 'u',
    takenAtMs: clock.now(),
    clusters: [
      {
        ref: 'domain-c1',
        name: 'Cluster',
        hostRefs: ['host-1', 'host-2'],
        drsEnabled: true,
        drsBehavior: 'fullyAutomated',
        drsVmotionRate: 3,
        haEnabled: false,
      },
    ],
    hosts: ['host-1', 'host-2'].map((ref) => ({
      ref,
      name: `esx-${ref}`,
      clusterRef: 'domain-c1',
      vendor: 'V',
      model: 'M',
      cpuModel: 'C',
      sockets: 2,
      cores: 8,
      threads: 16,
      mhz: 3_000,
      memoryBytes: 2 ** 36,
      build: '1',
      version: '8',
      bios: '1',
      powerPolicy: 'static',
      connectionState: 'connected',
      maintenance: false,
      nics: [],
      hbas: [],
    })),
    datastores: ['1', '2'].map((n) => ({
      ref: `datastore-${n}`,
      name: `lun${n}`,
      type: 'VMFS',
      capacityBytes: 2 ** 40,
      freeBytes: 2 ** 39,
      accessible: true,
      hostRefs: ['host-1', 'host-2'],
      luns: [],
      instanceUuid: `ds${n}`,
    })),
    networks: [],
    vms: Array.from({ length: options.vms ?? 8 }, (_, i) => ({
      ref: `vm-${i}`,
      name: `vm${i}`,
      hostRef: `host-${(i % 2) + 1}`,
      datastoreRefs: ['datastore-1'],
      powerState: 'poweredOn',
      vcpus: 2,
      memoryMb: 4_096,
      guest: 'Linux',
      toolsStatus: 'toolsOk',
      ip: null,
      template: false,
      snapshotCount: 0,
    })),
  };
  const software: FakeLab['software'] = new Map();
  const operations = createFakeOperations(clock, inventory);
  const demandVcenter = (): void => {
    if (!vcenterUp) throw fail('unreachable', 'vCenter vc does not answer.');
  };
  const session: VCenterSession = {
    clockOffset: async () => {
      demandVcenter();
      return {
        offsetMs:
          clock.now() - (options.engineNow?.() ?? clock.now()) + (options.vcenterOffsetMs?.() ?? 0),
        errorMs: 1,
      };
    },
    hostClocks: async (hostRefs) => {
      demandVcenter();
      return hostRefs.map((hostRef) => ({ hostRef, offsetMs: 0, errorMs: 1 }));
    },
    hostSoftware: async (hostRefs) => {
      demandVcenter();
      return hostRefs.flatMap((hostRef) => {
        const told = software.get(hostRef);
        return told === undefined ? [] : [{ hostRef, ...told }];
      });
    },
    inventory: async () => {
      demandVcenter();
      return structuredClone(inventory);
    },
    async perf(providers, sinceMs) {
      demandVcenter();
      const first = Math.floor(sinceMs / 20_000) + 1;
      const times = Array.from(
        { length: Math.max(0, Math.floor(clock.now() / 20_000) - first + 1) },
        (_, i) => (first + i) * 20_000,
      );
      const counted: Record<PerfProvider['kind'], readonly PerfSeries['metric'][]> = {
        host: ['cpuPct', 'memoryPct', 'netKbps', 'powerW'],
        datastore: ['iops', 'deviceLatencyMs'],
        vm: vmMetrics,
      };
      const perUplink = providers
        .filter((one) => one.kind === 'host')
        .flatMap(({ ref }) =>
          uplinks.map((instance, i) => ({
            ref,
            instance,
            metric: 'netKbps' as const,
            points: times.map((tMs) => ({ tMs, value: 20 + i })),
          })),
        );
      return [
        ...perUplink,
        ...providers.flatMap(({ kind, ref }) =>
          counted[kind].map((metric) => ({
            ref,
            metric,
            points: times.map((tMs) => ({ tMs, value: 50 })),
          })),
        ),
      ];
    },
    uplinks: async (hostRefs) => {
      demandVcenter();
      return hostRefs.flatMap((hostRef) =>
        uplinks.map((device) => ({ hostRef, device, metrics: ['netKbps' as const] })),
      );
    },
    vmPorts: async () => {
      demandVcenter();
      return { ports: [], notTold: [] };
    },
    storeMetrics: async () => {
      demandVcenter();
      return [];
    },
    vmMetrics: async () => {
      demandVcenter();
      return vmMetrics;
    },
    missingPrivileges: async () => [],
    ...operations.session,
    placements: async (vmRefs) => {
      demandVcenter();
      return operations.session.placements(vmRefs);
    },
    tasks: async (vmRefs) => {
      demandVcenter();
      return operations.session.tasks(vmRefs);
    },
    task: async (ref) => {
      demandVcenter();
      return operations.session.task(ref);
    },
    events: async (sinceMs) => {
      demandVcenter();
      return operations.session.events(sinceMs);
    },
    drs: async (ref) => {
      demandVcenter();
      return operations.session.drs(ref);
    },
    setDrs: async (ref, setting) => {
      demandVcenter();
      return operations.session.setDrs(ref, setting);
    },
    logout: async () => {
      demandVcenter();
    },
  };
  const untested = async (): Promise<never> => {
    throw fail('conflict', 'The fake lab tests no connection.');
  };
  const vcenter: VCenterEdge = {
    identify: untested,
    test: untested,
    connect: async () => {
      demandVcenter();
      return session;
    },
  };
  const ssh: SshEdge = { identify: untested, test: untested, host: () => host };
  const power: PowerEdge = {
    identify: untested,
    test: untested,
    open: () => ({
      source: 'NUT fake',
      periodMs: 1_000,
      lagMs: 0,
      decimals: 1,
      read: async () => [{ tMs: clock.now(), watts: 200 }],
      close: () => undefined,
    }),
  };

  return {
    edges: { ssh, vcenter, power },
    jobs,
    swept,
    operations,
    inventory,
    software,
    setLink: (up) => {
      linkUp = up;
    },
    setRefusal: (of) => {
      refusal = of;
    },
    setLoad: (of) => {
      load = of;
    },
    setVcenter: (up) => {
      vcenterUp = up;
    },
    crash: (jobId, exitCode) => {
      const job = jobs.get(jobId)!;
      job.endedMs = clock.now();
      job.exitCode = exitCode;
    },
    get running() {
      return [...jobs.values()].filter((job) => !over(job)).length;
    },
  };
}
