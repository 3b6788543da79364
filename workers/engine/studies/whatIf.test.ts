import { applyEdits } from '../../../src/core/lab/applyEdits.ts';
import { labSpecSchema } from '../../../src/core/lab/lab.ts';
import type { LabEdit } from '../../../src/core/lab/labEdit.ts';
import type { StudyOverview } from '../../../src/core/study/study.ts';
import { whatIfSentence } from '../../../src/core/study/whatIf.ts';
import { plan, published, study, testbed, tileVms, times } from '../gallery/build.ts';
import { gallery } from '../gallery/index.ts';
import { smallEntry, smallProfile, smallSpec } from '../gallery/testing/smallEntry.ts';
import type { GalleryEntry } from '../gallery/types.ts';
import { createLabModel } from '../simlab/model/model.ts';
import { createSimEngine, type SimEngine } from '../simlab/testing/simEngine.ts';
import { createHarness } from '../testing/engineHarness.ts';

/** Four tiles of which each fills a host, on two hosts. */
const spec = labSpecSchema.parse({
  ...smallSpec,
  noise: 0,
  vms: tileVms(4, { java: { vcpus: 4, memoryMb: 2_048 } }, (tile) => ({
    hostId: `h${(tile % 2) + 1}`,
    datastoreId: 'd1',
  })),
  workloads: [{ ...smallSpec.workloads[0]!, users: 100, cpuMsPerOp: 8 }],
});
const bed = testbed({ galleryId: 'E90', lab: spec, profile: smallProfile, tiles: 4 });
const full: GalleryEntry = {
  ...smallEntry,
  labs: [spec],
  testbeds: [bed],
  plan: plan({ galleryId: 'E90', name: 'Small', testbed: bed, profile: smallProfile }),
  study: study({
    galleryId: 'E90',
    name: 'Small',
    stopRule: 'never',
    reference: { tiles: 1, speed: 'slow' },
    axes: [
      {
        name: 'tiles',
        label: 'Tiles',
        unit: 'tiles',
        parameter: { kind: 'tiles' },
        values: times(4, (i) => i + 1),
      },
      {
        name: 'speed',
        label: 'Speed',
        parameter: { kind: 'lab', path: 'drs.everyS' },
        values: ['slow', 'fast'],
        valueLabels: { slow: 'Slow hosts', fast: 'Fast hosts' },
      },
    ],
    charts: [{ title: 'Score', measure: 'score', unit: '' }],
  }),
  published: ['slow', 'fast'].map((speed) =>
    published(['F000'], 'score', 'Two tiles', { tiles: 2, speed }, 2, 'x', 'a test'),
  ),
};
full.study.axes[1]!.parameter = { kind: 'lab', path: 'variant' };
full.labs[0]!.variants = { slow: [], fast: [{ path: 'hosts.0.coreSpeed', value: 2 }] };

let sim: SimEngine;
beforeEach(async () => {
  sim = await createSimEngine({
    createModel: createLabModel,
    gallery: [full],
    limits: { lastCountersMs: 20_000 },
  });
  await sim.call('gallery.install', { id: 'E90' });
});
afterEach(async () => {
  await sim.close();
});
const id = full.study.id;
const run = (studyId: string): Promise<StudyOverview> =>
  new Promise((resolve, reject) => {
    sim.on((event, payload) => {
      const overview = payload as StudyOverview;
      if (
        event === 'study.changed' &&
        overview.spec.id === studyId &&
        !['draft', 'running'].includes(overview.state)
      )
        resolve(overview);
    });
    sim.call('study.start', { id: studyId }).catch(reject);
  });

test('a host less: both curves in one study, what was measured before is not run again, and the sentence says where it saturates', async () => {
  const before = await sim.call('study.overview', { id });
  await sim.call('study.save', {
    ...before.spec,
    axes: [before.spec.axes[0]!, { ...before.spec.axes[1]!, values: ['slow'] }],
  });
  expect((await run(id)).state).toBe('done');
  const { lab, base, bases, tiles } = await sim.call('study.lab', { id });
  expect([lab.hosts.map((host) => host.id), base, bases, tiles]).toEqual([
    ['h1', 'h2'],
    'slow',
    [{ value: 'slow', label: 'Slow hosts' }],
    4,
  ]);
  const made = await sim.call('study.whatIf', {
    id,
    values: [1, 2, 3, 4],
    edits: [{ kind: 'removeHost', id: 'h2' }],
  });
  expect(made.id).toBe('e90-study-what-if-1');
  const draft = await sim.call('study.overview', { id: made.id });
  expect(draft.spec.name).toBe('Small: what if 1 host instead of 2');
  expect(draft.points.map((p) => `${p.key} ${p.state}`)).toEqual([
    ...[1, 2, 3, 4].map((n) => `tiles=${n};speed=slow;repeat=1 passed`),
    ...[1, 2, 3, 4].map((n) => `tiles=${n};speed=whatIf;repeat=1 pending`),
  ]);
  expect(draft.published.map(({ values }) => values)).toEqual([{ tiles: 2, speed: 'slow' }]);
  expect(draft.expectations).toEqual([]);
  expect(whatIfSentence(draft)).toBeNull();

  const done = await run(made.id);
  expect([done.state, done.detail]).toEqual(['done', '']);
  expect((await sim.call('run.list', {})).length).toBe(8);
  expect(whatIfSentence(done)).toMatch(
    /^Saturates at 1 instead of 2 tiles\. Highest score: 5\d % less\.$/,
  );
  // The lab itself is as it was given, and another engine goes on from there.
  await sim.restart();
  expect((await sim.call('study.lab', { id: made.id })).lab.hosts).toHaveLength(2);
  expect((await sim.call('study.overview', { id: made.id })).spec).toEqual(done.spec);
});

test('a what-if of a what-if stands beside the same lab, under the next name', async () => {
  const edits: LabEdit[] = [{ kind: 'removeHost', id: 'h2' }];
  const first = await sim.call('study.whatIf', { id, base: 'fast', values: [1, 2], edits });
  expect((await sim.call('study.lab', { id: first.id })).lab.hosts[0]!.coreSpeed).toBe(2);
  const second = await sim.call('study.whatIf', {
    id: first.id,
    values: [2],
    edits: [...edits, { kind: 'drs', enabled: true, stars: 1 }],
  });
  const { spec: made } = await sim.call('study.overview', { id: second.id });
  expect([made.id, made.name, made.reference]).toEqual([
    'e90-study-what-if-2',
    'Small: what if 1 host instead of 2, and 1 more change',
    { tiles: 2, speed: 'fast' },
  ]);
});

test.each<[string, Parameters<typeof whatIf>[0], string]>([
  ['a host it has not', { edits: [{ kind: 'removeHost', id: 'h9' }] }, 'Lab Small has no host h9.'],
  [
    'the last host',
    {
      edits: [
        { kind: 'removeHost', id: 'h1' },
        { kind: 'removeHost', id: 'h2' },
      ],
    },
    'h2 is the last host that can run 4 VMs.',
  ],
  [
    'more tiles than there are',
    { values: [5] },
    'Tiles: 5 is more than the 4 that the testbed has.',
  ],
  [
    'a curve it has not',
    { base: 'medium' },
    'Small has no medium that changes could stand beside.',
  ],
  [
    'RAID without its disks',
    { edits: [{ kind: 'array', ids: ['a'], property: 'disks', value: 2 }] },
    'LUN l1 has 1 disk; RAID 10 needs an even number of them.',
  ],
])('%s is refused in words, and nothing is made', async (_what, change, message) => {
  await expect(whatIf(change)).rejects.toMatchObject({ kind: 'invalidInput', message });
  expect(await sim.call('study.list', {})).toHaveLength(1);
});
const whatIf = (change: {
  base?: string;
  values?: number[];
  edits?: LabEdit[];
}): Promise<{ id: string }> =>
  sim.call('study.whatIf', {
    id,
    values: [1],
    edits: [{ kind: 'removeHost', id: 'h2' }],
    ...change,
  });

test('the real lab has nothing to change', async () => {
  const real = await createHarness();
  try {
    await expect(real.call('study.lab', { id: 'x' })).rejects.toMatchObject({ kind: 'notFound' });
  } finally {
    await real.close();
  }
});

test('every lab of the gallery takes the loss of its last host, or says why not', () => {
  for (const { labs, item } of gallery)
    for (const lab of labs) {
      const remove = (): unknown =>
        labSpecSchema.parse(applyEdits(lab, [{ kind: 'removeHost', id: lab.hosts.at(-1)!.id }]));
      if (lab.hosts.filter((host) => host.virtual).length > 1) expect(remove).not.toThrow();
      else expect(`${item.id} ${lab.hosts.length}`).toMatch(/^E\d\d [12]$/);
    }
});
