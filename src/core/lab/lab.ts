import * as z from 'zod';

import { field } from '../base/field.ts';

/**
 * What a simulated lab is made of: data, no answers. Every figure is a property of a device or a
 * workload; results come from the model.
 */

const id = field.id('lab').regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/);
const positive = field.figure().positive();
const share = z.number().min(0).max(1);

/** What people call it, where that is more than an id can say; absent = its id. */
const name = field.name('thing').min(1).max(200).optional();

export const labHost = z.object({
  id,
  name,
  vendor: field.word().default('Sim'),
  model: field.word(),
  cpuModel: field.word(),
  sockets: field.count().positive(),
  coresPerSocket: field.count().positive(),
  ghz: positive,
  /**
   * Work a core does a second against the reference core (1.0) at `ratedGhz`: clock, cache and
   * generation together.
   */
  coreSpeed: positive,
  /**
   * Clock at which `coreSpeed` holds; absent = `ghz`. Another `ghz` later makes the core that much
   * faster or slower.
   */
  ratedGhz: positive.optional(),
  /** Throughput of a core with both threads busy over one thread; 1 = no hyper-threading. */
  hyperThreadGain: z.number().min(1).max(2).default(1),
  memoryGb: positive,
  /**
   * Extra CPU of virtualisation: share of guest CPU, and reference-core microseconds an I/O and a
   * packet. Zero on a physical machine.
   */
  overhead: z.object({
    cpuShare: z.number().min(0).max(2),
    usPerIo: field.figure().min(0),
    usPerPacket: field.figure().min(0),
  }),
  /** false: a physical machine that runs its one guest without a hypervisor. */
  virtual: z.boolean().default(true),
  build: field.word().default('ESXi sim'),
  /** `queueDepth`: commands the host may have under way at one LUN; more wait in its kernel. */
  hba: z.object({
    ports: field.count().positive(),
    queueDepth: field.count().positive(),
    gbps: positive,
  }),
  uplinks: field.list(z.object({ id, gbps: positive })).default([{ id: 'vmnic0', gbps: 1 }]),
  teaming: z.enum(['portHash', 'ipHash', 'loadBased']).default('portHash'),
  power: z.object({
    idleW: positive,
    busyW: positive,
    /** Exponent of utilisation between idle and busy; 1 = straight line. */ curve:
      positive.default(1),
    capW: positive.optional(),
  }),
});
/** A host or datastore as it is shown: by its name, or by its id where it has none. */
export const shownName = (thing: { id: string; name?: string | undefined }): string =>
  thing.name ?? thing.id;
/** Work a core does a second at its clock. */
export const coreSpeedOf = (host: Pick<LabHost, 'coreSpeed' | 'ghz' | 'ratedGhz'>): number =>
  (host.coreSpeed * host.ghz) / (host.ratedGhz ?? host.ghz);
export const labArray = z.object({
  id,
  model: field.word(),
  /** Array-wide limits. */
  readCacheMb: field.figure().min(0),
  writeCacheMb: field.figure().min(0),
  ports: field.count().positive(),
  portGbps: positive,
  /**
   * Service time of the controller for one command, in microseconds, and how many it works on side
   * by side.
   */
  controllerUs: positive,
  controllerParallel: field.count().positive().default(8),
});
export const labLun = z.object({
  id,
  arrayId: id,
  disks: field.count().positive(),
  rpm: field.figure().positive(),
  raid: z.enum(['0', '1', '10', '5', '6']),
  /** Mean seek of the disks in ms and sustained transfer of one disk in MB/s. */
  seekMs: positive,
  diskMbps: positive,
  /**
   * Commands of all hosts that the array works on side by side, and most of one host; more wait in
   * the array.
   */
  queueDepth: field.count().positive().default(32),
  sizeGb: positive,
});
const labDatastore = z.object({
  id,
  name,
  lunIds: field.list(id).min(1),
  /** Several hosts share it: metadata updates take SCSI reservations. */ shared: z
    .boolean()
    .default(true),
});
export const labVm = z.object({
  id,
  datastoreId: id,
  hostId: id,
  vcpus: field.count().positive(),
  memoryMb: positive,
  /** Size of its disks, for copies; absent = 10. */ diskGb: positive.optional(),
  /** CPU shares; the field's default is 1000 a vCPU. */ shares: positive.optional(),
  reservationMhz: field.figure().min(0).default(0),
  guest: field.word().default('Linux'),
  device: z.enum(['emulated', 'paravirtual', 'passthrough']).default('paravirtual'),
  /**
   * Its network adapters; absent = one that carries everything. `share` of the VM's traffic;
   * `portId` on the virtual switch (absent = the next free one of the host); `uplinkId` = the only
   * active uplink of its port group.
   */
  vnics: field
    .list(
      z.object({
        share,
        portId: field.count().optional(),
        uplinkId: id.optional(),
      }),
    )
    .optional(),
  /** Guaranteed and pinned memory; a pass-through device pins all of it whatever is set here. */
  memoryReservationMb: field.figure().min(0).optional(),
  bits: z.union([z.literal(32), z.literal(64)]).default(64),
  poweredOn: z.boolean().default(true),
  template: z.boolean().default(false),
});
export const labClient = z.object({
  id,
  cores: field.count().positive().default(4),
  coreSpeed: positive.default(1),
  memoryGb: positive.default(8),
  clockOffsetMs: field.figure().default(0),
});

/** One I/O stream of an operation. */
const ioDemand = z.object({
  perOp: field.figure().min(0),
  sizeKb: positive,
  readShare: share,
  randomShare: share,
  /** Reads that hit the guest's or array's cache beyond what the array model gives. */ hitShare:
    share.default(0),
  /**
   * Positions in the datastore's `lunIds` that it uses (logs apart from data); absent = all of them
   * evenly.
   */
  luns: field.list(field.count()).min(1).optional(),
  /**
   * A cache in the guest that fills while the load runs: in the end it takes over `share` of this
   * I/O, exponentially with the time constant `tauS`.
   */
  warmUp: z.object({ share, tauS: positive }).optional(),
});
const netDemand = z.object({
  packetsInPerOp: field.figure().min(0).default(0),
  packetsOutPerOp: field.figure().min(0).default(0),
  bytesInPerOp: field.figure().min(0).default(0),
  bytesOutPerOp: field.figure().min(0).default(0),
});

/**
 * What one kind of load asks of a VM for each operation. Closed loop: `users` each wait, think, ask
 * again.
 */
export const workloadDemand = z.object({
  kind: id,
  role: field.word(),
  unit: field.word(),
  /**
   * Operations the tool counts for one of ours: 1, or MB an operation, or operations a minute.
   * Throughput printed = ops/s × this.
   */
  unitsPerOp: positive.default(1),
  users: positive,
  thinkMs: field.figure().min(0),
  /**
   * Part of each operation spent waiting for what the lab does not model, as a simulated back end;
   * absent = none.
   */
  waitMs: field.figure().min(0).optional(),
  /** Reference-core milliseconds an operation on a 64-bit guest, and the factor for 32 bits. */
  cpuMsPerOp: field.figure().min(0),
  factor32Bit: positive.default(1),
  io: field.list(ioDemand).default([]),
  net: netDemand.prefault({}),
  /** I/O of an operation is asked side by side by this many; 1 = one after the other. */
  outstanding: positive.default(1),
  /** Load over time: factor on the users from each second after the start (steps). */
  schedule: field
    .list(
      z.object({
        fromS: field.figure().min(0),
        usersFactor: field.figure().min(0),
        ioFactor: field.figure().min(0).default(1),
      }),
    )
    .default([]),
  /** Bursts: for `onS` of every `periodS`, users × factor. */
  burst: z.object({ periodS: positive, onS: positive, factor: positive }).optional(),
  /**
   * Squared coefficient of variation of the response time without queues, for percentiles (gamma
   * with this shape).
   */
  scv: positive.default(1),
  /** Operations slower than this fail; absent = none fail. */
  timeoutMs: positive.optional(),
});

export const labFault = z.object({
  id,
  fromS: field.figure().min(0),
  toS: field.figure().min(0),
  kind: z.enum([
    'hostDown',
    'lunSlow',
    'pathLost',
    'clientSaturated',
    'clockSkew',
    'meterSilent',
    'driverCrash',
    'vcenterAway',
    'uplinkDown',
    'powerCap',
    'memoryPressure',
    'vmotionSpeed',
  ]),
  /** Id of the thing; of an uplink `<host>/<uplink>`. */ targetId: field.id('entity'),
  /** How much: a factor, a share or milliseconds, by kind. */ amount: field.figure().default(1),
});

export const labSpecSchema = z.object({
  schemaVersion: z.literal(1),
  id,
  name: field.name('lab'),
  note: field.freeText().default(''),
  seed: field.count().default(1),
  /** Relative standard deviation of the measurement noise; 0 = none. */
  noise: z.number().min(0).max(0.5).default(0.01),
  hosts: field.list(labHost).min(1),
  arrays: field.list(labArray),
  luns: field.list(labLun),
  datastores: field.list(labDatastore).min(1),
  vms: field.list(labVm),
  clients: field.list(labClient).default([]),
  workloads: field.list(workloadDemand),
  drs: z.object({
    enabled: z.boolean(),
    /** 1 (most aggressive) to 5, as the field counts its stars. */ stars: z
      .number()
      .int()
      .min(1)
      .max(5)
      .default(3),
    everyS: positive.default(300),
  }),
  /**
   * HA restarts VMs of a host that is down: `detectS` until it knows, then `startsAtOnce` at a time,
   * `restartS` each with its guest; absent = off.
   */
  ha: z
    .object({
      detectS: positive,
      restartS: positive,
      startsAtOnce: field.count().positive().default(4),
    })
    .optional(),
  /** Share of a host's uplink and CPU that a move may use, and MB/s it copies. */
  vmotion: z
    .object({ mbps: positive.default(100), cpuMhz: field.figure().min(0).default(800) })
    .prefault({}),
  maintenanceDatastoreId: id.optional(),
  faults: field.list(labFault).default([]),
  /** Named sets of changes: a sweep over `variant` applies one of them. Paths as `hosts.0.ghz`. */
  variants: field
    .record(
      field.id('value'),
      field.list(z.object({ path: field.word(), value: field.anything() })),
    )
    .default({}),
});
export type LabSpec = z.infer<typeof labSpecSchema>;
export type LabHost = z.infer<typeof labHost>;
export type LabLun = z.infer<typeof labLun>;
export type LabVm = z.infer<typeof labVm>;
export type LabClient = z.infer<typeof labClient>;
export type LabFault = z.infer<typeof labFault>;
export type WorkloadDemand = z.infer<typeof workloadDemand>;
export type IoDemand = z.infer<typeof ioDemand>;

const labTargetKinds = ['host', 'lun', 'uplink', 'client', 'meter', 'vcenter'] as const;
const labTarget = z.object({
  kind: z.enum(labTargetKinds),
  id: field.id('entity'),
  name: field.name('thing'),
});
export type LabTarget = z.infer<typeof labTarget>;

/** What the simulated lab says of itself. */
export const labStatus = z.object({
  nowMs: field.timeMs(),
  paused: z.boolean(),
  /** Virtual seconds a real second; null = as fast as the machine goes. */ speed: field
    .figure()
    .positive()
    .nullable(),
  labs: field.list(
    z.object({
      id: field.id('lab'),
      name: field.name('lab'),
      variant: field.word().nullable(),
      hosts: field.figure(),
      vms: field.figure(),
      faults: field.list(labFault),
      /**
       * What a fault can hit: hosts, LUNs, uplinks, client machines, meters and the vCenter of this
       * lab, by the `targetId` a fault names.
       */
      targets: field.list(labTarget),
    }),
  ),
});
export type LabStatus = z.infer<typeof labStatus>;
