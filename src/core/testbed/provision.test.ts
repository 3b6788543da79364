import { type Inventory, inventorySchema } from './inventory.ts';
import { provisionCounts, type ProvisionJob, provisionTimeLeftS } from './provision.ts';
import { provisionPlan } from './provisionPlan.ts';
import { layoutSchema, type Testbed, testbedSchema } from './testbed.ts';

const gib = 2 ** 30;
const host = (n: number, change: object = {}) => ({
  ref: `h${n}`,
  name: `esx${n}`,
  clusterRef: 'c1',
  vendor: null,
  model: null,
  cpuModel: null,
  sockets: null,
  cores: null,
  threads: null,
  mhz: null,
  memoryBytes: null,
  build: null,
  version: null,
  bios: null,
  powerPolicy: null,
  connectionState: 'connected',
  maintenance: false,
  nics: [],
  hbas: [],
  ...change,
});
const store = (n: number, freeGib: number | null, change: object = {}) => ({
  ref: `d${n}`,
  name: `lun${n}`,
  type: 'VMFS',
  capacityBytes: 500 * gib,
  freeBytes: freeGib === null ? null : freeGib * gib,
  accessible: true,
  hostRefs: ['h1', 'h2'],
  luns: [],
  instanceUuid: null,
  ...change,
});
const vm = (ref: string, name: string, change: object = {}) => ({
  ref,
  name,
  hostRef: 'h1',
  datastoreRefs: ['d1'],
  powerState: 'poweredOff',
  vcpus: 2,
  memoryMb: 2_048,
  guest: null,
  toolsStatus: null,
  ip: null,
  template: false,
  snapshotCount: 0,
  ...change,
});
const inventory = (change: object = {}): Inventory =>
  inventorySchema.parse({
    vcenterId: 'vc',
    product: '',
    version: '',
    build: '',
    instanceUuid: '',
    takenAtMs: 0,
    clusters: [],
    networks: [],
    hosts: [host(1), host(2)],
    datastores: [store(1, 100), store(2, 200)],
    vms: [vm('t-1', 'golden', { template: true })],
    ...change,
  });
const bed = (layout: object = {}, planned?: object, tiles = 2): Testbed =>
  testbedSchema.parse({
    id: 'tb',
    name: 'Bed',
    profileId: 'p',
    vcenterId: 'vc',
    layout: layoutSchema.parse({ templates: { db: { ref: 't-1', name: 'golden' } }, ...layout }),
    tiles: Array.from({ length: tiles }, (_, index) => ({
      index,
      workloads: [{ workloadId: 'db', vm: null, clientId: 'c', ...(planned ? { planned } : {}) }],
    })),
  });
const problemOf = (testbed: Testbed, seen: Inventory | null): string | undefined =>
  provisionPlan({ testbed, profile: undefined, inventory: seen, sizes: { 't-1': 20 * gib } })
    .items[0]?.problem?.text;

test('each missing VM has its name, template, place and space; the rest counts as present', () => {
  const testbed = bed(
    {
      hosts: [
        { ref: 'h1', name: 'esx1' },
        { ref: 'h2', name: 'esx2' },
      ],
      datastores: [
        { ref: 'd1', name: 'lun1' },
        { ref: 'd2', name: 'lun2' },
      ],
    },
    undefined,
    3,
  );
  testbed.tiles[0]!.workloads[0]!.vm = { ref: 'vm-1', name: 'tile1-db' };
  const plan = provisionPlan({
    testbed,
    profile: undefined,
    inventory: inventory({
      vms: [vm('t-1', 'golden', { template: true }), vm('vm-1', 'tile1-db')],
    }),
    sizes: { 't-1': 20 * gib },
  });
  // Hosts in turn from the one with fewest of its VMs; datastores by space left.
  expect(
    plan.items.map(({ key, name, host: at, datastore, hostPlanned, needBytes, problem }) => [
      key,
      name,
      at?.name,
      datastore?.name,
      hostPlanned,
      needBytes,
      problem,
    ]),
  ).toEqual([
    ['1/db', 'tile2-db', 'esx2', 'lun2', false, 22 * gib, null],
    ['2/db', 'tile3-db', 'esx1', 'lun2', false, 22 * gib, null],
  ]);
  expect(plan.present).toBe(1);
  expect(plan.stores).toEqual([
    { ref: 'd2', name: 'lun2', count: 2, needBytes: 44 * gib, freeBytes: 200 * gib },
  ]);
});

test('a VM that is gone is made again under its pattern, and named as lost', () => {
  const testbed = bed();
  testbed.tiles[0]!.workloads[0]!.vm = { ref: 'vm-gone', name: 'old-db' };
  expect(
    provisionPlan({ testbed, profile: undefined, inventory: inventory() }).items.map(
      ({ lost, name }) => [lost, name],
    ),
  ).toEqual([
    ['old-db', 'tile1-db'],
    [null, 'tile2-db'],
  ]);
});

test('space is counted down: the one that does not fit any more says what is left', () => {
  const planned = { host: { ref: 'h1', name: 'esx1' }, datastore: { ref: 'd1', name: 'lun1' } };
  const { items } = provisionPlan({
    testbed: bed({}, planned, 6),
    profile: undefined,
    inventory: inventory(),
    sizes: { 't-1': 20 * gib },
  });
  expect(items.map(({ problem }) => problem?.text ?? null)).toEqual([
    null,
    null,
    null,
    null,
    'Datastore lun1 has 12.0 GiB left for it, 22.0 GiB are needed',
    'Datastore lun1 has 12.0 GiB left for it, 22.0 GiB are needed',
  ]);
  // Powered off it has no swap file.
  expect(
    provisionPlan({
      testbed: bed({}, planned, 6),
      profile: undefined,
      inventory: inventory(),
      sizes: { 't-1': 20 * gib },
      powerOn: false,
    }).items.filter(({ problem }) => problem === null),
  ).toHaveLength(5);
});

test('what is not known is null, never a guess, and does not hinder', () => {
  const { items, stores } = provisionPlan({
    testbed: bed(),
    profile: undefined,
    inventory: inventory({ datastores: [store(1, null)] }),
  });
  expect(items.map(({ needBytes, problem }) => [needBytes, problem])).toEqual([
    [null, null],
    [null, null],
  ]);
  expect(stores).toEqual([{ ref: 'd1', name: 'lun1', count: 2, needBytes: null, freeBytes: null }]);
});

const place = (h: string, d: string) => ({
  host: { ref: h, name: h },
  datastore: { ref: d, name: d },
});
test.each<[string, Testbed, Inventory | null]>([
  ['The testbed has no vCenter', { ...bed(), vcenterId: null }, inventory()],
  ['The vCenter was not discovered yet', bed(), null],
  [
    'tile1-db: a VM of this name exists',
    bed(),
    inventory({ vms: [vm('t-1', 'golden', { template: true }), vm('x', 'Tile1-DB')] }),
  ],
  ['x: the pattern gives this name to several workloads', bed({ namePattern: 'x' }), inventory()],
  ['Name pattern, position 5: { is not closed.', bed({ namePattern: 'tile{tile' }), inventory()],
  ['No template is chosen for db', bed({ templates: {} }), inventory()],
  ['Template golden is not in vCenter', bed(), inventory({ vms: [] })],
  ['Planned host h9 is not in vCenter', bed({}, place('h9', 'd1')), inventory()],
  [
    'Host esx1 cannot be used: it is in maintenance mode',
    bed({}, place('h1', 'd1')),
    inventory({ hosts: [host(1, { maintenance: true }), host(2)] }),
  ],
  [
    'Host esx1 cannot be used: it is not responding',
    bed({}, place('h1', 'd1')),
    inventory({ hosts: [host(1, { connectionState: 'notResponding' })] }),
  ],
  ['Planned datastore d9 is not in vCenter', bed({}, place('h1', 'd9')), inventory()],
  [
    'Datastore lun1 is not accessible',
    bed({}, place('h1', 'd1')),
    inventory({ datastores: [store(1, 100, { accessible: false })] }),
  ],
  [
    'Host esx1 does not mount datastore lun1',
    bed({}, place('h1', 'd1')),
    inventory({ datastores: [store(1, 100, { hostRefs: ['h2'] })] }),
  ],
  [
    'No usable host mounts the datastore',
    bed(),
    inventory({ hosts: [host(1, { maintenance: true }), host(2, { maintenance: true })] }),
  ],
])('%s', (text, testbed, seen) => {
  expect(problemOf(testbed, seen)).toBe(text);
});

test('the maintenance datastore is never chosen', () => {
  const layout = {
    datastores: [
      { ref: 'd1', name: 'lun1' },
      { ref: 'd2', name: 'lun2' },
    ],
    maintenanceDatastore: { ref: 'd2', name: 'lun2' },
  };
  expect(
    provisionPlan({ testbed: bed(layout), profile: undefined, inventory: inventory() }).items.map(
      ({ datastore }) => datastore?.name,
    ),
  ).toEqual(['lun1', 'lun1']);
});

test('time left follows the pace so far; nothing done gives none', () => {
  const item = (
    step: ProvisionJob['items'][number]['step'],
    progressPct: number | null = null,
  ): ProvisionJob['items'][number] => ({
    key: step,
    tileIndex: 0,
    workloadId: 'db',
    name: 'n',
    template: { ref: '', name: '' },
    host: { ref: '', name: '' },
    datastore: { ref: '', name: '' },
    step,
    progressPct,
    error: null,
    note: null,
    vmRef: null,
    taskRef: null,
    startedAtMs: null,
    endedAtMs: null,
  });
  const job = (
    items: ProvisionJob['items'],
    state: ProvisionJob['state'] = 'running',
  ): ProvisionJob => ({
    id: 'j',
    testbedId: 'tb',
    vcenterId: 'vc',
    rev: 1,
    state,
    purpose: 'make',
    options: { powerOn: true, stageSize: 4, stagePauseS: 30 },
    folder: null,
    items,
    startedAtMs: 0,
    endedAtMs: null,
    nowMs: 0,
    error: null,
  });
  expect(
    provisionTimeLeftS(
      job([item('done'), item('cloning', 50), item('waiting'), item('failed')]),
      100_000,
    ),
  ).toBeCloseTo(100);
  // Done by an earlier attempt: no pace of this one.
  expect(
    provisionTimeLeftS(
      { ...job([{ ...item('done'), endedAtMs: 5 }, item('cloning', 50)]), startedAtMs: 10_000 },
      30_000,
    ),
  ).toBeCloseTo(20);
  expect(provisionTimeLeftS(job([item('done'), item('waiting')]), 3_000)).toBeNull();
  expect(provisionTimeLeftS(job([item('waiting')]), 100_000)).toBeNull();
  expect(provisionTimeLeftS(job([item('done')], 'done'), 100_000)).toBeNull();
  expect(
    provisionCounts(job([item('done'), item('cloning'), item('failed'), item('removed')])),
  ).toEqual({
    total: 4,
    done: 1,
    failed: 1,
    cancelled: 0,
    cloned: 0,
    active: 1,
    waiting: 0,
    removed: 1,
  });
});
