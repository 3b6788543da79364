import { fail } from '../../../../src/core/base/errors.ts';
import type { Plan, PlanFile } from '../../../../src/core/plan/plan.ts';
import { leftBehind } from '../../../../src/core/run/leftBehind.ts';
import type { RunOverview } from '../../../../src/core/run/run.ts';
import { isEnd } from '../../../../src/core/run/states.ts';
import { createHarness, type Harness, testPlanFile } from '../../testing/engineHarness.ts';
import { startMoves } from './startPlaces.ts';

// Virtual minutes of a whole engine each, on a machine that may be busy.
let harness: Harness;
afterEach(async () => {
  await harness?.close();
});
const wish: NonNullable<Plan['drs']> = {
  clusterRef: 'domain-c1',
  behavior: 'manual',
  vmotionRate: 1,
  consentedAtMs: 1,
};
function file(change: Partial<Plan> = {}): PlanFile {
  const base = testPlanFile({
    phases: { rampUpS: 10, staggerS: 0, steadyS: 60, periods: 1, rampDownS: 5 },
    ...change,
  });
  if (change.startPlacement !== 'planned') return base;
  const tiles = base.testbed.tiles.map((tile) => ({
    ...tile,
    workloads: tile.workloads.map((w) => ({
      ...w,
      planned: { host: { ref: 'host-2', name: 'esx-host-2' }, datastore: null },
    })),
  }));
  return { ...base, testbed: { ...base.testbed, tiles } };
}
const ended = (id: string) => (): boolean =>
  isEnd(harness.overviews.findLast((o) => o.id === id)?.state ?? 'draft');
const untilState = (id: string, state: RunOverview['state']): Promise<void> =>
  harness.clock.advanceUntil(
    () => harness.overviews.findLast((o) => o.id === id)?.state === state,
    600_000,
  );
const finish = async (id: string): Promise<RunOverview> => {
  await harness.clock.advanceUntil(ended(id), 2_000_000);
  return harness.overview(id);
};
const cluster = () => {
  const { drsEnabled, drsBehavior, drsVmotionRate } = harness.lab.inventory.clusters[0]!;
  return [drsEnabled, drsBehavior, drsVmotionRate];
};
const hostsOf = (refs: readonly string[]): (string | null)[] =>
  harness.lab.inventory.vms.filter((vm) => refs.includes(vm.ref)).map((vm) => vm.hostRef);
const own = ['vm-0', 'vm-1', 'vm-2', 'vm-3'];

describe('the setting of DRS', () => {
  test('is noted before it is changed, holds during the run and is put back at its end', async () => {
    harness = await createHarness();
    const id = await harness.launch(file({ drs: wish }));
    await untilState(id, 'rampUp');
    expect(cluster()).toEqual([true, 'manual', 1]);
    const record = await harness.call('run.record', { id });
    expect(record.drsBefore).toMatchObject({
      clusterRef: 'domain-c1',
      clusterName: 'Cluster',
      enabled: true,
      behavior: 'fullyAutomated',
      vmotionRate: 3,
      restoredAtMs: null,
    });
    expect(record.drsBefore!.atMs).toBeLessThanOrEqual(harness.lab.operations.vms.drsSet[0]!.atMs);
    const overview = await finish(id);
    expect(cluster()).toEqual([true, 'fullyAutomated', 3]);
    expect(
      overview.events.filter((e) => e.kind === 'drs').map((e) => `${e.by}: ${e.text}`),
    ).toEqual([
      'run: DRS of Cluster: fully automated, threshold 3 of 5 → manual, threshold 1 of 5',
      'run: DRS of Cluster is back: fully automated, threshold 3 of 5',
    ]);
  });
  test('is put back after an abort', async () => {
    harness = await createHarness();
    const id = await harness.launch(file({ drs: { ...wish, behavior: 'off' } }));
    await untilState(id, 'steady');
    expect(cluster()[0]).toBe(false);
    await harness.call('run.abort', { id, hard: true });
    await finish(id);
    expect(cluster()).toEqual([true, 'fullyAutomated', 3]);
  });
  test.each(['steady', 'starting'] as const)(
    'is put back by the next engine, where the first was lost in %s',
    async (state) => {
      harness = await createHarness();
      if (state === 'starting')
        harness.lab.operations.setFault(async (name, _ref, signal) => {
          if (name === 'relocate') await harness.clock.sleep(3_600_000, signal);
        });
      const id = await harness.launch(
        file({ drs: wish, ...(state === 'starting' ? { startPlacement: 'planned' } : {}) }),
      );
      await untilState(id, state);
      await harness.clock.advance(2_000);
      expect(cluster()[1]).toBe('manual');
      harness.lab.operations.setFault(async () => undefined);
      await harness.restart();
      await finish(id);
      expect(cluster()).toEqual([true, 'fullyAutomated', 3]);
      expect((await harness.call('run.record', { id })).drsBefore!.restoredAtMs).not.toBeNull();
    },
  );
  test('that cannot be put back is a finding with the fix; one that is refused ends the start', async () => {
    harness = await createHarness();
    const id = await harness.launch(file({ drs: wish }));
    await untilState(id, 'steady');
    harness.lab.operations.vms.setDrsFault(() => {
      throw fail('authFailed', 'The vCenter user lacks a privilege.');
    });
    const overview = await finish(id);
    expect(overview.findings.find((f) => f.id === 'drs.restore')).toMatchObject({
      severity: 'warn',
      text: expect.stringContaining('lacks a privilege') as string,
      fix: 'In vCenter, set vSphere DRS of Cluster to fully automated, threshold 3 of 5.',
    });
    const second = await finish(await harness.launch(file({ drs: wish })));
    expect([second.state, second.startedAtMs]).toEqual(['failed', null]);
    expect(second.verdict!.sentence).toContain('lacks a privilege');
  });
  test('that could not be put back is put back later, on request', async () => {
    harness = await createHarness();
    const id = await harness.launch(file({ drs: wish }));
    await untilState(id, 'steady');
    const refuse = (): never => {
      throw fail('authFailed', 'The vCenter user lacks a privilege.');
    };
    harness.lab.operations.vms.setDrsFault(refuse);
    await expect(harness.call('run.tidy', { id })).rejects.toMatchObject({ kind: 'conflict' });
    await finish(id);
    await harness.clock.advance(3_600_000);
    const still = await harness.call('run.tidy', { id });
    expect(leftBehind(still).map((f) => f.id)).toEqual(['drs.restore']);
    expect(cluster()).toEqual([true, 'manual', 1]);
    harness.lab.operations.vms.setDrsFault(null);
    const overview = await harness.call('run.tidy', { id });
    expect(cluster()).toEqual([true, 'fullyAutomated', 3]);
    expect(overview.findings.find((f) => f.id === 'drs.restore')).toMatchObject({
      severity: 'info',
      text: expect.stringContaining('It was put right later.') as string,
    });
    expect((await harness.call('run.record', { id })).drsBefore!.restoredAtMs).toBe(
      harness.clock.now(),
    );
    await expect(harness.call('run.tidy', { id })).rejects.toMatchObject({
      kind: 'conflict',
      message: expect.stringContaining('left nothing behind') as string,
    });
  });
  test('a running run is not disturbed by tidying up after an earlier one, and what is tidied is not run on', async () => {
    harness = await createHarness();
    const { vms } = harness.lab.operations;
    const first = await harness.launch(file({ drs: wish }));
    await untilState(first, 'steady');
    vms.setDrsFault(() => {
      throw fail('authFailed', 'The vCenter user lacks a privilege.');
    });
    await finish(first);
    const second = await harness.launch(file());
    await untilState(second, 'rampUp');
    await expect(harness.call('run.tidy', { id: first })).rejects.toMatchObject({
      kind: 'conflict',
      message: expect.stringContaining('is running on the same testbed') as string,
    });
    await finish(second);
    vms.setDrsFault(null);
    expect(leftBehind(await harness.call('run.tidy', { id: first }))).toEqual([]);
  });
});

describe('the start placement', () => {
  test('all on one host: DRS is manual while VMs move, as wished before the load, and VMs go back where no DRS decides', async () => {
    harness = await createHarness();
    harness.lab.inventory.clusters[0]!.drsBehavior = 'manual';
    const before = hostsOf(own);
    const id = await harness.launch(
      file({
        drs: { ...wish, behavior: 'fullyAutomated' },
        startPlacement: { allOnHostRef: 'host-1' },
      }),
    );
    await untilState(id, 'rampUp');
    expect(hostsOf(own)).toEqual(['host-1', 'host-1', 'host-1', 'host-1']);
    expect(harness.lab.operations.vms.drsSet.map((set) => set.behavior)).toEqual([
      'manual',
      'fullyAutomated',
    ]);
    const overview = await finish(id);
    expect(overview.findings.find((f) => f.id === 'placement')?.text).toBe(
      '2 of 2 VMs moved to where the plan starts them.',
    );
    expect(overview.placement!.moves.filter((move) => move.by === 'start')).toHaveLength(4);
    expect(hostsOf(own)).toEqual(before);
    expect(overview.state).toBe('passed');
  });
  test('as planned: VMs stay there after the run', async () => {
    harness = await createHarness();
    harness.lab.inventory.clusters[0]!.drsBehavior = 'manual';
    const id = await harness.launch(file({ startPlacement: 'planned' }));
    await finish(id);
    expect(hostsOf(own)).toEqual(['host-2', 'host-2', 'host-2', 'host-2']);
    expect(harness.lab.operations.vms.drsSet).toEqual([]);
  });
  test('a move that vCenter refuses blocks the start, and what cannot be met is said before anything moves', async () => {
    harness = await createHarness();
    harness.lab.inventory.clusters[0]!.drsBehavior = 'manual';
    harness.lab.operations.setFault(async (name, ref) => {
      if (name === 'relocate' && ref === 'vm-2') throw fail('invalidInput', 'no shared network');
    });
    const before = structuredClone(harness.lab.inventory.vms);
    const given = file({ startPlacement: 'planned' });
    const overview = await finish(await harness.launch(given));
    expect([overview.state, overview.startedAtMs]).toEqual(['failed', null]);
    expect(overview.findings.find((f) => f.severity === 'block')?.text).toBe(
      '1 of 2 VMs could not be moved to their start: vm2 to esx-host-2: no shared network',
    );
    const inventory = { ...harness.lab.inventory, vms: before };
    expect(
      startMoves(given.plan, given.testbed, inventory).moves.map(
        (move) => `${move.vmName} → ${move.hostName}`,
      ),
    ).toEqual(['vm0 → esx-host-2', 'vm2 → esx-host-2']);
    inventory.hosts[1]!.maintenance = true;
    expect(startMoves(given.plan, given.testbed, inventory).problems).toEqual([
      'esx-host-2, where VMs are to start, is in maintenance mode.',
    ]);
    expect(
      startMoves(
        { ...given.plan, startPlacement: { allOnHostRef: 'host-9' } },
        given.testbed,
        inventory,
      ).problems,
    ).toEqual(['Host host-9, where VMs are to start, is not in vCenter.']);
    expect(startMoves(given.plan, given.testbed, null).problems).toHaveLength(1);
  });
});

describe('what happens to VMs', () => {
  test('is told apart: DRS, somebody else, this run; what was not asked for is a finding; places are kept as changes', async () => {
    harness = await createHarness();
    const { vms } = harness.lab.operations;
    const id = await harness.launch(file());
    await untilState(id, 'steady');
    vms.happen({ type: 'DrsVmMigratedEvent', vmRef: 'vm-0', hostRef: 'host-2' });
    vms.happen({ type: 'VmMigratedEvent', vmRef: 'vm-1', hostRef: 'host-1', user: 'LAB\\mallory' });
    vms.happen({ type: 'VmPoweredOffEvent', vmRef: 'vm-5' });
    vms.happen({ type: 'com.vmware.vc.ha.VmRestartedByHAEvent', vmRef: 'vm-3', hostRef: 'host-1' });
    vms.happen({ type: 'HostConnectionLostEvent', hostRef: 'host-2' });
    const overview = await finish(id);
    expect(
      overview.events.filter((e) => e.by !== undefined).map((e) => [e.kind, e.by, e.text]),
    ).toEqual([
      ['drs', 'drs', 'DRS moved vm0 to esx-host-2'],
      ['vm', 'other', 'vm1 was moved to esx-host-1 by LAB\\mallory'],
      ['vm', 'drs', 'HA restarted vm3 on esx-host-1'],
      ['vcenter', 'other', 'esx-host-2 lost its connection to vCenter'],
    ]);
    expect(overview.findings.filter((f) => f.id.startsWith('vm.')).map((f) => f.id)).toEqual([
      'vm.vm-1.VmMigratedEvent',
      'vm.vm-3.com.vmware.vc.ha.VmRestartedByHAEvent',
      'vm.host-2.HostConnectionLostEvent',
    ]);
    const { placement } = overview;
    expect(placement!.vms.map((vm) => vm.tile)).toEqual([0, 0, 1, 1]);
    expect(
      placement!.moves.map((m) => [
        placement!.vms[m.vm]!.name,
        m.host === null ? null : placement!.hosts[m.host]!.name,
        m.by,
      ]),
    ).toEqual([
      ['vm0', 'esx-host-1', 'start'],
      ['vm1', 'esx-host-2', 'start'],
      ['vm2', 'esx-host-1', 'start'],
      ['vm3', 'esx-host-2', 'start'],
      ['vm0', 'esx-host-2', 'drs'],
      ['vm1', 'esx-host-1', 'other'],
      ['vm3', 'esx-host-1', 'drs'],
    ]);
  });
  test('is read after a gap, once, with its own time; also by the next engine', async () => {
    harness = await createHarness();
    const { vms } = harness.lab.operations;
    const id = await harness.launch(file());
    await untilState(id, 'steady');
    vms.happen({ type: 'DrsVmMigratedEvent', vmRef: 'vm-0', hostRef: 'host-2' });
    await harness.clock.advance(21_000);
    harness.lab.setVcenter(false);
    await harness.clock.advance(1_000);
    const goneMs = harness.clock.now();
    vms.happen({ type: 'DrsVmMigratedEvent', vmRef: 'vm-2', hostRef: 'host-2' });
    await harness.clock.advance(25_000);
    harness.lab.setVcenter(true);
    await harness.restart();
    const overview = await finish(id);
    expect(
      overview.events.filter((e) => e.kind === 'drs').map((e) => [e.text, e.tMs <= goneMs]),
    ).toEqual([
      ['DRS moved vm0 to esx-host-2', true],
      ['DRS moved vm2 to esx-host-2', true],
    ]);
    expect(overview.placement!.moves.filter((m) => m.by === 'drs')).toHaveLength(2);
  });
});
