import type { EngineOnLab } from '../../e2e/lab/engineOnLab.ts';
import type { StudyOverview, StudyPoint } from '../../src/core/study/study.ts';
import { importOwn } from '../../src/wire/importOwn.ts';
import type { GalleryEntry } from '../../workers/engine/gallery/types.ts';
import { pointWords, valueWords } from '../../workers/engine/studies/variant.ts';
import type { RealAxis, RealStudy } from './mapping.ts';
import type { RealPeers } from './peers.ts';
import { realStudy } from './variant.ts';

/** What came of one run, told as it is. */
export interface RealRun {
  runId: string | null;
  /** Its levels, in words. */
  levels: string;
  state: StudyPoint['state'];
  /** Why it failed or which limit it missed; '' where there is nothing to say. */
  detail: string;
  /** In the unit of the mapping's figure; null = not measured. */
  figure: number | null;
}
export interface RealResult {
  id: string;
  planId: string;
  studyId: string;
  atMs: number;
  /** What was checked out; absent in results of before it was kept. */
  commit?: string;
  seconds: number;
  state: StudyOverview['state'] | 'notStarted';
  detail: string;
  runs: RealRun[];
}

/** A study that takes longer is stuck, and told as such. */
const limitMs = 45 * 60_000;
const lookMs = 500;
const wait = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

/**
 * Runs a study as a user's on these peers: takes its file in, starts it, does by hand what it waits
 * for, and waits for its end. Points of an earlier start that ended well are not run again. What
 * stands in its way is its detail; nothing is thrown but for an engine that is gone.
 */
export async function runStudy(
  on: EngineOnLab,
  study: RealStudy,
  entry: GalleryEntry,
  peers: RealPeers,
): Promise<RealResult> {
  const atMs = Date.now();
  const source = realStudy(study, entry, peers.lab);
  const studyId = source.study!.id;
  await importOwn(on, source);
  const overview = (): Promise<StudyOverview> => on.call('study.overview', { id: studyId });
  let last = await overview();
  const before = last;
  const isComplete = last.points.every(({ state }) => state === 'passed' || state === 'qosFailed');
  try {
    if (!isComplete && last.state !== 'running') await on.call('study.start', { id: studyId });
    last = await overview();
    while (last.state === 'running' || last.state === 'pausing' || last.state === 'waiting') {
      if (last.state === 'waiting') {
        await peers.byHand(askedFor(study, last));
        await on.call('study.start', { id: studyId });
      } else if (Date.now() - atMs > limitMs && last.state === 'running') {
        await on.call('study.pause', { id: studyId, now: true });
      }
      await wait(lookMs);
      last = await overview();
    }
  } finally {
    await peers.byHand(undone(study));
  }
  return {
    id: study.id,
    planId: source.file.plan.id,
    studyId,
    ...(isComplete && before.startedAtMs !== null && before.endedAtMs !== null
      ? spanOf(before.startedAtMs, before.endedAtMs)
      : spanOf(atMs, Date.now())),
    state: last.state,
    detail: last.detail,
    runs: last.points.map((point) => runOf(last, point, study.figure.measure)),
  };
}

const spanOf = (fromMs: number, toMs: number): Pick<RealResult, 'atMs' | 'seconds'> => ({
  atMs: fromMs,
  seconds: Math.round((toMs - fromMs) / 1_000),
});

const runOf = ({ spec }: StudyOverview, point: StudyPoint, measure: string): RealRun => ({
  runId: point.runId,
  levels: pointWords(spec, point),
  state: point.state,
  detail: point.detail,
  figure: point.measures[measure] ?? null,
});

/** The level that a waiting study asks a person for: the one that its instruction ends with. */
function askedFor(study: RealStudy, { spec, instruction }: StudyOverview) {
  for (const axis of spec.axes) {
    if (axis.parameter.kind !== 'manual') continue;
    const at = axis.values.findIndex((value) =>
      instruction?.endsWith(`Next value: ${valueWords(axis, value)}.`),
    );
    const mapped = study.axes.find(({ name }) => name === axis.name);
    if (at >= 0 && mapped) return mapped.levels[at]!.change;
  }
  throw new Error(`${spec.name} asks for what nobody can do here: ${instruction ?? 'nothing'}`);
}

/** All processors again, where a level took some away. */
function undone({ axes }: RealStudy): RealAxis['levels'][number]['change'] {
  const counts = axes.flatMap(({ levels }) =>
    levels.flatMap(({ change }) => change.processors ?? []),
  );
  return counts.length > 0 ? { processors: Math.max(...counts) } : {};
}
