import { inventorySchema } from '../../../../src/core/testbed/inventory.ts';
import type { VCenterSession } from '../../deps/vcenter.ts';
import { createVirtualClock, type VirtualClock } from '../clock.ts';
import { createSimLab, type SimLab } from '../index.ts';
import { createLabModel } from '../model/model.ts';
import { smallLab } from '../testing/smallLab.ts';

let clock: VirtualClock;
let lab: SimLab;
let session: VCenterSession;
const connection = {
  kind: 'vcenter' as const,
  id: 'vc',
  name: 'vc',
  host: 'small.sim',
  port: 443,
  user: 'u',
  password: { keychain: 'x' },
};
beforeEach(async () => {
  clock = createVirtualClock({ startMs: Date.UTC(2026, 0, 5), speed: null, paused: false });
  lab = createSimLab({ clock, createModel: createLabModel });
  lab.control.load(smallLab);
  session = await lab.edges.vcenter.connect(connection, 'any');
});
afterEach(() => clock.close());

const vm = async (ref: string) => (await session.inventory()).vms.find((one) => one.ref === ref);
async function taken(work: () => Promise<unknown>): Promise<number> {
  const from = clock.now();
  await work();
  return (clock.now() - from) / 1_000;
}

test('a VM moves to another host in the time its memory takes, and is there afterwards', async () => {
  expect(await taken(() => session.relocate('t1-java', { hostRef: 'h2' }))).toBeGreaterThan(5);
  expect(await vm('t1-java')).toMatchObject({ hostRef: 'h2', powerState: 'poweredOn' });
});

test('a clone takes longer than a move, is powered off, can be powered on and destroyed', async () => {
  const cloned = await taken(() => session.clone('t1-java', 'fresh', {}));
  expect(cloned).toBeGreaterThan(await taken(() => session.relocate('t1-java', { hostRef: 'h2' })));
  expect(await vm('fresh')).toMatchObject({ powerState: 'poweredOff', vcpus: 2 });
  await session.power('fresh', true);
  expect(await vm('fresh')).toMatchObject({ powerState: 'poweredOn', ip: 'fresh.small.sim' });
  expect(await taken(() => session.power('fresh', true))).toBe(0);
  await session.power('fresh', false);
  await session.destroy('fresh');
  expect(await vm('fresh')).toBeUndefined();
});

test('a snapshot is counted until it is removed', async () => {
  const ref = await session.snapshot('t1-mail', 'before');
  expect(await vm('t1-mail')).toMatchObject({ snapshotCount: 1 });
  await session.removeSnapshot(ref);
  expect(await vm('t1-mail')).toMatchObject({ snapshotCount: 0 });
});

test('the inventory is as deep as a real one: valid, told apart by its own ids, a lost path in it', async () => {
  const inventory = await session.inventory();
  expect(inventorySchema.parse(inventory)).toEqual(inventory);
  expect(inventory.hosts.map((h) => [h.uuid, h.hbas[0]?.queueDepth])).toEqual([
    ['sim-small-h1', 64],
    ['sim-small-h2', 64],
  ]);
  expect(inventory.vms[0]).toMatchObject({
    instanceUuid: 'sim-small-t1-java',
    disks: [{ sizeBytes: 10 * 2 ** 30, datastoreRef: 'd1' }],
    nics: [{ type: 'VirtualVmxnet3' }],
    cpu: { shares: 2_000 },
  });
  expect(inventory.datastores[0]!.luns[0]).toMatchObject({ paths: 2, activePaths: 2 });
  lab.control.addFault('small', {
    id: 'cut',
    kind: 'pathLost',
    targetId: 'l1',
    fromS: 0,
    toS: 60,
    amount: 1,
  });
  expect((await session.inventory()).datastores[0]!.luns[0]).toMatchObject({
    paths: 2,
    activePaths: 1,
  });
});

test('counters: complete 20 s intervals only, an hour back at most, each host and uplink and datastore', async () => {
  await clock.sleep(4_000_007);
  const all = await session.perf(
    [
      { kind: 'host', ref: 'h1' },
      { kind: 'datastore', ref: 'd1' },
    ],
    0,
  );
  const byMetric = new Map(
    all.map((one) => [
      `${one.ref}${one.instance ? `/${one.instance}` : ''} ${one.metric}`,
      one.points,
    ]),
  );
  expect([...byMetric.keys()].sort()).toEqual([
    'd1 deviceLatencyMs',
    'd1 iops',
    'd1 kernelLatencyMs',
    'd1 queueLatencyMs',
    'd1 readIops',
    'd1 writeIops',
    'h1 balloonMb',
    'h1 cpuBusyPct',
    'h1 cpuPct',
    'h1 memoryPct',
    'h1 netKbps',
    'h1 powerW',
    'h1 readyPct',
    'h1 swapInKBps',
    'h1 swapMb',
    'h1/vmnic0 droppedRxPerS',
    'h1/vmnic0 droppedTxPerS',
    'h1/vmnic0 netKbps',
    'h1/vmnic0 packetsRxPerS',
    'h1/vmnic0 packetsTxPerS',
  ]);
  const cpu = byMetric.get('h1 cpuPct')!;
  expect(cpu.length).toBeGreaterThanOrEqual(179);
  expect(cpu.length).toBeLessThanOrEqual(180);
  expect(cpu.every(({ tMs }) => tMs % 20_000 === 0 && tMs <= clock.now())).toBe(true);
  const since = cpu.at(-2)!.tMs;
  expect(
    (await session.perf([{ kind: 'host', ref: 'h1' }], since)).find(
      (one) => one.metric === 'cpuPct',
    )!.points,
  ).toEqual([cpu.at(-1)]);
});

test.each([
  ['an unknown VM', () => session.relocate('nobody', { hostRef: 'h1' }), 'notFound'],
  ['an unknown host', () => session.relocate('t1-java', { hostRef: 'h9' }), 'notFound'],
  ['no target', () => session.relocate('t1-java', {}), 'invalidInput'],
  ['a name that is taken', () => session.clone('t1-java', 't1-mail', {}), 'conflict'],
  ['an unknown snapshot', () => session.removeSnapshot('snapshot-9'), 'notFound'],
])('%s is refused', async (_what, act, kind) => {
  await expect(act()).rejects.toMatchObject({ kind });
});

test("while vCenter is away every call is unreachable, the open session's and a new one's", async () => {
  lab.control.addFault('small', {
    id: 'away',
    kind: 'vcenterAway',
    targetId: 'vcenter',
    fromS: 0,
    toS: 60,
    amount: 1,
  });
  await expect(session.inventory()).rejects.toMatchObject({ kind: 'unreachable' });
  await expect(lab.edges.vcenter.connect(connection, 'any')).rejects.toMatchObject({
    kind: 'unreachable',
  });
  await clock.sleep(60_000);
  expect((await session.inventory()).hosts).toHaveLength(2);
});
