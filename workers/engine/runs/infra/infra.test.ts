import { fail } from '../../../../src/core/base/errors.ts';
import type { PlanFile } from '../../../../src/core/plan/plan.ts';
import type { Profile } from '../../../../src/core/profile/profile.ts';
import { leftBehind } from '../../../../src/core/run/leftBehind.ts';
import { isEnd } from '../../../../src/core/run/states.ts';
import { silentLog } from '../../deps.ts';
import { createHarness, type Harness, testPlanFile } from '../../testing/engineHarness.ts';
import { createVmGuard } from './guard.ts';
import { nextHost } from './operations.ts';
import { planInfrastructure } from './plan.ts';

// Hundreds of virtual seconds of a whole engine each, on a machine that may be busy.
let harness: Harness;
afterEach(async () => {
  await harness?.close();
});

const targets = {
  vmotionVmRefs: ['vm-0', 'vm-1'],
  storageVmotion: { vmRefs: ['vm-1', 'vm-2'], datastoreRef: 'datastore-2' },
  xvmotion: null,
  deploy: { templateRef: 'vm-7', datastoreRef: 'datastore-2' },
  snapshotVmRefs: [],
  pauseS: 0,
};
function plan(change: { weights?: [number, number] } = {}): PlanFile {
  const file = testPlanFile();
  const profile: Profile = {
    ...file.profile!,
    scoring: {
      ...file.profile!.scoring,
      infrastructure: {
        combine: 'geometricMean',
        hostsPerLoop: 2,
        hostsPerLoopSource: 'test',
        source: 'test',
        operations: ['vmotion', 'storageVmotion', 'deploy'].map((id) => ({
          id,
          name: id,
          reference: 60,
          referenceSource: 'test',
        })),
      },
      overall: {
        application: change.weights?.[0] ?? 0.8,
        infrastructure: change.weights?.[1] ?? 0.2,
        source: 'test',
      },
    },
  };
  return {
    ...file,
    profile,
    testbed: { ...file.testbed, infrastructure: targets },
    plan: {
      ...file.plan,
      phases: {
        ...file.plan.phases,
        rampUpS: 10,
        staggerS: 0,
        steadyS: 240,
        periods: 2,
        rampDownS: 60,
      },
    },
  };
}
const ended = (id: string) => (): boolean =>
  isEnd(harness.overviews.findLast((o) => o.id === id)?.state ?? 'draft');

test('operations run from the start to the end of the steady state, are counted, scored and undone; never two on a VM', async () => {
  harness = await createHarness();
  const before = structuredClone(harness.lab.inventory.vms);
  const id = await harness.launch(plan());
  await harness.clock.advanceUntil(ended(id), 2_000_000);
  const overview = await harness.overview(id);
  expect(overview.state).toBe('passed');
  const score = overview.score!;
  // 20 s a move: 180 an hour over a reference of 60; a deploy of 46 s: 78.
  const [first] = score.periods;
  expect(first!.infrastructure!.operations.map((o) => Math.round(o.perHour!))).toEqual([
    180, 180, 78,
  ]);
  expect(score.total).toBeCloseTo(0.8 * score.application! + 0.2 * score.infrastructure!, 9);
  expect(harness.lab.operations.overlaps).toEqual([]);
  expect(overview.findings.find((f) => f.id === 'infra.vmotion')?.text).toMatch(
    /^vmotion: \d+ done in 1 loop over 2 periods, mean 20\.0 s; 0 failed\.$/,
  );
  const place = (vms: typeof before): unknown =>
    vms.map(({ ref, datastoreRefs }) => ({ ref, datastoreRefs }));
  expect(place(harness.lab.inventory.vms)).toEqual(place(before));
});

test('disks that take minutes are brought home: a minute for all of the clean-up left them on the maintenance datastore', async () => {
  harness = await createHarness();
  const id = await harness.launch(plan());
  const away = (): string[] =>
    harness.lab.inventory.vms
      .filter((vm) => vm.datastoreRefs.includes('datastore-2'))
      .map((vm) => vm.name);
  // Late in the steady state, with disks away, every move begins to hang for five minutes before
  // its twenty seconds.
  await harness.clock.advanceUntil(
    () => (harness.lab.operations.calls.get('relocate') ?? 0) > 16 && away().length > 0,
    1_000_000,
  );
  harness.lab.operations.setFault((name, _ref, signal) =>
    name === 'relocate' ? harness.clock.sleep(300_000, signal) : Promise.resolve(),
  );
  await harness.clock.advanceUntil(ended(id), 2_000_000);
  expect((await harness.overview(id)).findings.map((f) => f.id)).not.toContain('infra.restore');
  expect(away()).toEqual([]);
});

test('a failed operation is told and retried; the loop goes on and the rest is counted', async () => {
  harness = await createHarness();
  let failures = 0;
  harness.lab.operations.setFault(async (name) => {
    if (name === 'relocate' && (failures += 1) <= 3)
      throw fail('conflict', 'The VM is in use (ResourceInUse).');
  });
  const id = await harness.launch(plan());
  await harness.clock.advanceUntil(ended(id), 2_000_000);
  const overview = await harness.overview(id);
  expect(overview.state).toBe('passed');
  expect(
    overview.events.filter((e) => e.kind === 'fault' && e.text.includes('ResourceInUse')),
  ).toHaveLength(3);
  expect(
    overview.findings
      .filter((f) => f.id.startsWith('infra.') && f.id.endsWith('otion'))
      .map((f) => f.text)
      .join(' '),
  ).toMatch(/0 failed, \d tr(y|ies) repeated; last failure: The VM is in use/);
  expect(overview.score!.infrastructure).toBeGreaterThan(1);
});

test('an abort cancels what is in flight, destroys the clones and brings disks home', async () => {
  harness = await createHarness();
  const id = await harness.launch(plan());
  await harness.clock.advanceUntil(
    () =>
      harness.lab.inventory.vms.some((vm) => vm.name.startsWith(`tb-${id}-`)) &&
      harness.lab.inventory.vms.some(
        (vm) =>
          !vm.template && vm.datastoreRefs.includes('datastore-2') && !vm.name.startsWith('tb-'),
      ),
    1_000_000,
  );
  await harness.call('run.abort', { id, hard: true });
  await harness.clock.advanceUntil(ended(id), 600_000);
  expect((await harness.overview(id)).state).toBe('aborted');
  expect(
    harness.lab.inventory.vms
      .filter((vm) => vm.name.startsWith('tb-') || vm.datastoreRefs.includes('datastore-2'))
      .map((vm) => vm.name),
  ).toEqual([]);
});

test('an engine that is restarted in steady state says what it did not count, and still undoes everything', async () => {
  harness = await createHarness();
  const id = await harness.launch(plan());
  await harness.clock.advanceUntil(
    () => (harness.lab.operations.calls.get('clone') ?? 0) >= 2,
    1_000_000,
  );
  await harness.restart();
  await harness.clock.advanceUntil(ended(id), 2_000_000);
  const overview = await harness.overview(id);
  expect(overview.findings.find((f) => f.id === 'infra.gap')?.text).toContain('are not counted');
  expect(
    harness.lab.inventory.vms
      .filter((vm) => vm.name.startsWith('tb-') || vm.datastoreRefs.includes('datastore-2'))
      .map((vm) => vm.name),
  ).toEqual([]);
});

test('what could not be put back at the end is put back on request; after a later run only its own clones go, and no VM is moved', async () => {
  harness = await createHarness();
  const { inventory, operations } = harness.lab;
  const clones = (): string[] =>
    inventory.vms.filter((vm) => vm.name.startsWith('tb-')).map((vm) => vm.name);
  const away = (): string[] =>
    inventory.vms
      .filter((vm) => vm.datastoreRefs.includes('datastore-2') && !vm.name.startsWith('tb-'))
      .map((vm) => vm.name);
  const breakAtEnd = async (): Promise<string> => {
    const id = await harness.launch(plan());
    await harness.clock.advanceUntil(() => clones().length > 0 && away().length > 0, 1_000_000);
    operations.setFault(async (name) => {
      if (name === 'destroy' || name === 'relocate')
        throw fail('authFailed', 'The vCenter user lacks a privilege.');
    });
    await harness.call('run.abort', { id, hard: true });
    await harness.clock.advanceUntil(ended(id), 2_000_000);
    expect(leftBehind(await harness.overview(id)).map((f) => f.id)).toEqual(['infra.restore']);
    operations.setFault(async () => undefined);
    return id;
  };
  const tidy = async (id: string): Promise<unknown> => {
    let left: unknown = null;
    const done = harness.call('run.tidy', { id }).then((overview) => {
      left = leftBehind(overview);
    });
    await harness.clock.advanceUntil(() => left !== null, 2_000_000);
    await done;
    return left;
  };
  const first = await breakAtEnd();
  expect(await tidy(first)).toEqual([]);
  expect([clones(), away()]).toEqual([[], []]);
  const second = await breakAtEnd();
  const moved = away();
  const smoke = await harness.launch(testPlanFile());
  await harness.clock.advanceUntil(ended(smoke), 2_000_000);
  expect(await tidy(second)).toEqual([]);
  expect([clones(), away()]).toEqual([[], moved]);
  expect(
    (await harness.overview(second)).findings.find((f) => f.id === 'infra.restore')?.text,
  ).toContain('other VMs stay where they are');
});

describe('plan', () => {
  const profile = plan().profile!;
  test.each([
    [2, 1],
    [3, 1],
    [4, 2],
    [64, 32],
  ])('%i hosts, two a loop: %i loops', async (hosts, loops) => {
    harness = await createHarness();
    const { inventory } = harness.lab;
    const many = {
      ...inventory,
      hosts: Array.from({ length: hosts }, (_, i) => ({
        ...inventory.hosts[0]!,
        ref: `host-${i + 1}`,
      })),
      clusters: [
        {
          ...inventory.clusters[0]!,
          hostRefs: Array.from({ length: hosts }, (_, i) => `host-${i + 1}`),
        },
      ],
    };
    expect(
      planInfrastructure(profile, plan().testbed, many).operations.map((o) => o.loops),
    ).toEqual([loops, loops, loops]);
  });
  test('what the testbed does not name is told, and the rest runs', async () => {
    harness = await createHarness();
    const { operations, missing } = planInfrastructure(
      profile,
      { ...plan().testbed, infrastructure: { ...targets, deploy: null } },
      harness.lab.inventory,
    );
    expect(operations.map((o) => o.kind)).toEqual(['vmotion', 'storageVmotion']);
    expect(missing).toEqual(['deploy: the testbed names no template']);
  });
  test('a busy VM is passed over, and one that rests', async () => {
    harness = await createHarness();
    const { clock } = harness;
    const guard = createVmGuard({
      clock,
      log: silentLog,
      session: async () => {
        throw new Error('not asked');
      },
      signal: new AbortController().signal,
    });
    expect([
      guard.take(['a', 'b', 'c'], 1),
      guard.take(['a', 'b', 'c'], 1),
      guard.take(['a', 'b'], 1),
    ]).toEqual(['b', 'c', 'a']);
    expect(guard.take(['a', 'b', 'c'], 0)).toBeNull();
    guard.release('a', 5_000);
    expect(guard.take(['a'], 0)).toBeNull();
    await clock.advance(5_000);
    expect(guard.take(['a'], 0)).toBe('a');
  });
  test('the next host is never the present one', () => {
    for (let turn = 0; turn < 9; turn += 1)
      expect(nextHost(['h1', 'h2', 'h3'], 'h2', turn)).not.toBe('h2');
    expect(() => nextHost(['h1'], 'h1', 0)).toThrow('no other host');
  });
});
