import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { type EngineOnLab, startEngineOnLab } from '../../../../../e2e/lab/engineOnLab.ts';
import { type LabNut, startNut } from '../../../../../e2e/lab/nut.ts';
import { type LabSshd, startSshd } from '../../../../../e2e/lab/sshd.ts';
import { startVcsim, type VcsimControl } from '../../../../../e2e/lab/vcsim.ts';
import {
  type CheckReport,
  type PlanFile,
  planFileSchema,
} from '../../../../../src/core/plan/plan.ts';
import type { Profile } from '../../../../../src/core/profile/profile.ts';
import type {
  DatastoreInfo,
  HostInfo,
  Inventory,
  VmInfo,
} from '../../../../../src/core/testbed/inventory.ts';
import { importOwn, sourceOf } from '../../../../../src/wire/importOwn.ts';
import { realClock } from '../../../../realDeps.ts';
import { silentLog } from '../../../deps.ts';
import { type VCenterSession } from '../../../deps/vcenter.ts';
import { createVCenterEdge } from '../../../vcenter/edge.ts';

/**
 * A database over the network and an I/O load a tile, vMotion beside them: as much as the planted
 * faults need.
 */
export const plantedProfile: Profile = {
  schemaVersion: 1,
  id: 'planted-tile',
  version: '1',
  name: 'Planted tile',
  description: 'For tests',
  resultName: 'scaling study',
  minimumHosts: 2,
  workloads: [
    {
      id: 'db',
      role: 'database',
      name: 'Database',
      driver: 'sysbench-oltp',
      params: {},
      unit: 'tps',
      scored: true,
      reference: 10,
      referenceSource: 'test',
      qos: [],
    },
    {
      id: 'io',
      role: 'io',
      name: 'Disk',
      driver: 'fio',
      params: { outstanding: 16 },
      unit: 'IOPS',
      scored: true,
      reference: 100,
      referenceSource: 'test',
      qos: [],
    },
  ],
  phases: { rampUpS: 60, staggerS: 10, steadyS: 180, periods: 3, rampDownS: 10 },
  scoring: {
    tile: 'geometricMean',
    total: 'sum',
    periods: 'median',
    source: 'test',
    infrastructure: {
      combine: 'geometricMean',
      operations: [{ id: 'vmotion', name: 'vMotion', reference: 1, referenceSource: 'test' }],
      hostsPerLoop: 2,
      hostsPerLoopSource: 'test',
      source: 'test',
    },
    overall: { application: 0.8, infrastructure: 0.2, source: 'test' },
  },
  rules: [
    { id: 'drs', kind: 'statement', text: 'DRS is on while the operations run', source: 'test' },
  ],
};

/** What the clients need of the machine; anything else is not there. */
const machinePrograms = [
  'sh',
  'uname',
  'nproc',
  'cut',
  'head',
  'tail',
  'date',
  'ls',
  'mkdir',
  'sed',
  'rm',
  'tr',
  'kill',
  'ps',
  'setsid',
  'mv',
  'grep',
  'wc',
  'dirname',
  'touch',
  'chmod',
  'printf',
  'test',
];
/**
 * Every look at /proc/stat is 100 ticks later, of which `busy` were work. Looks are counted by bytes
 * that are appended: two that look at one moment both count.
 */
export const statProgram = (
  home: string,
  busyPct: number,
): string => `if [ "$1" = /proc/stat ]; then
  echo >> ${home}/ticks; n=$(/usr/bin/wc -c < ${home}/ticks)
  echo "cpu $((n * ${busyPct})) 0 0 $((n * ${100 - busyPct})) 0 0 0 0"; exit
fi
exec /bin/cat "$@"`;
/** The client's view of names: `name address` pairs. */
export const namesProgram = (names: Readonly<Record<string, string>>): string =>
  `case "$2" in\n${Object.entries(names)
    .map(([name, ip]) => `${name}) echo "${ip} ${name}" ;;`)
    .join('\n')}\n*) exit 2 ;;\nesac`;
/** sysbench as it is installed, without a database that lets it in. */
export const refusedProgram =
  'case "$*" in\n--version) echo "sysbench 1.0.20" ;;\n' +
  '*) echo "FATAL: unable to connect to MySQL server, aborting..."; exit 1 ;;\nesac';
export const versionProgram = (text: string): string => `echo "${text}"`;

export interface PlantedBed extends Pick<EngineOnLab, 'call'> {
  control: VcsimControl;
  session: VCenterSession;
  nut: LabNut;
  slowNut: LabNut;
  clients: LabSshd[];
  lateClient: LabSshd;
  hosts: HostInfo[];
  datastores: DatastoreInfo[];
  cluster: Inventory['clusters'][number];
  /** `tile1-db`, `tile1-io`, `tile2-db`, `tile2-io`, then one that is in no tile and off. */
  vms: VmInfo[];
  file: PlanFile;
  planPath: string;
  /** Imports the plan, changed or not, and checks it. */
  check: (change?: (file: PlanFile) => PlanFile) => Promise<CheckReport>;
  /** Everything as it was at the start. */
  heal: () => Promise<void>;
  ended(runId: string): Promise<unknown>;
  stop(): Promise<void>;
}

/**
 * A healthy testbed of real peers: a vCenter of four hosts, two clients, a meter; and one client
 * and one meter with a fault of their own.
 */
export async function plantedBed(dir: string): Promise<PlantedBed> {
  const ends: (() => Promise<void>)[] = [];
  const started = async <T extends { stop(): Promise<void> }>(part: Promise<T>): Promise<T> => {
    const made = await part;
    ends.push(() => made.stop());
    return made;
  };
  const names = ['tile1-db', 'tile1-io', 'tile2-db', 'tile2-io', 'stranger'];
  const vcenter = await started(
    startVcsim({ hosts: 4, vms: names.length, datastores: 3, vmNames: names }),
  );
  const session = await createVCenterEdge({
    clock: realClock,
    log: silentLog,
  }).connect(
    {
      kind: 'vcenter',
      id: 'lab',
      name: 'lab',
      host: vcenter.host,
      port: vcenter.port,
      user: vcenter.user,
      password: { env: 'UNUSED' },
      fingerprint256: vcenter.fingerprint256,
    },
    vcenter.password,
  );
  ends.push(() => session.logout());
  const sshd = async (name: string, clockOffsetS?: number): Promise<LabSshd> =>
    started(
      startSshd({
        name,
        dir: join(dir, name),
        machinePrograms,
        programs: healthyPrograms(join(dir, name)),
        ...(clockOffsetS === undefined ? {} : { clockOffsetS }),
      }),
    );
  const clients = [await sshd('client1'), await sshd('client2')];
  const lateClient = await sshd('client2late', 20);
  const nut = await started(startNut({ dir: subDir(dir, 'nut') }));
  const slowNut = await started(startNut({ dir: subDir(dir, 'slow'), pollS: 90 }));
  const engine = await startEngineOnLab();
  ends.push(() => engine.close());

  const first = await session.inventory();
  const { hosts, datastores } = first;
  const cluster = first.clusters[0]!;
  const vms = names.map((name) => first.vms.find((vm) => vm.name === name)!);
  const passwordFile = join(dir, 'password');
  writeFileSync(passwordFile, vcenter.password, { mode: 0o600 });
  const file = planOf({
    vcenter: { ...vcenter, passwordFile },
    clients,
    nut,
    hosts,
    datastores,
    vms,
  });
  const planPath = join(dir, 'plan.json');
  writeFileSync(planPath, JSON.stringify(file));

  const bed: PlantedBed = {
    call: (method, input) => engine.call(method, input),
    control: vcenter.control,
    session,
    nut,
    slowNut,
    clients,
    lateClient,
    hosts,
    datastores,
    cluster,
    vms,
    file,
    planPath,
    check: async (change = (same) => same) => {
      await importOwn(engine, sourceOf(change(file)));
      return engine.call('plan.check', { id: file.plan.id });
    },
    heal: async () => {
      await importOwn(engine, sourceOf(file));
      for (const { name } of hosts)
        await vcenter.control.change({
          type: 'HostSystem',
          name,
          build: '24022510',
          powerPolicy: 'High Performance',
          maintenance: false,
          clockMs: 0,
        });
      await vcenter.control.change({
        type: 'ClusterComputeResource',
        name: cluster.name,
        drs: true,
        drsBehavior: 'fullyAutomated',
      });
      for (const [i, vm] of vms.entries()) {
        await session.relocate(vm.ref, {
          hostRef: hosts[i % 4]!.ref,
          datastoreRef: datastores[Math.floor(i / 2)]!.ref,
        });
        await session.power(vm.ref, i < 4);
        await vcenter.control.change({
          type: 'VirtualMachine',
          name: vm.name,
          tools: 'toolsOk',
          ip: `10.20.0.${i + 1}`,
        });
      }
      for (const { name } of datastores)
        await vcenter.control.change({
          type: 'Datastore',
          name,
          freeBytes: 2 ** 39,
          accessible: true,
          queueDepth: 64,
        });
      await vcenter.control.deny([]);
      await vcenter.control.clearFaults();
      for (const [i, client] of [...clients, lateClient].entries())
        for (const [name, script] of Object.entries(
          healthyPrograms(join(dir, ['client1', 'client2', 'client2late'][i]!)),
        ))
          client.setProgram(name, script);
    },
    ended: (runId) => engine.untilEnd(runId),
    async stop() {
      for (const end of ends.reverse()) await end();
    },
  };
  await bed.heal();
  return bed;
}

function subDir(dir: string, name: string): string {
  const path = join(dir, name);
  mkdirSync(path, { recursive: true });
  return path;
}

const healthyPrograms = (clientDir: string): Record<string, string> => ({
  cat: statProgram(join(clientDir, 'home'), 3),
  sleep: 'exit 0',
  getent: namesProgram({ 'db-tile1': '10.20.0.1', 'db-tile2': '10.20.0.3' }),
  fio: versionProgram('fio-3.33'),
  sysbench: versionProgram('sysbench 1.0.20'),
});

interface Parts {
  vcenter: {
    host: string;
    port: number;
    user: string;
    fingerprint256: string;
    passwordFile: string;
  };
  clients: readonly LabSshd[];
  nut: LabNut;
  hosts: HostInfo[];
  datastores: DatastoreInfo[];
  vms: VmInfo[];
}
function planOf({ vcenter, clients, nut, hosts, datastores, vms }: Parts): PlanFile {
  const named = ({ ref, name }: { ref: string; name: string }) => ({ ref, name });
  return planFileSchema.parse({
    tilebenchPlan: 1,
    profile: plantedProfile,
    connections: [
      {
        kind: 'vcenter',
        id: 'vc',
        name: 'lab-vc',
        host: vcenter.host,
        port: vcenter.port,
        user: vcenter.user,
        password: { file: vcenter.passwordFile },
        fingerprint256: vcenter.fingerprint256,
      },
      ...clients.map((client) => clientConnection(client, client.name)),
      {
        kind: 'power',
        id: 'meter',
        name: 'meter',
        source: { type: 'nut', host: nut.host, port: nut.port, ups: nut.ups },
      },
    ],
    testbed: {
      id: 'planted',
      name: 'Planted',
      profileId: plantedProfile.id,
      vcenterId: 'vc',
      powerIds: ['meter'],
      layout: {
        hosts: hosts.map(named),
        datastores: datastores.slice(0, 2).map(named),
        maintenanceDatastore: named(datastores[2]!),
      },
      infrastructure: { vmotionVmRefs: [vms[0]!.ref] },
      tiles: [0, 1].map((index) => ({
        index,
        workloads: [0, 1].map((slot) => {
          const i = index * 2 + slot;
          return {
            workloadId: ['db', 'io'][slot],
            vm: named(vms[i]!),
            clientId: `client${index + 1}`,
            params: slot === 0 ? { host: `db-tile${index + 1}` } : {},
            planned: { host: named(hosts[i]!), datastore: null },
          };
        }),
      })),
    },
    plan: {
      id: 'planted-plan',
      name: 'Planted',
      testbedId: 'planted',
      profileId: plantedProfile.id,
      tiles: 2,
      phases: plantedProfile.phases,
    },
  });
}

/** The connection of client `id` to this sshd. */
export function clientConnection(client: LabSshd, id: string): PlanFile['connections'][number] {
  return {
    kind: 'client',
    id,
    name: id,
    host: client.host,
    port: client.port,
    user: client.user,
    auth: { method: 'key', path: client.privateKeyPath },
    hostKeySha256: client.hostKeySha256,
  };
}
