import { type LabSpec, labSpecSchema } from '../lab.ts';

/** Four servers, one of another model, on one array: in no post. */
export const fourServers: LabSpec = labSpecSchema.parse({
  schemaVersion: 1,
  id: 'lab',
  name: 'Four servers',
  hosts: [1, 2, 3, 4].map((n) => ({
    id: `esx${n}`,
    model: n === 4 ? 'Sun x4150' : 'Dell 2950',
    cpuModel: 'Xeon',
    sockets: 2,
    coresPerSocket: 4,
    ghz: 3,
    coreSpeed: 1,
    memoryGb: 32,
    overhead: { cpuShare: 0.1, usPerIo: 20, usPerPacket: 4 },
    hba: { ports: 2, queueDepth: 32, gbps: 4 },
    power: { idleW: 250, busyW: 400 },
  })),
  arrays: [
    {
      id: 'cx1',
      model: 'CX3-20',
      readCacheMb: 1_024,
      writeCacheMb: 1_024,
      ports: 2,
      portGbps: 4,
      controllerUs: 130,
    },
  ],
  luns: [1, 2, 3, 4].map((n) => ({
    id: `lun${n}`,
    arrayId: 'cx1',
    disks: 7,
    rpm: 10_000,
    raid: '0',
    seekMs: 4.7,
    diskMbps: 50,
    sizeGb: 540,
  })),
  datastores: [1, 2, 3, 4].map((n) => ({ id: `tile${n}`, lunIds: [`lun${n}`] })),
  vms: [1, 2, 3, 4, 5, 6, 7, 8].map((n) => ({
    id: `vm${n}`,
    datastoreId: `tile${((n - 1) % 4) + 1}`,
    hostId: n > 4 ? 'esx4' : `esx${n}`,
    vcpus: 2,
    memoryMb: 1_024,
  })),
  workloads: [],
  drs: { enabled: true, stars: 2 },
  faults: [{ id: 'f', fromS: 0, toS: 9, kind: 'hostDown', targetId: 'esx4' }],
});
