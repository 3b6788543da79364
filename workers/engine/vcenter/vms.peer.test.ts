import { poll } from '../../../e2e/lab/poll.ts';
import type { Vcsim } from '../../../e2e/lab/vcsim.ts';
import type { Inventory } from '../../../src/core/testbed/inventory.ts';
import type { TaskFacts, VCenterSession } from '../deps/vcenter.ts';
import { createBench } from './testing/peer.ts';

const bench = createBench();
let vcsim: Vcsim;
let session: VCenterSession;
let inventory: Inventory;
beforeAll(async () => {
  vcsim = await bench.start({ hosts: 3, vms: 4, datastores: 2 });
  session = await bench.connect(vcsim);
  inventory = await session.inventory();
});
afterAll(() => bench.cleanUp());
afterEach(async () => {
  await vcsim.control.clearFaults();
  await vcsim.control.delay({ taskMs: 0, taskMethodMs: {} });
});

const elsewhere = (vm: Inventory['vms'][number]): string =>
  inventory.hosts.find((host) => host.ref !== vm.hostRef)!.ref;

test('events since a time: what, which VM, where it is, by whom; the collector does not stay', async () => {
  const [vm] = inventory.vms;
  const { offsetMs, errorMs } = await session.clockOffset();
  // How well the offset is known depends on how busy the machine is.
  const sinceMs = Date.now() + offsetMs - errorMs;
  await session.relocate(vm!.ref, { hostRef: elsewhere(vm!) });
  await session.power(vm!.ref, false);
  await session.power(vm!.ref, true);
  const askedMs = sinceMs - 30_000;
  const { events, truncated } = await session.events(askedMs);
  expect(truncated).toBe(false);
  expect(
    events
      .filter((event) => event.vmRef === vm!.ref)
      .map((event) => event.type)
      .slice(-3),
  ).toEqual(['VmMigratedEvent', 'VmPoweredOffEvent', 'VmPoweredOnEvent']);
  expect(events.find((event) => event.vmRef === vm!.ref)).toMatchObject({
    vmName: vm!.name,
    user: expect.stringContaining('administrator') as string,
  });
  expect(events.every((event, i) => i === 0 || event.key > events[i - 1]!.key)).toBe(true);
  expect(
    events.every(
      (event) =>
        event.tMs >= askedMs - 1_000 && event.tMs <= Date.now() + offsetMs + errorMs + 1_000,
    ),
  ).toBe(true);
  expect((await session.events(Date.now() + offsetMs + 60_000)).events).toEqual([]);
  const calls = await vcsim.control.calls();
  expect(calls['DestroyCollector']).toBe(calls['CreateCollectorForEvents']);
});

test('which uplinks ports are on is asked of the hosts; the simulator lists their VMs and no ports, and that is told', async () => {
  const { ports, notTold } = await session.vmPorts(inventory.vms.map((vm) => vm.ref));
  expect(ports).toEqual([]);
  expect(new Set(notTold.map(({ hostRef }) => hostRef))).toEqual(
    new Set(inventory.vms.map((vm) => vm.hostRef)),
  );
  for (const { note } of notTold)
    expect(note).toMatch(/^esxcli network vm port list: .*not be found/);
});

test('a running task is seen by another session, with its times; a cancelled one may end later; one that is forgotten is null', async () => {
  const vm = inventory.vms[1]!;
  const other = await bench.connect(vcsim);
  // Long enough to be looked at, however slow who looks is.
  await vcsim.control.delay({ taskMethodMs: { RelocateVm: 8_000 } });
  const facts: TaskFacts[] = [];
  const refs: string[] = [];
  const moved = session.relocate(vm.ref, { hostRef: elsewhere(vm) }, undefined, {
    onTask: (ref) => refs.push(ref),
    onFacts: (task) => facts.push(task),
  });
  const open = await poll(
    'the running task',
    async () =>
      (await other.tasks([vm.ref, 'vm-none'])).find((task) => task.state === 'running') ?? null,
  );
  expect(open).toMatchObject({
    ref: refs[0],
    entityRef: vm.ref,
    operation: 'VirtualMachine.relocateVm',
    completedMs: null,
  });
  await moved;
  const ended = (await other.task(refs[0]!))!;
  expect(ended).toMatchObject({ state: 'success' });
  expect(ended.completedMs! - ended.startedMs!).toBeGreaterThanOrEqual(7_900);
  expect(facts.map((task) => task.state)).toEqual(['running', 'success']);
  expect(await other.task('task-none')).toBeNull();
  expect(await other.tasks(['vm-none'])).toEqual([]);
});

test('places of many VMs in one call; those that are gone are left out', async () => {
  const places = await session.placements([...inventory.vms.map((vm) => vm.ref), 'vm-none']);
  expect([...places.keys()].sort()).toEqual(inventory.vms.map((vm) => vm.ref).sort());
  expect(
    [...places.values()].every(
      (place) => place.poweredOn && inventory.hosts.some((host) => host.ref === place.hostRef),
    ),
  ).toBe(true);
});

test('DRS is read, set and set back; what is null stays', async () => {
  const { ref } = inventory.clusters[0]!;
  const before = await session.drs(ref);
  expect(before.enabled).toBe(true);
  await session.setDrs(ref, { enabled: true, behavior: 'manual', vmotionRate: null });
  expect(await session.drs(ref)).toMatchObject({ enabled: true, behavior: 'manual' });
  await session.setDrs(ref, { enabled: false, behavior: null, vmotionRate: null });
  expect(await session.drs(ref)).toMatchObject({ enabled: false, behavior: 'manual' });
  await session.setDrs(ref, {
    enabled: true,
    behavior: before.behavior ?? 'fullyAutomated',
    vmotionRate: null,
  });
  await expect(session.drs('domain-none')).rejects.toMatchObject({ kind: 'notFound' });
});

test('a clone is customised by a specification of the vCenter; one that is not there is named', async () => {
  const vm = inventory.vms[2]!;
  const clone = await session.clone(vm.ref, 'customised', { customization: 'vcsim-linux' });
  await session.power(clone, true);
  await poll('the end of the customisation', async () =>
    (await session.inventory()).vms.find((one) => one.ref === clone)?.powerState === 'poweredOn'
      ? true
      : null,
  );
  await session.power(clone, false);
  await session.destroy(clone);
  await expect(
    session.clone(vm.ref, 'never', { customization: 'none of that name' }),
  ).rejects.toMatchObject({
    kind: 'notFound',
    message: expect.stringContaining('none of that name') as string,
  });
});

test.each([
  [
    'as a fault',
    () =>
      vcsim.control.fault({
        method: 'CreateCollectorForEvents',
        type: 'notAuthenticated',
        count: 1,
      }),
  ],
  ['as missing properties', () => vcsim.control.expireSessions()],
])('a session that expired %s is renewed', async (_how, expire) => {
  await expire();
  expect((await session.events(Date.now() - 3_600_000)).events.length).toBeGreaterThan(0);
  expect((await session.placements(inventory.vms.map((vm) => vm.ref))).size).toBe(
    inventory.vms.length,
  );
  expect((await session.tasks(inventory.vms.map((vm) => vm.ref))).length).toBeGreaterThan(0);
});
