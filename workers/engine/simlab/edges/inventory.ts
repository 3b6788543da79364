import type { Inventory } from '../../../../src/shared/testbed.ts';
import type { HostedLab } from '../lab.ts';
import type { LabModel } from '../model/types.ts';
import { clusterRef, machineHost } from '../names.ts';

const byName = <T extends { name: string }>(a: T, b: T): number => a.name.localeCompare(b.name, 'en', { numeric: true });
const gib = 2 ** 30;

/** What the lab's vCenter lists, with VMs where they are now. A physical machine stands outside the cluster. */
export function readSimInventory(lab: HostedLab, model: LabModel, vcenterId: string, nowMs: number, snapshots: ReadonlyMap<string, string>): Inventory {
  const { spec } = lab;
  const placement = model.placement();
  const lunOf = new Map(spec.luns.map((lun) => [lun.id, lun]));
  const arrayOf = new Map(spec.arrays.map((array) => [array.id, array]));
  const hostRefs = spec.hosts.map((host) => host.id);
  return {
    vcenterId, product: 'Simulated vCenter Server', version: 'sim', build: '1', instanceUuid: `sim-${spec.id}`, takenAtMs: nowMs,
    clusters: [{
      ref: clusterRef, name: `${spec.name} cluster`, hostRefs: spec.hosts.filter((host) => host.virtual).map((host) => host.id),
      // In the API as in the lab 1 is the most aggressive.
      drsEnabled: model.drs().enabled, drsBehavior: model.drs().enabled ? model.drs().behavior : null, drsVmotionRate: model.drs().stars, haEnabled: false,
    }],
    hosts: spec.hosts.map((host) => ({
      ref: host.id, name: host.id, clusterRef: host.virtual ? clusterRef : null, vendor: host.vendor, model: host.model, cpuModel: host.cpuModel,
      sockets: host.sockets, cores: host.sockets * host.coresPerSocket, threads: host.sockets * host.coresPerSocket * (host.hyperThreadGain > 1 ? 2 : 1),
      mhz: Math.round(host.ghz * 1_000), memoryBytes: host.memoryGb * gib, build: host.build, version: host.virtual ? 'sim' : 'physical', bios: null, powerPolicy: null,
      connectionState: lab.hit('hostDown', host.id) ? 'notResponding' : 'connected', maintenance: false,
      nics: host.uplinks.map((uplink) => ({ device: uplink.id, driver: 'sim', speedMbps: Math.round(uplink.gbps * 1_000) })),
      hbas: Array.from({ length: host.hba.ports }, (_, port) => ({ device: `vmhba${port}`, model: `${host.hba.gbps} Gb/s, queue depth ${host.hba.queueDepth}`, driver: 'sim' })),
    })).sort(byName),
    datastores: spec.datastores.map((store) => {
      const luns = store.lunIds.flatMap((id) => lunOf.get(id) ?? []);
      const capacityBytes = luns.reduce((sum, lun) => sum + lun.sizeGb * gib, 0);
      const users = [...placement.values()].filter((place) => place.datastoreId === store.id).length;
      return {
        ref: store.id, name: store.id, type: 'VMFS', capacityBytes, freeBytes: Math.max(capacityBytes * 0.1, capacityBytes - users * 10 * gib), accessible: true, hostRefs, instanceUuid: `sim-${store.id}`,
        luns: luns.map((lun) => ({ canonicalName: `naa.sim.${lun.id}`, vendor: 'Sim', model: arrayOf.get(lun.arrayId)?.model ?? null, capacityBytes: lun.sizeGb * gib, queueDepth: lun.queueDepth, paths: arrayOf.get(lun.arrayId)?.ports ?? null, policy: 'sim' })),
      };
    }).sort(byName),
    networks: [{ ref: 'network-1', name: 'VM Network', type: 'Network' }],
    vms: [...placement].map(([ref, place]) => {
      const shape = lab.shape(ref);
      return {
        ref, name: ref, hostRef: place.hostId, datastoreRefs: [place.datastoreId], powerState: place.poweredOn ? 'poweredOn' : 'poweredOff', vcpus: shape?.vcpus ?? null, memoryMb: shape?.memoryMb ?? null,
        guest: shape?.guest ?? null, toolsStatus: place.poweredOn ? 'toolsOk' : 'toolsNotRunning', ip: place.poweredOn ? machineHost(spec.id, ref) : null, template: shape?.template ?? false,
        snapshotCount: [...snapshots.values()].filter((one) => one === ref).length,
      };
    }).sort(byName),
  };
}
