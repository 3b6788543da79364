import { poll } from '../../../e2e/lab/poll.ts';
import type { Vcsim } from '../../../e2e/lab/vcsim.ts';
import type { Inventory } from '../../../src/core/testbed/inventory.ts';
import type { VCenterSession } from '../deps/vcenter.ts';
import { createBench } from './testing/peer.ts';

const bench = createBench();
let vcsim: Vcsim;
let session: VCenterSession;
beforeAll(async () => {
  vcsim = await bench.start({ clusters: 2, hosts: 4, vms: 6, datastores: 2 });
  session = await bench.connect(vcsim);
});
afterAll(() => bench.cleanUp());
afterEach(async () => {
  await vcsim.control.clearFaults();
  await vcsim.control.delay({ taskMs: 0 });
});

/** Longer than any test may take: such a task ends only because something ends it. */
const foreverMs = 3_600_000;
const callsOf = async (method: string, of = vcsim): Promise<number> =>
  (await of.control.calls())[method] ?? 0;
/** Waits until vCenter was asked for one task more. */
const asked = (method: string, before: number, of = vcsim): Promise<unknown> =>
  poll(`${method} is called`, async () => (await callsOf(method, of)) > before);

const read = async (ref: string): Promise<Inventory['vms'][number] | undefined> =>
  (await session.inventory()).vms.find((vm) => vm.ref === ref);
/**
 * Each test has a VM of its own: the simulator counts a datastore as used for ever once a VM was on
 * it and moved host.
 */
async function parts(index: number) {
  const inventory = await session.inventory();
  const vm = inventory.vms.filter((one) => /_VM\d$/.test(one.name))[index]!;
  const clusterOf = (hostRef: string | null): string | null =>
    inventory.hosts.find((h) => h.ref === hostRef)!.clusterRef;
  return {
    vm,
    neighbour: inventory.hosts.find(
      (h) => h.ref !== vm.hostRef && h.clusterRef === clusterOf(vm.hostRef),
    )!.ref,
    stranger: inventory.hosts.find((h) => h.clusterRef !== clusterOf(vm.hostRef))!.ref,
    otherStore: inventory.datastores.find((d) => !vm.datastoreRefs.includes(d.ref))!.ref,
  };
}

test('vMotion within the cluster, to another cluster, and Storage vMotion', async () => {
  const { vm, neighbour, stranger, otherStore } = await parts(0);
  await session.relocate(vm.ref, { hostRef: neighbour });
  expect(await session.placement(vm.ref)).toMatchObject({
    hostRef: neighbour,
    datastoreRefs: vm.datastoreRefs,
    poweredOn: true,
  });
  await expect(session.placement('vm-none')).rejects.toMatchObject({ kind: 'notFound' });
  expect(await read(vm.ref)).toMatchObject({ hostRef: neighbour, datastoreRefs: vm.datastoreRefs });
  await session.relocate(vm.ref, { hostRef: stranger });
  expect(await read(vm.ref)).toMatchObject({ hostRef: stranger });
  await session.relocate(vm.ref, { datastoreRef: otherStore });
  expect(await read(vm.ref)).toMatchObject({ hostRef: stranger, datastoreRefs: [otherStore] });
  await expect(session.relocate(vm.ref, {})).rejects.toMatchObject({ kind: 'invalidInput' });
  await expect(session.relocate('vm-none', { hostRef: neighbour })).rejects.toMatchObject({
    kind: 'notFound',
  });
});

test('clone, power, snapshot, destroy', async () => {
  const { vm, otherStore } = await parts(1);
  const clone = await session.clone(vm.ref, 'clone & <1>', { datastoreRef: otherStore });
  expect(await read(clone)).toMatchObject({
    name: 'clone & <1>',
    powerState: 'poweredOff',
    datastoreRefs: [otherStore],
  });
  await expect(session.clone(vm.ref, 'clone & <1>', {})).rejects.toMatchObject({
    kind: 'conflict',
  });

  await session.power(clone, true);
  await session.power(clone, true);
  expect(await read(clone)).toMatchObject({ powerState: 'poweredOn' });
  await expect(session.destroy(clone)).rejects.toMatchObject({
    kind: 'conflict',
    details: { fault: 'InvalidPowerState' },
  });

  const first = await session.snapshot(clone, 'one');
  const second = await session.snapshot(clone, 'two');
  expect((await read(clone))!.snapshotCount).toBe(2);
  await session.removeSnapshot(second);
  await session.removeSnapshot(first);
  expect((await read(clone))!.snapshotCount).toBe(0);

  await session.power(clone, false);
  await session.destroy(clone);
  expect(await read(clone)).toBeUndefined();
});

test('a session that expires while a task runs does not end the wait for it', async () => {
  const { vm, neighbour } = await parts(2);
  await vcsim.control.delay({ taskMs: 3_000 });
  const before = await callsOf('RelocateVM_Task');
  const moved = session.relocate(vm.ref, { hostRef: neighbour });
  await asked('RelocateVM_Task', before);
  await vcsim.control.expireSessions();
  await moved;
  expect((await read(vm.ref))!.hostRef).toBe(neighbour);
});

test('a cancelled task ends at once and is cancelled in vCenter', async () => {
  const { vm, otherStore } = await parts(3);
  await vcsim.control.delay({ taskMs: foreverMs });
  const stop = new AbortController();
  const before = await callsOf('RelocateVM_Task');
  const moved = session.relocate(vm.ref, { datastoreRef: otherStore }, stop.signal);
  const outcome = expect(moved).rejects.toMatchObject({ kind: 'aborted' });
  await asked('RelocateVM_Task', before);
  stop.abort();
  await outcome;
  expect(await callsOf('CancelTask')).toBe(1);
});

test.each([
  ['noPermission', 'authFailed'],
  ['resourceInUse', 'conflict'],
  ['generic', 'internal'],
] as const)('fault %s is %s', async (type, kind) => {
  const { vm } = await parts(4);
  await vcsim.control.fault({ method: 'CreateSnapshot_Task', type, count: 1, message: 'as told' });
  await expect(session.snapshot(vm.ref, 's')).rejects.toMatchObject({ kind });
});

test('a killed vCenter is unreachable at once, also in the middle of a task, and works again when it is back', async () => {
  const first = await bench.start({ hosts: 2, vms: 2, taskDelayMs: foreverMs });
  const open = await bench.connect(first);
  const { vms, datastores } = await open.inventory();
  const waiting = open.relocate(vms[0]!.ref, {
    datastoreRef: datastores.find((d) => !vms[0]!.datastoreRefs.includes(d.ref))!.ref,
  });
  const outcome = waiting.then(
    () => null,
    (error: unknown) => error,
  );
  await asked('RelocateVM_Task', 0, first);
  await first.kill();
  expect(await outcome).toMatchObject({ kind: 'unreachable' });
  await expect(open.inventory()).rejects.toMatchObject({ kind: 'unreachable' });
  await expect(open.perf([{ kind: 'host', ref: 'host-1' }], 0)).rejects.toMatchObject({
    kind: 'unreachable',
  });
  const second = await first.restart();
  try {
    expect(second.port).toBe(first.port);
    expect((await open.inventory()).vms).toHaveLength(2);
  } finally {
    await second.stop();
  }
});

test('logout ends the session in vCenter and can be done twice', async () => {
  const open = await bench.connect(vcsim);
  const before = (await vcsim.control.calls())['Logout'] ?? 0;
  await open.logout();
  await open.logout();
  expect((await vcsim.control.calls())['Logout']).toBe(before + 1);
  await expect(open.inventory()).rejects.toMatchObject({ kind: 'conflict' });
});
