import type { AxisValue, StudyOverview } from '../../../../src/core/study/study.ts';
import { createLabModel } from '../../simlab/model/model.ts';
import { createSimEngine, type SimEngine } from '../../simlab/testing/simEngine.ts';
import type { GalleryEntry } from '../types.ts';

/**
 * Runs a ready-made study through the whole engine with only these values of its axes, and hands on
 * the engine that still holds its runs; closes it afterwards.
 */
export async function runStudy(
  entry: GalleryEntry,
  only: Readonly<Record<string, readonly AxisValue[]>>,
  look: (sim: SimEngine, study: StudyOverview) => Promise<void>,
): Promise<void> {
  const axes = entry.study.axes.map((axis) => ({
    ...axis,
    values: only[axis.name] ?? axis.values,
  }));
  const sim = await createSimEngine({
    createModel: createLabModel,
    gallery: [{ ...entry, study: { ...entry.study, axes: axes as typeof entry.study.axes } }],
  });
  try {
    const { studyId } = await sim.call('gallery.install', { id: entry.item.id });
    const ended = new Promise<void>((done) => {
      sim.on((event, payload) => {
        if (event === 'study.changed' && (payload as StudyOverview).state === 'done') done();
      });
    });
    await sim.call('study.start', { id: studyId });
    await ended;
    await look(sim, await sim.call('study.overview', { id: studyId }));
  } finally {
    await sim.close();
  }
}
