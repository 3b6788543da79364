import { fail } from '../../../../src/core/base/errors.ts';
import type { Clock } from '../../deps.ts';
import type { VCenterSession } from '../../deps/vcenter.ts';
import type { HostedLab } from '../lab.ts';
import { machineHost } from '../names.ts';
import { createSimHosts } from './hosts.ts';
import { adapterLabel, readSimInventory } from './inventory.ts';
import { readSimPerf, simUplinkMetrics, simVmMetrics } from './perf.ts';
import { createSimCopies } from './vcenterCopies.ts';
import { paperOf, placed, type VCenterWorld } from './vcenterWorld.ts';
import { createSimVms } from './vms.ts';

const powerMs = 4_000;
const snapshotMs = 3_000;
const destroyMs = 2_000;

/** A session of a lab's vCenter; `lab` throws unreachable while it does not answer. */
export function createSession(
  vcenterId: string,
  lab: () => HostedLab,
  clock: Clock,
): VCenterSession {
  const vms = createSimVms(lab, clock);
  const world: VCenterWorld = {
    vcenterId,
    lab,
    clock,
    vms,
    snapshots: new Map(),
    tasks: new Map(),
    made: 0,
  };
  return {
    ...vms.session,
    ...readings(world),
    ...createSimCopies(world),
    ...folders(world),
    ...createSimHosts(world),
    ...changes(world),
    logout: async () => undefined,
  };
}

type Readings = Pick<
  VCenterSession,
  | 'clockOffset'
  | 'hostClocks'
  | 'hostSoftware'
  | 'inventory'
  | 'perf'
  | 'uplinks'
  | 'storeMetrics'
  | 'vmPorts'
  | 'vmMetrics'
  | 'missingPrivileges'
  | 'placement'
  | 'vmMark'
  | 'vmStorage'
>;

const readings = (world: VCenterWorld): Readings => ({
  clockOffset: async () => {
    world.lab();
    return { offsetMs: 0, errorMs: 1 };
  },
  hostClocks: async (hostRefs) =>
    hostRefs
      .filter((ref) => !world.lab().hit('hostDown', ref))
      .map((hostRef) => ({ hostRef, offsetMs: 0, errorMs: 1 })),
  // The simulated hosts have no packages and no settings to tell.
  hostSoftware: async () => {
    world.lab();
    return [];
  },
  inventory: async () => {
    const { vcenterId, clock, snapshots } = world;
    const on = world.lab();
    return readSimInventory(on, on.sync(), vcenterId, clock.now(), snapshots, paperOf(on).folders);
  },
  perf: async (providers, sinceMs) => {
    const on = world.lab();
    return readSimPerf(on, on.sync(), providers, sinceMs, world.clock.now());
  },
  uplinks: async (hostRefs) =>
    world
      .lab()
      .spec.hosts.filter((host) => hostRefs.includes(host.id))
      .flatMap((host) =>
        host.uplinks.map((uplink) => ({
          hostRef: host.id,
          device: uplink.id,
          metrics: simUplinkMetrics,
        })),
      ),
  vmPorts: async (vmRefs) => {
    const ports = world.lab().sync().ports();
    return {
      ports: ports
        .filter(({ vmId }) => vmRefs.includes(vmId))
        .map(({ vmId, adapter, hostId, uplinkId }) => ({
          vmRef: vmId,
          hostRef: hostId,
          adapter: adapterLabel(adapter),
          uplink: uplinkId,
        })),
      notTold: [],
    };
  },
  // The model's LUNs lose no commands, and its hosts lock them without reservations.
  storeMetrics: async () => {
    world.lab();
    return [];
  },
  vmMetrics: async () => {
    world.lab();
    return simVmMetrics;
  },
  missingPrivileges: async () => {
    world.lab();
    return [];
  },
  async placement(vmRef) {
    const { hostId, datastoreId, on } = placed(world, vmRef);
    const poweredOn = on.sync().placement().get(vmRef)?.poweredOn ?? false;
    return {
      hostRef: hostId,
      datastoreRefs: [datastoreId],
      poweredOn,
      ip: poweredOn ? machineHost(on.id, vmRef) : null,
    };
  },
  async vmMark(vmRef) {
    const { on } = placed(world, vmRef);
    return (
      paperOf(on).marks.get(vmRef) ?? {
        name: vmRef,
        annotation: '',
        extraConfig: {},
        folderRef: null,
      }
    );
  },
  async vmStorage(vmRef) {
    const { on } = placed(world, vmRef);
    const bytes = (on.shape(vmRef)?.diskGb ?? 10) * 2 ** 30;
    return { usedBytes: bytes, growsToBytes: bytes };
  },
});

const folders = (
  world: VCenterWorld,
): Pick<VCenterSession, 'makeFolder' | 'removeEmptyFolder'> => ({
  async makeFolder(name) {
    const made = paperOf(world.lab()).folders;
    const there = [...made].find(([, one]) => one === name);
    if (there) return { ref: there[0], made: false };
    const ref = `folder-${(world.made += 1)}`;
    made.set(ref, name);
    return { ref, made: true };
  },
  async removeEmptyFolder(folderRef) {
    const { folders: made, marks } = paperOf(world.lab());
    return (
      ![...marks.values()].some((mark) => mark.folderRef === folderRef) && made.delete(folderRef)
    );
  },
});

type Changes = Pick<
  VCenterSession,
  'connectNetwork' | 'power' | 'snapshot' | 'removeSnapshot' | 'destroy'
>;

/** Lets the model know on how many snapshots a VM runs; a VM that is gone runs on none. */
function countSnapshots({ lab, snapshots }: VCenterWorld, vmRef: string): void {
  const model = lab().sync();
  if (!model.placement().has(vmRef)) return;
  model.setSnapshots(vmRef, [...snapshots.values()].filter((one) => one === vmRef).length);
}

const changes = (world: VCenterWorld): Changes => ({
  async connectNetwork(vmRef, networkRef) {
    const { on } = placed(world, vmRef);
    // A simulated lab has one network: every VM is on it.
    if (networkRef !== 'network-1')
      throw fail('notFound', `vCenter ${on.id}.sim has no network ${networkRef}.`);
  },
  async power(vmRef, on, signal) {
    const place = placed(world, vmRef);
    if (place.on.sync().placement().get(vmRef)?.poweredOn === on) return;
    await world.clock.sleep(powerMs, signal);
    world.lab().sync().setPower(vmRef, on);
  },
  async snapshot(vmRef, name, signal) {
    placed(world, vmRef);
    await world.clock.sleep(snapshotMs, signal);
    const ref = `snapshot-${(world.made += 1)}-${name}`;
    world.snapshots.set(ref, vmRef);
    countSnapshots(world, vmRef);
    return ref;
  },
  async removeSnapshot(snapshotRef, signal) {
    if (!world.snapshots.has(snapshotRef))
      throw fail('notFound', `There is no snapshot ${snapshotRef}.`);
    await world.clock.sleep(snapshotMs, signal);
    const vmRef = world.snapshots.get(snapshotRef);
    world.snapshots.delete(snapshotRef);
    if (vmRef !== undefined) countSnapshots(world, vmRef);
  },
  async destroy(vmRef, signal) {
    placed(world, vmRef);
    await world.clock.sleep(destroyMs, signal);
    world.lab().removeVm(vmRef);
    paperOf(world.lab()).marks.delete(vmRef);
  },
});
