import { type ErrorKind, fail } from '../../../../src/core/base/errors.ts';
import type { RunOverview } from '../../../../src/core/run/run.ts';
import { isEnd } from '../../../../src/core/run/states.ts';
import { createHarness, type Harness } from '../../testing/engineHarness.ts';
import type { RunLimits } from '../context.ts';
import { meaningOf, retryPauseMs } from './retry.ts';
import { taskTimes } from './stuck.ts';
import { infraPlan } from './testing/infraPlan.ts';

let harness: Harness;
afterEach(async () => {
  await harness?.close();
});
const open = async (limits: Partial<RunLimits> = {}): Promise<void> => {
  harness = await createHarness({ limits });
};
const untilEnd = async (id: string): Promise<RunOverview> => {
  await harness.clock.advanceUntil(
    () => isEnd(harness.overviews.findLast((o) => o.id === id)?.state ?? 'draft'),
    3_000_000,
  );
  return harness.overview(id);
};
const text = (overview: RunOverview, id: string): string =>
  overview.findings.find((f) => f.id === id)?.text ?? '';
const count = (overview: RunOverview, id: string): number =>
  Number(/: (\d+) done/.exec(text(overview, id))?.[1]);
/** Nothing of the run is left in vCenter, and no VM was in two operations. */
function nothingLeft(): void {
  expect(
    harness.lab.inventory.vms
      .filter((vm) => vm.name.startsWith('tb-') || vm.datastoreRefs.includes('datastore-2'))
      .map((vm) => vm.name),
  ).toEqual([]);
  expect(harness.lab.operations.overlaps).toEqual([]);
}
const passing: [string, ErrorKind][] = [
  ['ResourceInUse', 'conflict'],
  ['InvalidState', 'conflict'],
  ['Timedout', 'timedOut'],
  ['NotAuthenticated', 'authFailed'],
];

test.each(passing)(
  '%s: the same VM is tried again with a growing pause; only what succeeded counts',
  async (fault, kind) => {
    await open();
    const tries: { vmRef: string; atMs: number }[] = [];
    harness.lab.operations.setFault(async (name, vmRef) => {
      if (name !== 'relocate' || tries.length >= 3) return;
      tries.push({ vmRef, atMs: harness.clock.now() });
      if (tries.length < 3) throw fail(kind, `refused (${fault})`, undefined, { fault });
    });
    const id = await harness.launch(
      infraPlan({ operations: ['vmotion'], targets: { vmotionVmRefs: ['vm-0'] }, steadyS: 120 }),
    );
    const overview = await untilEnd(id);
    expect(tries.map((one) => one.vmRef)).toEqual(['vm-0', 'vm-0', 'vm-0']);
    expect(tries.slice(1).map((one, i) => one.atMs - tries[i]!.atMs)).toEqual([5_000, 15_000]);
    expect(text(overview, 'infra.vmotion')).toMatch(
      /: [45] done in 1 loop over 2 periods, mean 20\.0 s; 0 failed, 2 tries repeated/,
    );
    expect(
      overview.events.filter((e) => e.operation?.ok).map((e) => e.operation!.attempts)[0],
    ).toBe(3);
    nothingLeft();
  },
);

test('a VM that always fails: after the last try the loop takes the other one, and this one rests', async () => {
  await open();
  const tries: string[] = [];
  harness.lab.operations.setFault(async (name, vmRef) => {
    if (name !== 'relocate') return;
    tries.push(vmRef);
    if (vmRef === 'vm-0') throw fail('conflict', 'in use', undefined, { fault: 'ResourceInUse' });
  });
  const id = await harness.launch(infraPlan({ operations: ['vmotion'] }));
  const overview = await untilEnd(id);
  expect(tries.slice(0, 6)).toEqual(['vm-0', 'vm-0', 'vm-0', 'vm-0', 'vm-1', 'vm-1']);
  expect(count(overview, 'infra.vmotion')).toBe(tries.filter((ref) => ref === 'vm-1').length);
  expect(text(overview, 'infra.vmotion')).toMatch(
    /[12] failed, [36] tries repeated; last failure: in use/,
  );
  nothingLeft();
});

test('what would fail again is not tried again at once', () => {
  expect(meaningOf(fail('authFailed', 'x', undefined, { fault: 'NoPermission' }))).toBe('final');
  expect(meaningOf(fail('notFound', 'x'))).toBe('final');
  expect(meaningOf(fail('unreachable', 'x'))).toBe('unknown');
  expect(meaningOf(fail('timedOut', 'x'))).toBe('unknown');
  expect([1, 2, 3].map((n) => retryPauseMs(5_000, n))).toEqual([5_000, 15_000, 45_000]);
});

test('a cut connection: the task that runs on is waited for and counted once; nothing is begun on its VM meanwhile', async () => {
  await open();
  const { operations } = harness.lab;
  operations.vms.setLinger(90_000);
  let cut = 0;
  operations.setFault(async (name, vmRef) => {
    if (name === 'relocate' && vmRef === 'vm-0' && (cut += 1) === 1)
      throw fail('unreachable', 'connection reset');
  });
  const id = await harness.launch(infraPlan({ operations: ['vmotion'] }));
  await harness.clock.advanceUntil(() => cut === 1, 60_000);
  await harness.clock.advance(60_000);
  expect(text(await harness.overview(id), 'infra.unknown.vm-0')).toMatch(
    /^vmotion of vm0: connection reset\. vm0 is left alone until task fake-task-1 has ended\.$/,
  );
  operations.vms.setLinger(0);
  const overview = await untilEnd(id);
  expect(text(overview, 'infra.unknown.vm-0')).toMatch(
    /Its task ended well after \d+ s; the VM takes part again/,
  );
  expect(text(overview, 'infra.vmotion')).toContain('0 failed');
  // The one that was cut off, and every other call of the steady state.
  expect(count(overview, 'infra.vmotion')).toBe(
    overview.events.filter((e) => e.operation?.ok).length,
  );
  expect(
    overview.events.filter((e) => e.operation?.ok && e.operation.tookMs === 90_000),
  ).toHaveLength(1);
  nothingLeft();
});

test('a stuck task is cancelled and told; the loop goes on with the other VM until it has ended', async () => {
  await open({ stuckTaskMs: 30_000 });
  const { operations } = harness.lab;
  operations.vms.setLinger(100_000);
  let hangs = 0;
  const began: string[] = [];
  operations.setFault(async (name, vmRef, signal) => {
    if (name !== 'relocate') return;
    began.push(vmRef);
    if (vmRef === 'vm-0' && (hangs += 1) === 1) await harness.clock.sleep(3_600_000, signal);
  });
  const id = await harness.launch(infraPlan({ operations: ['vmotion'] }));
  await harness.clock.advanceUntil(() => hangs === 1, 60_000);
  await harness.clock.advance(120_000);
  expect(text(await harness.overview(id), 'infra.stuck.vm-0')).toMatch(
    /no progress for 0\.5 min, cancelled\. vm0 is left alone until task fake-task-1 has ended/,
  );
  expect(began.slice(1).length).toBeGreaterThan(2);
  expect(began.slice(1).every((ref) => ref === 'vm-1')).toBe(true);
  operations.vms.setLinger(0);
  const overview = await untilEnd(id);
  expect(hangs).toBeGreaterThan(1);
  expect(text(overview, 'infra.vmotion')).toContain('1 failed');
  expect(text(overview, 'infra.stuck.vm-0')).toContain('the VM takes part again');
  nothingLeft();
});

test('a task that is still stuck at the end: the clean-up waits for it before it touches the VM', async () => {
  await open({ stuckTaskMs: 30_000 });
  const { operations } = harness.lab;
  operations.vms.setLinger(600_000);
  operations.setFault(async (name, vmRef, signal) => {
    if (
      name === 'relocate' &&
      vmRef === 'vm-2' &&
      harness.lab.inventory.vms[2]!.datastoreRefs[0] === 'datastore-1'
    )
      await harness.clock.sleep(3_600_000, signal);
  });
  const id = await harness.launch(
    infraPlan({
      operations: ['storageVmotion'],
      targets: { storageVmotion: { vmRefs: ['vm-2'], datastoreRef: 'datastore-2' } },
    }),
  );
  const overview = await untilEnd(id);
  expect(text(overview, 'infra.storageVmotion')).toMatch(/: 0 done .* 1 failed/);
  expect(overview.findings.map((f) => f.id)).not.toContain('infra.restore');
  nothingLeft();
});

test('after a restart of the engine its running task is found, waited for and counted; no second operation begins on the VM', async () => {
  await open();
  const { operations } = harness.lab;
  const id = await harness.launch(
    infraPlan({ operations: ['vmotion'], targets: { vmotionVmRefs: ['vm-0'] } }),
  );
  await harness.clock.advanceUntil(() => (operations.calls.get('relocate') ?? 0) === 2, 600_000);
  await harness.clock.advance(5_000);
  operations.vms.setLinger(70_000);
  await harness.restart();
  operations.vms.setLinger(0);
  await harness.clock.advance(60_000);
  expect(operations.calls.get('relocate')).toBe(2);
  expect(text(await harness.overview(id), 'infra.adopt')).toMatch(
    /1 task of this run, begun before the engine was restarted\. No second operation/,
  );
  const overview = await untilEnd(id);
  expect(count(overview, 'infra.vmotion')).toBeGreaterThan(1);
  nothingLeft();
});

test('a vCenter that is away when the operations would begin: they wait, and run when it is back', async () => {
  await open();
  const id = await harness.launch(infraPlan({ operations: ['vmotion'] }));
  await harness.clock.advance(5_000);
  harness.lab.setVcenter(false);
  await harness.clock.advance(60_000);
  expect(harness.lab.operations.calls.get('relocate') ?? 0).toBe(0);
  harness.lab.setVcenter(true);
  const overview = await untilEnd(id);
  expect(count(overview, 'infra.vmotion')).toBeGreaterThan(3);
  nothingLeft();
});

test("vCenter's own times: queue and run summed over the tasks of an operation, null where it gave none", () => {
  const task = {
    ref: 't',
    chainId: null,
    entityRef: 'vm',
    operation: 'o',
    state: 'success' as const,
    progressPct: null,
  };
  expect(
    taskTimes([
      { ...task, queuedMs: 0, startedMs: 5, completedMs: 25 },
      { ...task, queuedMs: 30, startedMs: 31, completedMs: null },
    ]),
  ).toEqual({ queuedMs: 6, ranMs: 20 });
  expect(taskTimes([{ ...task, queuedMs: null, startedMs: 5, completedMs: null }])).toEqual({
    queuedMs: null,
    ranMs: null,
  });
});
