import type { PlanFile } from '../../../../../src/core/plan/plan.ts';
import type { Connection } from '../../../../../src/core/testbed/connection.ts';
import {
  clientConnection,
  namesProgram,
  type PlantedBed,
  refusedProgram,
  statProgram,
  versionProgram,
} from './plantedBed.ts';

export interface PlantedFault {
  name: string;
  /** The check that has to find it, the finding it has to give, and of what. */
  check: string;
  id: string;
  subject: (bed: PlantedBed) => string;
  /** Findings that come with it by right. */
  alongside?: readonly string[];
  /** Plants it; gives what takes it away. */
  plant: (bed: PlantedBed) => Promise<() => Promise<void>>;
}

const heal = (bed: PlantedBed) => (): Promise<void> => bed.heal();
/** A fault that lies in the peers. */
const inPeers =
  (act: (bed: PlantedBed) => Promise<unknown>): PlantedFault['plant'] =>
  async (bed) => {
    await act(bed);
    return heal(bed);
  };
/** A fault that lies in what the plan's connections lead to. */
const inConnections =
  (swap: (connection: Connection, bed: PlantedBed) => Connection): PlantedFault['plant'] =>
  async (bed) => {
    const original = bed.check;
    bed.check = (change = (same: PlanFile) => same) =>
      original((file) =>
        change({ ...file, connections: file.connections.map((one) => swap(one, bed)) }),
      );
    return async () => {
      bed.check = original;
      await bed.heal();
    };
  };
const client2 = (): string => 'client2';

/** The twenty of the mission, then some more of the same kind. */
export const plantedFaults: readonly PlantedFault[] = [
  {
    name: 'VM off',
    check: 'vm.present',
    id: 'vm.poweredOff',
    subject: (bed) => bed.vms[1]!.name,
    plant: inPeers((bed) => bed.session.power(bed.vms[1]!.ref, false)),
  },
  {
    name: 'VM on the wrong host',
    check: 'vm.placement',
    id: 'vm.host',
    subject: (bed) => bed.vms[1]!.name,
    plant: inPeers((bed) => bed.session.relocate(bed.vms[1]!.ref, { hostRef: bed.hosts[3]!.ref })),
  },
  {
    name: 'datastore full',
    check: 'datastore.free',
    id: 'datastore.free',
    subject: (bed) => bed.datastores[1]!.name,
    plant: inPeers((bed) =>
      bed.control.change({ type: 'Datastore', name: bed.datastores[1]!.name, freeBytes: 0 }),
    ),
  },
  {
    name: 'queue depth too small',
    check: 'layout.rules',
    id: 'host.queue',
    subject: (bed) => bed.hosts[1]!.name,
    plant: inPeers((bed) =>
      bed.control.change({ type: 'Datastore', name: bed.datastores[0]!.name, queueDepth: 8 }),
    ),
  },
  {
    name: 'two tiles on one LUN',
    check: 'layout.rules',
    id: 'datastore.tiles',
    subject: (bed) => bed.datastores[0]!.name,
    plant: inPeers((bed) =>
      bed.session.relocate(bed.vms[3]!.ref, { datastoreRef: bed.datastores[0]!.ref }),
    ),
  },
  {
    name: 'host in maintenance',
    check: 'host.ready',
    id: 'host.maintenance',
    subject: (bed) => bed.hosts[2]!.name,
    plant: inPeers((bed) =>
      bed.control.change({ type: 'HostSystem', name: bed.hosts[2]!.name, maintenance: true }),
    ),
  },
  {
    name: 'mixed ESX builds',
    check: 'host.homogeneous',
    id: 'host.buildDiffers',
    subject: () => 'hosts',
    plant: inPeers((bed) =>
      bed.control.change({ type: 'HostSystem', name: bed.hosts[3]!.name, build: '20842708' }),
    ),
  },
  {
    name: 'power policy low',
    check: 'host.powerPolicy',
    id: 'host.powerPolicyLow',
    subject: (bed) => bed.hosts[0]!.name,
    plant: inPeers((bed) =>
      bed.control.change({
        type: 'HostSystem',
        name: bed.hosts[0]!.name,
        powerPolicy: 'Low Power',
      }),
    ),
  },
  {
    name: 'DRS off',
    check: 'cluster.drs',
    id: 'cluster.drs',
    subject: (bed) => bed.cluster.name,
    plant: inPeers((bed) =>
      bed.control.change({ type: 'ClusterComputeResource', name: bed.cluster.name, drs: false }),
    ),
  },
  // The simulator puts the delta disk where the VM's files began: on the first LUN, which then
  // holds both tiles.
  {
    name: 'snapshot left over',
    check: 'vm.snapshots',
    id: 'vm.snapshots',
    alongside: ['datastore.tiles'],
    subject: (bed) => bed.vms[2]!.name,
    plant: async (bed) => {
      const ref = await bed.session.snapshot(bed.vms[2]!.ref, 'before');
      return async () => {
        await bed.session.removeSnapshot(ref);
        await bed.heal();
      };
    },
  },
  {
    name: 'client unreachable',
    check: 'client.reachable',
    id: 'client.reachable',
    subject: client2,
    plant: inConnections((one) =>
      one.id === 'client2' && one.kind === 'client' ? { ...one, port: 1 } : one,
    ),
  },
  {
    name: 'driver missing',
    check: 'client.driver',
    id: 'client.driver',
    subject: () => 'Tile 2 Disk on client2',
    plant: inPeers(async (bed) => bed.clients[1]!.setProgram('fio', null)),
  },
  {
    name: 'wrong driver version',
    check: 'client.driver',
    id: 'client.driverVersion',
    subject: () => 'client2 fio',
    plant: inPeers(async (bed) => bed.clients[1]!.setProgram('fio', versionProgram('fio-2.21'))),
  },
  {
    name: 'clock 20 s off',
    check: 'client.clockOffset',
    id: 'client.clockOffset',
    subject: client2,
    plant: inConnections((one, bed) =>
      one.id === 'client2' ? clientConnection(bed.lateClient, 'client2') : one,
    ),
  },
  {
    name: 'meter silent',
    check: 'power.answers',
    id: 'power.answers',
    subject: () => 'meter',
    plant: async (bed) => {
      await bed.nut.kill();
      return () => bed.nut.restart();
    },
  },
  {
    name: 'meter lag longer than a period',
    check: 'power.answers',
    id: 'power.lag',
    subject: () => 'meter',
    plant: inConnections((one, bed) =>
      one.kind === 'power' && one.source.type === 'nut'
        ? { ...one, source: { ...one.source, port: bed.slowNut.port } }
        : one,
    ),
  },
  {
    name: 'privileges missing',
    check: 'vcenter.privileges',
    id: 'vcenter.privileges',
    subject: () => 'Resource.HotMigrate',
    plant: inPeers((bed) => bed.control.deny(['Resource.HotMigrate'])),
  },
  {
    name: 'name resolving to the wrong host',
    check: 'vm.address',
    id: 'vm.address',
    subject: () => 'Tile 1 Database',
    plant: inPeers(async (bed) =>
      bed.clients[0]!.setProgram(
        'getent',
        namesProgram({ 'db-tile1': '10.20.0.3', 'db-tile2': '10.20.0.3' }),
      ),
    ),
  },
  {
    name: 'client busy',
    check: 'client.busy',
    id: 'client.busy',
    subject: () => 'client1',
    plant: inPeers(async (bed) =>
      bed.clients[0]!.setProgram('cat', statProgram(bed.clients[0]!.home, 80)),
    ),
  },
  {
    name: 'stray VM running',
    check: 'vm.stray',
    id: 'vm.stray',
    subject: (bed) => bed.vms[4]!.name,
    plant: inPeers((bed) => bed.session.power(bed.vms[4]!.ref, true)),
  },

  {
    name: 'clock of a host 20 s off',
    check: 'host.clockOffset',
    id: 'host.clockOffset',
    subject: (bed) => bed.hosts[1]!.name,
    plant: inPeers((bed) =>
      bed.control.change({ type: 'HostSystem', name: bed.hosts[1]!.name, clockMs: 20_000 }),
    ),
  },
  {
    name: 'tools not running',
    check: 'vm.tools',
    id: 'vm.tools',
    subject: (bed) => bed.vms[0]!.name,
    plant: inPeers((bed) =>
      bed.control.change({
        type: 'VirtualMachine',
        name: bed.vms[0]!.name,
        tools: 'toolsNotRunning',
      }),
    ),
  },
  {
    name: 'no database behind the driver',
    check: 'client.driver',
    id: 'client.driver',
    subject: () => 'Tile 1 Database on client1',
    plant: inPeers(async (bed) => bed.clients[0]!.setProgram('sysbench', refusedProgram)),
  },
  {
    name: 'driver versions differ',
    check: 'client.driver',
    id: 'client.driverVersions',
    subject: () => 'sysbench-oltp',
    plant: inPeers(async (bed) =>
      bed.clients[0]!.setProgram('sysbench', versionProgram('sysbench 1.1.0')),
    ),
  },
  {
    name: 'a name that does not resolve',
    check: 'vm.address',
    id: 'vm.address',
    subject: () => 'Tile 2 Database',
    plant: inPeers(async (bed) => bed.clients[1]!.setProgram('getent', namesProgram({}))),
  },
  {
    name: 'two connections to one client',
    check: 'client.identity',
    id: 'client.sameMachine',
    subject: () => 'client1, client2',
    plant: inConnections((one, bed) =>
      one.id === 'client2' ? clientConnection(bed.clients[0]!, 'client2') : one,
    ),
  },
  {
    name: 'datastore not accessible',
    check: 'datastore.ready',
    id: 'datastore.inaccessible',
    subject: (bed) => bed.datastores[1]!.name,
    plant: inPeers((bed) =>
      bed.control.change({ type: 'Datastore', name: bed.datastores[1]!.name, accessible: false }),
    ),
  },
];
