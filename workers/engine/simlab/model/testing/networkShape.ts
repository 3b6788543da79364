import { type LabSpec, labSpecSchema } from '../../../../../src/core/lab/lab.ts';
import type { NetworkFlow, NetworkSolution } from '../networkTypes.ts';

type Teaming = LabSpec['hosts'][number]['teaming'];
export interface Shape {
  teaming: Teaming;
  gbps: number;
  uplinks: number;
  vms: number;
  portStep: number;
  device: LabSpec['vms'][number]['device'];
  ipPairs: number;
  demandGbps: number;
  packetBytes: number;
}
export const shape: Shape = {
  teaming: 'portHash',
  gbps: 10,
  uplinks: 2,
  vms: 4,
  portStep: 1,
  device: 'paravirtual',
  ipPairs: 1,
  demandGbps: 12,
  packetBytes: 1_500,
};

export function spec({ teaming, gbps, uplinks, vms, portStep, device }: Shape): LabSpec {
  return labSpecSchema.parse({
    schemaVersion: 1,
    id: 'net',
    name: 'Net',
    arrays: [],
    luns: [],
    datastores: [{ id: 'd', lunIds: ['l'] }],
    workloads: [],
    drs: { enabled: false },
    hosts: [
      {
        id: 'h1',
        model: 'S',
        cpuModel: 'C',
        sockets: 2,
        coresPerSocket: 4,
        ghz: 3,
        coreSpeed: 1,
        memoryGb: 96,
        overhead: { cpuShare: 0, usPerIo: 0, usPerPacket: 2.4 },
        hba: { ports: 1, queueDepth: 32, gbps: 8 },
        teaming,
        uplinks: Array.from({ length: uplinks }, (_, i) => ({ id: `vmnic${i}`, gbps })),
        power: { idleW: 100, busyW: 200 },
      },
    ],
    vms: Array.from({ length: vms }, (_, i) => ({
      id: `vm${i}`,
      datastoreId: 'd',
      hostId: 'h1',
      vcpus: 4,
      memoryMb: 16_384,
      device,
      vnics: [{ share: 1, portId: i * portStep }],
    })),
  });
}
export const flowsOf = (s: Shape, factor = 1): NetworkFlow[] =>
  Array.from({ length: s.vms }, (_, i) => {
    const bytesOutPerS = (((s.demandGbps * factor) / s.vms) * 1e9) / 8;
    return {
      id: `l${i}`,
      hostId: 'h1',
      vmId: `vm${i}`,
      bytesInPerS: bytesOutPerS / 20,
      packetsInPerS: bytesOutPerS / 20 / 90,
      bytesOutPerS,
      packetsOutPerS: bytesOutPerS / s.packetBytes,
      addressPairs: s.ipPairs,
    };
  });
export const totalGbps = (solution: NetworkSolution): number =>
  (solution.uplinks.reduce((sum, uplink) => sum + uplink.outKbps, 0) * 8) / 1e6;
