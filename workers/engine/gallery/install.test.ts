import { fail } from '../../../src/core/base/errors.ts';
import type { StudyOverview } from '../../../src/core/study/study.ts';
import { studySpecSchema } from '../../../src/core/study/study.ts';
import { createFakeModel } from '../simlab/testing/fakeModel.ts';
import { createSimEngine, type SimEngine } from '../simlab/testing/simEngine.ts';
import { createHarness } from '../testing/engineHarness.ts';
import { expectation, testbed, vmName } from './build.ts';
import { gallery } from './index.ts';
import { smallEntry, smallProfile, smallSpec } from './testing/smallEntry.ts';

let sim: SimEngine;
const start = async (): Promise<void> => {
  sim = await createSimEngine({
    createModel: createFakeModel,
    gallery: [smallEntry],
    limits: { lastCountersMs: 20_000 },
  });
};
const ended = (id: string): Promise<StudyOverview> =>
  new Promise((resolve) => {
    sim.on((event, payload) => {
      const o = payload as StudyOverview;
      if (
        event === 'study.changed' &&
        o.spec.id === id &&
        ['done', 'failed', 'paused'].includes(o.state)
      )
        resolve(o);
    });
  });
const counts = async (): Promise<number[]> => {
  const lists = [
    await sim.call('connection.list', {}),
    await sim.call('testbed.list', {}),
    await sim.call('plan.list', {}),
    await sim.call('study.list', {}),
  ];
  return lists.map((list) => list.length);
};

describe('in the simulated workspace', () => {
  beforeEach(start);
  afterEach(async () => {
    await sim.close();
  });

  test('installing makes lab, connections, testbed, profile, plan and study, once', async () => {
    expect(await sim.call('gallery.list', {})).toEqual([
      expect.objectContaining({
        id: 'E90',
        studyId: 'e90-study',
        state: null,
        testbed: {
          hosts: [{ name: '2 × Sim 1', text: '1 × Sim CPU, 4 cores at 2 GHz, 32 GB' }],
          arrays: [{ name: 'Array', text: '8 disks at 10000 rpm', luns: 2 }],
          clients: 1,
          vms: 2,
        },
      }),
    ]);
    expect(await sim.call('gallery.install', { id: 'E90' })).toEqual({
      studyId: 'e90-study',
      planId: 'e90-plan',
    });
    const before = await counts();
    expect(before).toEqual([3, 1, 1, 1]);
    const testbeds = await sim.call('testbed.list', {});
    await sim.call('testbed.save', { ...testbeds[0]!, notes: 'mine' });
    await sim.call('gallery.install', { id: 'E90' });
    expect(await counts()).toEqual(before);
    expect((await sim.call('testbed.list', {}))[0]!.notes).toBe('mine');
    expect((await sim.call('gallery.list', {}))[0]!.state).toBe('draft');
    expect((await sim.call('lab.status', {})).labs.map((one) => one.id)).toEqual(['e90']);
    await expect(sim.call('gallery.install', { id: 'E99' })).rejects.toMatchObject({
      kind: 'notFound',
    });
  });

  test('its study runs to the comparison with what was published, all of it simulated', async () => {
    await sim.call('gallery.install', { id: 'E90' });
    const end = ended('e90-study');
    await sim.call('study.start', { id: 'e90-study' });
    const overview = await end;
    expect([overview.state, overview.detail, overview.origin]).toEqual(['done', '', 'simulated']);
    expect(overview.points.map((p) => p.measures['score'])).toEqual([
      expect.closeTo(1, 6),
      expect.closeTo(2, 1),
    ]);
    expect(overview.published).toEqual(smallEntry.published);
    expect(overview.expectations).toEqual([
      expect.objectContaining({ id: 'E90.two', inside: true, difference: expect.closeTo(0, 1) }),
      // Both hosts idle at 100 W each: the sum over hosts, not one of them.
      expect.objectContaining({ id: 'E90.power', inside: true }),
    ]);
    expect((await sim.call('run.list', {})).map((r) => r.origin)).toEqual([
      'simulated',
      'simulated',
    ]);
  });

  test('a property of the lab is swept, each point on the lab as it was given', async () => {
    await sim.call('gallery.install', { id: 'E90' });
    const spec = studySpecSchema.parse({
      ...smallEntry.study,
      id: 'variants',
      galleryId: null,
      axes: [
        {
          name: 'variant',
          label: 'Variant',
          parameter: { kind: 'lab', path: 'variant' },
          values: ['fast', ''],
        },
      ],
    });
    await sim.call('study.save', spec);
    const seen: (string | null)[] = [];
    sim.on((event, payload) => {
      const point =
        event === 'study.changed'
          ? (payload as StudyOverview).points.find((p) => p.state === 'running' && p.runId !== null)
          : undefined;
      if (point) seen.push(sim.lab.control.status().labs[0]!.variant);
    });
    const end = ended('variants');
    await sim.call('study.start', { id: 'variants' });
    expect((await end).state).toBe('done');
    expect([...new Set(seen)]).toEqual(['fast', null]);
    await sim.call('study.save', {
      ...spec,
      id: 'nowhere',
      axes: [{ ...spec.axes[0]!, parameter: { kind: 'lab', path: 'hosts.7.ghz' }, values: [1] }],
    });
    const failed = ended('nowhere');
    await sim.call('study.start', { id: 'nowhere' });
    expect(await failed).toMatchObject({
      state: 'failed',
      detail: expect.stringContaining('nothing at hosts.7.ghz'),
      points: [expect.objectContaining({ state: 'failed' })],
    });
  });

  test('labs of installed studies are there again after a restart of the simulated world', async () => {
    await sim.call('gallery.install', { id: 'E90' });
    const { control } = sim.lab;
    // An older version left another lab of that id.
    control.load({ ...smallSpec, name: 'Older' });
    await sim.restart();
    expect(control.status().labs.map((one) => one.name)).toEqual(['Small']);
    // With load on it the lab is left alone, and the engine starts all the same.
    const busy = control.load.bind(control);
    control.load = () => {
      throw fail('conflict', 'Lab Small is in use.');
    };
    await sim.restart();
    control.load = busy;
    expect((await sim.call('study.list', {})).length).toBe(1);
  });
});

test('the workspace of the real lab installs nothing', async () => {
  const harness = await createHarness();
  try {
    const [first] = await harness.call('gallery.list', {});
    expect(first).toMatchObject({ id: gallery[0]!.item.id, state: null });
    await expect(harness.call('gallery.install', { id: first!.id })).rejects.toMatchObject({
      kind: 'conflict',
      message: expect.stringContaining('real lab'),
    });
    expect(await harness.call('testbed.list', {})).toEqual([]);
  } finally {
    await harness.close();
  }
});

describe('builders', () => {
  test('a driver inside the VM, and a client that drives it', () => {
    expect(
      testbed({
        galleryId: 'E90',
        lab: smallSpec,
        profile: smallProfile,
        tiles: 1,
        clientOf: () => null,
      }).tiles[0]!.workloads[0],
    ).toMatchObject({ clientId: 'e90-in-t1-java', vm: { ref: 't1-java' }, params: {} });
    expect(
      testbed({ galleryId: 'E90', lab: smallSpec, profile: smallProfile, tiles: 1 }).tiles[0]!
        .workloads[0],
    ).toMatchObject({ clientId: 'e90-client1', params: { target: 't1-java.e90.sim' } });
    expect(() =>
      testbed({ galleryId: 'E90', lab: smallSpec, profile: smallProfile, tiles: 3 }),
    ).toThrow('has no VM t3-java');
    expect(vmName(0, 'mail')).toBe('t1-mail');
  });
  test.each([
    [2, 1, 3, true, 0],
    [3.5, 1, 3, false, 1.5],
    [null, 1, 3, false, null],
    [NaN, 1, 3, false, null],
    [5, 4, null, true, 1],
    [100.000_000_000_000_01, null, 100, true, 0],
  ])(
    'a line with model %p in [%p, %p] is inside: %p, off by %p',
    (model, low, high, inside, difference) => {
      expect(
        expectation({ id: 'x', label: 'x', unit: '', model, published: '', low, high, source: '' }),
      ).toMatchObject({
        inside,
        difference: difference === null ? null : expect.closeTo(difference, 9),
      });
    },
  );
  test('every entry has its own ids, and its study and plan belong together', () => {
    const ids = gallery.flatMap((entry) => [
      entry.study.id,
      entry.plan.id,
      ...entry.testbeds.map((t) => t.id),
      ...entry.profiles.map((p) => p.id),
      ...entry.labs.map((l) => `lab ${l.id}`),
    ]);
    expect(new Set(ids).size).toBe(ids.length);
    for (const entry of gallery) {
      expect(entry.study).toMatchObject({ planId: entry.plan.id, galleryId: entry.item.id });
      expect(entry.testbeds.map((t) => t.id)).toContain(entry.plan.testbedId);
      for (const axis of entry.study.axes)
        if (axis.parameter.kind === 'testbed')
          expect(entry.testbeds.map((t) => t.id)).toEqual(expect.arrayContaining(axis.values));
    }
  });
});
