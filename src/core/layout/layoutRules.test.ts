import type { Profile } from '../profile/profile.ts';
import type { DatastoreInfo, HostInfo, Inventory, VmInfo } from '../testbed/inventory.ts';
import type { ClientFacts } from '../testbed/layoutModel.ts';
import { layoutView } from '../testbed/layoutView.ts';
import type { NamedRef, Testbed } from '../testbed/testbed.ts';
import {
  datastoreRef,
  gib,
  hostRef,
  layoutClients,
  layoutInventory,
  layoutProfile,
  layoutTestbed,
  layoutVm,
} from '../testing/layoutLab.ts';
import { keysOfTiles, mapSlots, moveToDatastore, moveToHost } from './layoutEdit.ts';
import { checkLayout, layoutRules } from './layoutRules.ts';
import {
  setDatastores,
  setExcludedVms,
  setHosts,
  setMaintenanceDatastore,
  setTemplate,
} from './layoutSettings.ts';
import { type LayoutFinding } from './layoutTypes.ts';
import { type PlannedLoad } from './layoutTypes.ts';

interface Lab {
  testbed: Testbed;
  inventory: Inventory;
  profile: Profile;
  clients: ClientFacts[];
  plan?: PlannedLoad;
}
const lun = (i: number): NamedRef => ({ ref: datastoreRef(i - 1), name: `lun${i}` });
const esx = (i: number): NamedRef => ({ ref: hostRef(i - 1), name: `esx${i}` });

/** Two tiles, each on a host, a LUN and a client of its own. */
function healthy(): Lab {
  const inventory = layoutInventory({ hosts: 3, datastores: 4, tiles: 2 });
  const vms = inventory.vms.map((vm): VmInfo =>
    vm.name.startsWith('tile1')
      ? vm
      : { ...vm, hostRef: hostRef(1), datastoreRefs: [datastoreRef(1)] },
  );
  return {
    testbed: layoutTestbed(2),
    inventory: { ...inventory, vms },
    profile: layoutProfile(),
    clients: layoutClients(2),
  };
}
const check = ({ testbed, inventory, profile, clients, plan }: Lab): LayoutFinding[] =>
  checkLayout(layoutView(testbed, inventory, profile, clients), plan);
const host = (lab: Lab, change: Partial<HostInfo>): Inventory => ({
  ...lab.inventory,
  hosts: lab.inventory.hosts.map((one, i) => (i === 0 ? { ...one, ...change } : one)),
});
const store = (lab: Lab, change: Partial<DatastoreInfo>): Inventory => ({
  ...lab.inventory,
  datastores: lab.inventory.datastores.map((one, i) => (i === 0 ? { ...one, ...change } : one)),
});
const vm = (lab: Lab, name: string, change: Partial<VmInfo>): Inventory => ({
  ...lab.inventory,
  vms: lab.inventory.vms.map((one) => (one.name === name ? { ...one, ...change } : one)),
});
const operations = (id: string): Pick<Profile, 'scoring'> => ({
  scoring: {
    ...layoutProfile().scoring,
    infrastructure: {
      combine: 'geometricMean',
      operations: [{ id, name: id, reference: null, referenceSource: 'x' }],
      hostsPerLoop: null,
      hostsPerLoopSource: 'x',
      source: 'x',
    },
  },
});
const tile1 = keysOfTiles(layoutTestbed(1), [0]);

/** The fault, what the rule says of it, and which other rules see it too. */
const faults: [id: string, fault: (lab: Lab) => Partial<Lab>, evidence: string, also?: string[]][] =
  [
    [
      'tiles.most',
      () => ({ profile: layoutProfile({ maximumTiles: 1 }) }),
      '2 tiles; Six VMs 1 allows 1',
    ],
    [
      'tile.workloads',
      ({ testbed }) => ({
        testbed: {
          ...testbed,
          tiles: [
            testbed.tiles[0]!,
            {
              index: 1,
              workloads: [
                ...testbed.tiles[1]!.workloads.slice(2),
                testbed.tiles[1]!.workloads[5]!,
                { ...testbed.tiles[1]!.workloads[1]!, workloadId: 'olio' },
              ],
            },
          ],
        },
      }),
      'it has no mail, no web, standby 2 times, olio, which the profile does not have',
      ['vm.twice'],
    ],
    [
      'vm.twice',
      ({ testbed }) => ({
        testbed: mapSlots(testbed, ['1/web'], (one) => ({
          ...one,
          vm: testbed.tiles[1]!.workloads[0]!.vm,
        })),
      }),
      'assigned to tile 2 mail, tile 2 web',
    ],
    [
      'vm.excluded',
      ({ testbed }) => ({
        testbed: setExcludedVms(testbed, [testbed.tiles[0]!.workloads[0]!.vm!]).testbed,
      }),
      'excluded from the testbed, and assigned to tile 1 mail',
    ],
    [
      'vm.notDiscovered',
      ({ inventory }) => ({ inventory: { ...inventory, vms: inventory.vms.slice(1) } }),
      'assigned to tile 1 mail; the last discovery did not find it',
    ],
    [
      'vm.unassigned',
      ({ testbed }) => ({
        testbed: mapSlots(testbed, ['0/mail'], (one) => ({ ...one, vm: null })),
      }),
      '1 of 12: tile 1 mail',
    ],
    [
      'vm.template',
      ({ testbed }) => ({
        testbed: moveToHost(
          mapSlots(testbed, ['0/mail'], (one) => ({ ...one, vm: null })),
          ['0/mail'],
          esx(1),
        ).testbed,
      }),
      'no template is chosen; VMs to clone: 1',
      ['vm.unassigned'],
    ],
    [
      'client.none',
      ({ testbed }) => ({
        testbed: mapSlots(testbed, ['0/mail'], (one) => ({ ...one, clientId: '' })),
      }),
      'tile 1 mail: none is chosen',
    ],
    [
      'tile.uncounted',
      () => ({
        profile: layoutProfile({
          workloads: layoutProfile().workloads.map((one) => ({
            ...one,
            vms: [{ name: 'v', count: 2, vcpus: null, source: 'x' }],
          })),
        }),
      }),
      'Six VMs has 12 VMs in a tile, the testbed names 6: those under load',
    ],
    [
      'tile.split',
      (lab) => ({ inventory: vm(lab, 'tile1-mail', { hostRef: hostRef(2) }) }),
      'on esx3, esx1: what its VMs say to each other crosses the network',
    ],
    [
      'hosts.least',
      ({ testbed }) => ({
        profile: layoutProfile({ minimumHosts: 4 }),
        testbed: setHosts(testbed, [esx(1), esx(2)]).testbed,
      }),
      '2 hosts; Six VMs asks for 4',
    ],
    [
      'host.unknown',
      ({ testbed }) => ({
        testbed: moveToHost(testbed, tile1, { ref: 'host-77', name: 'gone' }).testbed,
      }),
      'the last discovery did not find it; planned there: tile1-mail, tile1-web, tile1-java, tile1-database and 2 more',
    ],
    [
      'datastore.unknown',
      ({ testbed }) => ({
        testbed: moveToDatastore(testbed, ['0/mail'], { ref: 'datastore-77', name: 'gone' })
          .testbed,
      }),
      'the last discovery did not find it; planned there: tile1-mail',
    ],
    [
      'host.notReady',
      (lab) => ({ inventory: host(lab, { maintenance: true }) }),
      'in maintenance mode; to run there: tile1-mail, tile1-web, tile1-java, tile1-database and 2 more',
    ],
    [
      'datastore.inaccessible',
      (lab) => ({ inventory: store(lab, { accessible: false }) }),
      'vCenter says it is not accessible; VMs there: tile1-mail, tile1-web, tile1-java, tile1-database and 2 more',
    ],
    [
      'place.notVisible',
      (lab) => ({ inventory: store(lab, { hostRefs: [hostRef(1)] }) }),
      'it does not mount lun1; to run there with disks on it: tile1-mail, tile1-web, tile1-java, tile1-database and 2 more',
    ],
    [
      'place.outside',
      ({ testbed }) => ({ testbed: setDatastores(testbed, [lun(1)]).testbed }),
      'not among the datastores under test; VMs there: tile2-mail, tile2-web, tile2-java, tile2-database and 2 more',
    ],
    [
      'maintenance.used',
      ({ testbed }) => ({ testbed: setMaintenanceDatastore(testbed, lun(1)).testbed }),
      'clones and Storage vMotion write to it during the run; VMs there: tile1-mail, tile1-web, tile1-java, tile1-database and 2 more',
    ],
    [
      'maintenance.none',
      () => ({ profile: layoutProfile(operations('storageVmotion')) }),
      'Six VMs runs storageVmotion; no datastore is kept for them',
    ],
    [
      'deploy.template',
      ({ testbed }) => ({
        profile: layoutProfile(operations('deploy')),
        testbed: setMaintenanceDatastore(testbed, lun(4)).testbed,
      }),
      'Six VMs runs deploy; none is chosen',
    ],
    [
      'host.vmTooWide',
      (lab) => ({
        inventory: vm({ ...lab, inventory: host(lab, { cores: 64 }) }, 'tile1-mail', { vcpus: 40 }),
      }),
      '40 vCPUs; esx1 has 32 logical processors',
    ],
    [
      'host.vcpu',
      (lab) => ({ inventory: host(lab, { cores: 8 }) }),
      '12 vCPUs on 8 cores, 1.5 a core; its cluster as a whole, which DRS balances: 0.6 a core',
    ],
    [
      'host.memory',
      (lab) => ({ inventory: host(lab, { memoryBytes: 26 * gib }) }),
      '24 GiB of VMs on 26 GiB, 92 %; its cluster as a whole, which DRS balances: 31 %',
    ],
    [
      'host.queue',
      (lab) => ({
        inventory: host(lab, {
          hbas: [{ device: 'vmhba0', model: null, driver: null, queueDepth: 2 }],
        }),
      }),
      'Commands to lun1: 4 outstanding I/Os, queue depth 2; the number of outstanding I/Os of 3 of 6 is not known, so it is at least that',
    ],
    [
      'datastore.space',
      (lab) => ({
        inventory: vm({ ...lab, inventory: store(lab, { freeBytes: 2 * gib }) }, 'tile1-mail', {
          powerState: 'poweredOff',
        }),
      }),
      '4 GiB needed for disks and swap files, 2 GiB free',
    ],
    [
      'datastore.commands',
      () => ({ plan: { tiles: 1, overrides: { file: { outstanding: 300 } } } }),
      '300 outstanding I/Os from all hosts, 256 at most (256 a LUN); the number of outstanding I/Os of 3 of 6 is not known, so it is at least that',
      ['host.queue'],
    ],
    [
      'datastore.knee',
      () => ({ plan: { tiles: 1, overrides: { file: { outstanding: 7 } } } }),
      '7 outstanding I/Os a LUN; the number of outstanding I/Os of 3 of 6 is not known, so it is at least that; on LUNs of five disks latency grew faster than IOPS beyond 6',
    ],
    [
      'datastore.tiles',
      (lab) => ({
        inventory: {
          ...lab.inventory,
          vms: lab.inventory.vms.map((one) => ({ ...one, datastoreRefs: [datastoreRef(0)] })),
        },
      }),
      'Tiles 1, 2 are on it',
      ['datastore.knee'],
    ],
    [
      'client.load',
      ({ clients }) => ({ clients: clients.map((one) => ({ ...one, cpus: 4 })) }),
      '6 workloads on 4 CPUs',
      ['client.load'],
    ],
    [
      'client.tiles',
      ({ testbed }) => ({
        testbed: mapSlots(testbed, keysOfTiles(testbed, [1]), (one) => ({
          ...one,
          clientId: 'client-1',
        })),
      }),
      'Tiles 1, 2 are loaded from it',
    ],
    [
      'uplink.none',
      (lab) => ({
        inventory: host(lab, {
          nics: [
            { device: 'vmnic0', driver: null, speedMbps: 0 },
            { device: 'vmnic1', driver: null, speedMbps: 0 },
          ],
        }),
      }),
      'vmnic0, vmnic1: no link',
    ],
  ];

it('finds nothing on a healthy layout', () => expect(check(healthy())).toEqual([]));

it.each(faults)(
  '%s finds its fault, and nothing else is told',
  (id, fault, evidence, also = []) => {
    const lab = healthy();
    const findings = check({ ...lab, ...fault(lab) });
    expect(findings.find((one) => one.id === id)?.evidence).toContain(evidence);
    expect(findings.map((one) => one.id).sort()).toEqual([id, ...also].sort());
    for (const finding of findings) {
      expect(finding.fix).toMatch(/\.$/);
      expect(finding.source.length).toBeGreaterThan(4);
    }
  },
);

it('has a fault for every rule, and every rule an id of its own', () => {
  expect(faults.map(([id]) => id).sort()).toEqual(layoutRules.map(({ id }) => id).sort());
  expect(new Set(layoutRules.map(({ id }) => id)).size).toBe(layoutRules.length);
});

it('counts tiles against what a plan can run where the profile has no limit', () => {
  const lab = healthy();
  expect(
    check({ ...lab, testbed: layoutTestbed(401) }).find(({ id }) => id === 'tiles.most')!.evidence,
  ).toBe('401 tiles; a plan runs at most 400');
});

it('tells what blocks first', () => {
  const lab = healthy();
  const findings = check({
    ...lab,
    inventory: host(lab, { maintenance: true, cores: 8, memoryBytes: 26 * gib }),
  });
  expect(findings.map(({ severity }) => severity)).toEqual(['block', 'warn', 'info']);
});

it('wants a template only where something is to be cloned, and takes no running VM for one', () => {
  const lab = healthy();
  const open = mapSlots(lab.testbed, ['0/mail', '1/mail'], (one) => ({ ...one, vm: null }));
  const templateOf = (testbed: Testbed, extra: VmInfo[] = []): string[] =>
    check({
      ...lab,
      testbed,
      inventory: { ...lab.inventory, vms: [...lab.inventory.vms, ...extra] },
    })
      .filter(({ id }) => id === 'vm.template')
      .map(({ evidence }) => evidence);
  const chosen = setTemplate(open, 'mail', { ref: 'vm-gold', name: 'gold' }).testbed;
  expect(templateOf(open)).toEqual([]);
  expect(templateOf(chosen)).toEqual([
    'template gold was not found by the last discovery; VMs to clone: 2',
  ]);
  expect(templateOf(chosen, [layoutVm('vm-gold', 'gold')])).toEqual([
    'gold is no template and is powered on; VMs to clone: 2',
  ]);
  expect(
    templateOf(chosen, [layoutVm('vm-gold', 'gold', { template: true, powerState: 'poweredOff' })]),
  ).toEqual([]);
});
