import type { StudyOverview, StudyPoint } from '../../../src/core/study/study.ts';
import { smallEntry, smallSpec } from '../gallery/testing/smallEntry.ts';
import type { GalleryEntry } from '../gallery/types.ts';
import { createFakeModel } from '../simlab/testing/fakeModel.ts';
import { createSimEngine, type SimEngine } from '../simlab/testing/simEngine.ts';
import { plannedPoints } from './next.ts';

/** As E15: one axis of variants whose names read as numbers. */
const versions: GalleryEntry = {
  ...smallEntry,
  labs: [
    { ...smallSpec, variants: { '3.0.2': [], '3.5': [{ path: 'hosts.0.coreSpeed', value: 2 }] } },
  ],
  study: {
    ...smallEntry.study,
    reference: { version: '3.0.2' },
    stopRule: 'never',
    axes: [
      {
        name: 'version',
        label: 'Hypervisor',
        unit: '',
        parameter: { kind: 'lab', path: 'variant' },
        values: ['3.0.2', '3.5'],
        valueLabels: {},
      },
    ],
  },
  expectations: () => [],
};
const id = versions.study.id;
let sim: SimEngine;
beforeEach(async () => {
  sim = await createSimEngine({
    createModel: createFakeModel,
    gallery: [versions],
    limits: { lastCountersMs: 20_000 },
  });
  await sim.call('gallery.install', { id: versions.item.id });
});
afterEach(async () => {
  await sim.close();
});

const until = (is: (overview: StudyOverview) => boolean): Promise<StudyOverview> =>
  new Promise((resolve) => {
    sim.on((event, payload) => {
      if (event === 'study.changed' && is(payload as StudyOverview))
        resolve(payload as StudyOverview);
    });
  });
const over = ({ state }: StudyOverview): boolean => state !== 'running';
const overview = (): Promise<StudyOverview> => sim.call('study.overview', { id });

test('E15 with repeats: an engine that ends in the middle of a repeat leaves a study that the next finishes, each repeat once', async () => {
  await sim.call('study.save', { ...(await overview()).spec, repeats: 3 });
  const third = until(({ points }) => points[2]?.runId != null && points[2].state === 'running');
  await sim.call('study.start', { id });
  await third;
  await sim.restart();
  const end = await until(over);
  expect([end.state, end.detail]).toEqual(['done', '']);
  expect(end.points.map(({ key, state }) => `${key} ${state}`)).toEqual(
    ['3.0.2', '3.5'].flatMap((version) =>
      [1, 2, 3].map((repeat) => `version=${version};repeat=${repeat} passed`),
    ),
  );
  expect(end.points.every(({ measures }) => measures['score'] != null)).toBe(true);
});

test('a version saved as the number 3.5 is refused at once, not in the middle of the study', async () => {
  const { spec } = await overview();
  await expect(
    sim.call('study.save', { ...spec, axes: [{ ...spec.axes[0]!, values: ['3.0.2', 3.5] }] }),
  ).rejects.toMatchObject({
    kind: 'invalidInput',
    message: 'Hypervisor: a variant of a lab is named by a text, and 3.5 is a number.',
  });
});

test('points that were stored with the number 3.5 keep their runs and take the text', async () => {
  const { spec, points } = await overview();
  const before = points.map((point): StudyPoint => ({
    ...point,
    state: 'passed',
    runId: `run ${point.key}`,
    values: { version: point.values['version'] === '3.5' ? 3.5 : '3.0.2' },
  }));
  expect(plannedPoints(spec, before).map(({ values, runId }) => [values, runId])).toEqual([
    [{ version: '3.0.2' }, 'run version=3.0.2;repeat=1'],
    [{ version: '3.5' }, 'run version=3.5;repeat=1'],
  ]);
});
