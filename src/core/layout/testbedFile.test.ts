import type { Inventory } from '../testbed/inventory.ts';
import { layoutSchema, type Testbed, testbedSchema } from '../testbed/testbed.ts';
import { applyMapping } from '../testbed/testbedApply.ts';
import { exportTestbed, parseTestbedFile, testbedFileText } from '../testbed/testbedFile.ts';
import {
  type TestbedFile,
  testbedFileBounds,
  testbedFileSchema,
} from '../testbed/testbedFileTypes.ts';
import {
  type ImportLab,
  importNotes,
  importSteps,
  type Mapping,
  suggestedMapping,
  unresolved,
} from '../testbed/testbedImport.ts';
import { cpuSince } from '../testing/cpuSince.ts';
import {
  layoutClients,
  layoutInventory,
  layoutProfile,
  layoutTestbed,
  layoutVm,
} from '../testing/layoutLab.ts';
import { keysOfTiles, mapSlots, placeSlots } from './layoutEdit.ts';
import {
  setExcludedVms,
  setHosts,
  setMaintenanceDatastore,
  setNetwork,
  setTemplate,
} from './layoutSettings.ts';

const profile = layoutProfile();
const inventory = layoutInventory({ hosts: 2, datastores: 3, tiles: 2 });
const clients = layoutClients(2).map(({ id, name }) => ({ id, name }));
const gold = { ref: 'vm-gold', name: 'gold' };

/** A testbed that refers to something of every kind. */
function full(): Testbed {
  let bed = layoutTestbed(2);
  bed = placeSlots(bed, keysOfTiles(bed, [0]), {
    host: { ref: 'host-1', name: 'esx1' },
    datastore: { ref: 'datastore-1', name: 'lun1' },
  }).testbed;
  bed = setTemplate(
    setNetwork(
      setMaintenanceDatastore(
        setHosts(bed, [
          { ref: 'host-1', name: 'esx1' },
          { ref: 'host-2', name: 'esx2' },
        ]).testbed,
        { ref: 'datastore-3', name: 'lun3' },
      ).testbed,
      { ref: 'net-1', name: 'VM Network' },
    ).testbed,
    'mail',
    gold,
  ).testbed;
  bed = setExcludedVms(bed, [{ ref: 'vm-dns', name: 'dns' }]).testbed;
  return {
    ...bed,
    powerIds: ['pdu'],
    layout: { ...bed.layout!, made: [gold], madeFolder: { ref: 'group-v9', name: 'tilebench' } },
    infrastructure: {
      vmotionVmRefs: ['vm-1-mail'],
      storageVmotion: { vmRefs: ['vm-1-web'], datastoreRef: 'datastore-3' },
      xvmotion: null,
      deploy: { templateRef: 'vm-gold', datastoreRef: 'datastore-3' },
      snapshotVmRefs: [],
      pauseS: 3,
    },
  };
}
const exported = (bed = full()): TestbedFile =>
  exportTestbed(bed, {
    inventory,
    profile,
    vcenterName: 'lab A',
    clients: clients.map((one, i) => ({ ...one, ...(i === 1 ? { jumpId: 'client-1' } : {}) })),
  });
const parse = (change: (file: TestbedFile) => unknown): TestbedFile =>
  parseTestbedFile('bed.json', JSON.stringify(change(exported()), null, 1));

it('exports names of all it refers to, no address, no secret, nothing made here', () => {
  const file = parseTestbedFile('bed.json', testbedFileText(exported()));
  expect(file).toEqual(exported());
  const names = (kind: string): string[] =>
    file.things.filter((one) => one.kind === kind).map(({ name }) => name);
  expect([
    names('host'),
    names('datastore'),
    names('template'),
    names('network'),
    names('client'),
  ]).toEqual([['esx1', 'esx2'], ['lun1', 'lun3'], ['gold'], ['VM Network'], ['c1', 'c2']]);
  expect(names('vm')).toHaveLength(13);
  expect(file.testbed).toMatchObject({ powerIds: [], layout: { made: [], madeFolder: null } });
  expect(file.clients).toEqual([
    { id: 'client-1', name: 'c1', jumpId: null },
    { id: 'client-2', name: 'c2', jumpId: 'client-1' },
  ]);
});

describe('refuses with place and remedy', () => {
  it.each<[string, string, RegExp]>([
    [
      'something else',
      '{"tilebenchPlan": 1}',
      /^bed\.json:1:1: tilebenchTestbed: is missing: this is no testbed file/,
    ],
    ['no JSON', '{"tilebenchTestbed": 1,', /^bed\.json:1:24: property name expected/],
    ['an empty file', '', /^bed\.json:1:1: /],
    [
      'a newer version',
      '{"tilebenchTestbed": 2, "testbed": {"shape": "new"}}',
      /^bed\.json:1:22: tilebenchTestbed: version 2 was written by a newer Tilebench; this one reads version 1\. Install the newer version\.$/,
    ],
    [
      'deep nesting',
      `{"tilebenchTestbed": 1, "x": ${'['.repeat(100_000)}`,
      /^bed\.json:1:229: nested deeper than 200/,
    ],
    [
      '10 MB of names',
      `{"tilebenchTestbed": 1, "things": [${'{"kind": "vm", "ref": "r", "name": "nnnnnnnnnnnnnnnnnnnn"},'.repeat(180_000)}]}`,
      /^bed\.json has \d+ characters; a testbed file has at most 8000000\./,
    ],
  ])('%s', (_, text, message) => expect(() => parseTestbedFile('bed.json', text)).toThrow(message));

  it.each<[string, (file: TestbedFile) => unknown, RegExp]>([
    [
      'a long name',
      (file) => ({ ...file, things: [{ kind: 'vm', ref: 'r', name: 'n'.repeat(300) }] }),
      /^bed\.json:\d+:\d+: things\.0\.name: a name has at most 255 characters$/,
    ],
    [
      'a long name of a VM',
      (file) => ({
        ...file,
        testbed: mapSlots(file.testbed, ['1/web'], (one) => ({
          ...one,
          vm: { ref: 'r', name: 'n'.repeat(300) },
        })),
      }),
      /testbed\.tiles\.1\.workloads\.1\.vm\.name: 300 characters; a name has at most 255\. Shorten it\./,
    ],
    [
      'a control character',
      (file) => ({ ...file, things: [{ kind: 'vm', ref: 'r', name: 'a\u001b[31m' }] }),
      /things\.0\.name: a control character, or one that turns or hides text, is in it\. Remove it\./,
    ],
    [
      'a thing twice',
      (file) => ({ ...file, things: [file.things[0], file.things[0]] }),
      /things\.1\.ref: host host-1 is there twice\. Remove one\./,
    ],
    [
      'a client that is reached over itself',
      (file) => ({
        ...file,
        clients: [
          { id: 'a', name: 'a', jumpId: 'b' },
          { id: 'b', name: 'b', jumpId: 'c' },
          { id: 'c', name: 'c', jumpId: 'a' },
          { id: 'd', name: 'd', jumpId: 'a' },
        ],
      }),
      /clients\.0\.jumpId: a is reached over b is reached over c is reached over a: no way in\. Remove one of these jumps\.\n.*clients\.1\.jumpId.*\n.*clients\.2\.jumpId[^\n]*$/,
    ],
    [
      'another profile',
      (file) => ({ ...file, profile: { ...file.profile, id: 'other' } }),
      /testbed\.profileId: is six, the file's profile is other\. Give both the same id\./,
    ],
    [
      'too many tiles',
      (file) => ({
        ...file,
        testbed: {
          ...file.testbed,
          tiles: Array.from({ length: 401 }, (_, index) => ({ index, workloads: [] })),
        },
      }),
      /testbed\.tiles: 401 tiles; at most 400\. Remove the others\./,
    ],
  ])('%s', (_, change, message) => expect(() => parse(change)).toThrow(message));

  it('too many names', () => {
    const { things, ...rest } = exported();
    const parsed = testbedFileSchema.safeParse({
      ...rest,
      things: Array<unknown>(testbedFileBounds.things + 1).fill(things[0]),
    });
    expect(parsed.error?.issues).toMatchObject([
      { path: ['things'], message: 'at most 40000 names' },
    ]);
  });

  it('and tells ten faults at most, fast', () => {
    const cpuMs = cpuSince();
    expect(() =>
      parse((file) => ({
        ...file,
        things: Array.from({ length: 1_000 }, (_, i) => ({
          kind: 'vm',
          ref: `r${i}`,
          name: 'n'.repeat(300),
        })),
      })),
    ).toThrow(/… and 990 more\./);
    expect(cpuMs()).toBeLessThan(5_000);
  });
});

it('takes no prototype from a file', () => {
  const file = parseTestbedFile(
    'bed.json',
    testbedFileText(exported()).replace(
      '"templates": {',
      '"templates": { "__proto__": {"ref": "x", "name": "polluted"},',
    ),
  );
  expect(Object.keys(file.testbed.layout!.templates)).toEqual(['mail']);
  expect(({} as { name?: string }).name).toBeUndefined();
});

/**
 * The other lab: hosts with a domain, LUNs under another row of names, VMs in capitals, one client.
 */
function otherLab(): ImportLab {
  const base = layoutInventory({ hosts: 2, datastores: 3, tiles: 2 });
  const other: Inventory = {
    ...base,
    vcenterId: 'vc2',
    networks: [{ ref: 'dvs-1', name: 'bench', type: 'x' }],
    hosts: base.hosts.map((one) => ({
      ...one,
      ref: `b-${one.ref}`,
      name: `${one.name.toUpperCase()}.lab-b.example`,
    })),
    datastores: base.datastores.map((one, i) => ({
      ...one,
      ref: `b-${one.ref}`,
      name: `vol-0${i + 1}`,
    })),
    vms: [
      ...base.vms.map((vm) => ({ ...vm, ref: `b-${vm.ref}`, name: vm.name.toUpperCase() })),
      layoutVm('b-gold', 'gold', { template: true }),
      layoutVm('b-web2', 'TILE2-web'),
    ],
  };
  return { inventory: other, clients: [{ ref: 'new-1', name: 'c1' }], profile };
}

it('suggests what is the same by name, row of numbers, pattern or choice, and says where it cannot', () => {
  const steps = importSteps(exported(), otherLab());
  const told = Object.fromEntries(
    steps.flatMap(({ items }) =>
      items.map(({ kind, name, suggestion, problem }) => [
        `${kind} ${name}`,
        suggestion ? `${suggestion.by} ${suggestion.ref}` : problem,
      ]),
    ),
  );
  expect(steps.map(({ kind }) => kind)).toEqual([
    'client',
    'host',
    'datastore',
    'network',
    'template',
    'vm',
  ]);
  expect(told).toMatchObject({
    'client c1': 'exact new-1',
    'client c2': 'none here has this name',
    'host esx1': 'shortName b-host-1',
    'host esx2': 'shortName b-host-2',
    'datastore lun1': 'number b-datastore-1',
    'datastore lun3': 'number b-datastore-3',
    'network VM Network': 'only dvs-1',
    'template gold': 'exact b-gold',
    'vm tile1-mail': 'ignoreCase b-vm-1-mail',
    'vm tile2-web': '2 have this name here: choose one',
    'vm dns': 'none here has this name',
  });
  expect(unresolved(steps, suggestedMapping(steps)).map(({ id }) => id)).toEqual([
    'client client-2',
    'vm vm-2-web',
    'vm vm-dns',
  ]);
});

it('finds VMs by the naming pattern where their own names are others', () => {
  const bed = mapSlots(full(), ['0/mail'], (one) => ({
    ...one,
    vm: { ref: 'vm-odd', name: 'exchange-old' },
  }));
  const item = importSteps(exported(bed), otherLab())
    .find(({ kind }) => kind === 'vm')!
    .items.find(({ name }) => name === 'exchange-old')!;
  expect(item.suggestion).toEqual({ ref: 'b-vm-1-mail', name: 'TILE1-MAIL', by: 'namePattern' });
});

it('says what is missing in a lab without anything', () => {
  const steps = importSteps(exported(), { inventory: null, clients: [], profile: null });
  expect(unresolved(steps, suggestedMapping(steps))).toHaveLength(21);
  expect(new Set(steps.flatMap(({ items }) => items.map(({ problem }) => problem)))).toEqual(
    new Set(['this lab has none']),
  );
});

const target = { id: 'new', name: 'Moved', vcenterId: 'vc2', profileId: 'six' };
it('replaces every reference by what it is mapped to, and leaves out what is mapped to nothing', () => {
  const steps = importSteps(exported(), otherLab());
  const mapping: Mapping = new Map([
    ...suggestedMapping(steps),
    ['client client-2', { ref: 'new-1', name: 'c1' }],
    ['vm vm-2-web', { ref: 'b-web2', name: 'TILE2-web' }],
    ['vm vm-dns', null],
  ]);
  const { testbed, dropped } = applyMapping(exported(), mapping, target);
  expect(testbedSchema.parse(testbed)).toEqual(testbed);
  expect(testbed).toMatchObject({
    id: 'new',
    name: 'Moved',
    version: 0,
    vcenterId: 'vc2',
    powerIds: [],
    layout: {
      hosts: [{ ref: 'b-host-1' }, { ref: 'b-host-2' }],
      maintenanceDatastore: { ref: 'b-datastore-3', name: 'vol-03' },
      network: { ref: 'dvs-1' },
      templates: { mail: { ref: 'b-gold' } },
      excludedVms: [],
      made: [],
      madeFolder: null,
    },
    infrastructure: {
      vmotionVmRefs: ['b-vm-1-mail'],
      storageVmotion: { vmRefs: ['b-vm-1-web'], datastoreRef: 'b-datastore-3' },
      deploy: { templateRef: 'b-gold', datastoreRef: 'b-datastore-3' },
      pauseS: 3,
    },
  });
  expect(testbed.tiles[0]!.workloads[0]).toEqual({
    workloadId: 'mail',
    vm: { ref: 'b-vm-1-mail', name: 'TILE1-MAIL' },
    clientId: 'new-1',
    params: {},
    planned: {
      host: { ref: 'b-host-1', name: 'ESX1.lab-b.example' },
      datastore: { ref: 'b-datastore-1', name: 'vol-01' },
    },
  });
  // No reference of the old lab is left anywhere.
  expect(JSON.stringify(testbed)).not.toMatch(/"(host|datastore|vm|client|net)-/);
  expect(dropped).toEqual(['vm dns (excluded VMs)']);
});

it('never guesses what is not decided, and drops operations whose place is left out', () => {
  const steps = importSteps(exported(), otherLab());
  expect(() => applyMapping(exported(), suggestedMapping(steps), target)).toThrow(
    '3 names of the file are not mapped: client c2, vm tile2-web, vm dns.',
  );
  const none: Mapping = new Map(
    steps.flatMap(({ items }) => items.map(({ id }) => [id, null] as const)),
  );
  const { testbed, dropped } = applyMapping(exported(), none, target);
  expect(testbed.infrastructure).toMatchObject({
    vmotionVmRefs: [],
    storageVmotion: null,
    deploy: null,
  });
  expect(testbed.tiles[0]!.workloads[0]).toEqual({
    workloadId: 'mail',
    vm: null,
    clientId: '',
    params: {},
  });
  expect(dropped).toHaveLength(21);
});

it('goes to another lab and back without loss', () => {
  const bed = {
    ...full(),
    powerIds: [],
    layout: { ...full().layout!, made: [], madeFolder: null },
  };
  const same: Mapping = new Map(
    importSteps(exported(bed), {
      inventory,
      clients: clients.map(({ id, name }) => ({ ref: id, name })),
      profile,
    }).flatMap(({ items }) => items.map(({ id, ref, name }) => [id, { ref, name }] as const)),
  );
  expect(
    applyMapping(exported(bed), same, {
      id: bed.id,
      name: bed.name,
      vcenterId: bed.vcenterId,
      profileId: bed.profileId,
    }).testbed,
  ).toEqual({ ...bed, version: 0 });
});

it('tells what a person should know: markup, commands, a missing profile', () => {
  const bed = mapSlots(full(), ['0/mail'], (one) => ({
    ...one,
    vm: { ref: 'vm-x', name: '<img src=x onerror=alert(1)>' },
    params: { command: 'rm -rf /' },
  }));
  const file = exported(
    mapSlots(bed, ['0/web'], (one) => ({
      ...one,
      vm: { ref: 'vm-y', name: 'a\u202etxt' },
      params: { host: '10.0.0.1' },
    })),
  );
  expect(importNotes(file, { inventory: null, clients: [], profile: null })).toEqual([
    'Profile Six VMs 1 (six) is not installed: import it first, or the testbed cannot be used.',
    'Names with markup are kept and shown as plain text: "<img src=x onerror=alert(1)>".',
    'Names with characters that turn the direction of text: "a\u202etxt". They may read otherwise than they are.',
    '1 workloads bring commands of their own that client machines would run: read them before a run.',
    '1 workloads bring driver parameters: addresses in them are of the other lab.',
  ]);
  expect(
    importNotes(exported(), {
      inventory: null,
      clients: [],
      profile: { ...profile, version: '2' },
    }),
  ).toEqual(['The file was laid out for Six VMs 1; installed is 2.']);
});

it('suggests for 4,000 VMs with hostile names in time', () => {
  const vms = Array.from({ length: 4_000 }, (_, i) =>
    layoutVm(`vm-${i}`, `${'(a+)+'.repeat(40)}${i}`),
  );
  const file = exported({
    ...full(),
    layout: {
      ...layoutSchema.parse({}),
      excludedVms: vms.map(({ ref, name }) => ({ ref, name: `${name}!` })),
    },
  });
  const cpuMs = cpuSince();
  importSteps(file, { inventory: { ...inventory, vms }, clients: [], profile });
  expect(cpuMs()).toBeLessThan(5_000);
});
