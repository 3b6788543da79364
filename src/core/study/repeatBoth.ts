import type { StudyPoint, StudySpec } from './study.ts';

/** Eight runs are compared at a time: four of each. */
export const mostOfEach = 4;
/** Longest pause between two of them, in seconds: an hour lets any cache and any host settle. */
export const longestPauseS = 3_600;

/** One of two runs that are to be run again. */
export interface RepeatedRun {
  id: string;
  /** What it is called beside the other. */ name: string;
  planId: string;
}

/**
 * The study that runs two runs again in turns, each so many times: A B A B. Each has the plan it
 * had. `pauseS`: seconds between the end of one and the start of the next.
 */
export const repeatSpec = (
  id: string,
  [a, b]: readonly [RepeatedRun, RepeatedRun],
  { ofEach, pauseS = 0 }: { ofEach: number; pauseS?: number },
): StudySpec => ({
  schemaVersion: 1,
  id,
  name: `Repeats: ${a.name} and ${b.name}`.slice(0, 120),
  version: 0,
  planId: a.planId,
  axes: [
    {
      name: 'run',
      label: 'Run',
      unit: '',
      parameter: { kind: 'run' },
      values: [a.id, b.id],
      valueLabels: { [a.id]: a.name, [b.id]: b.name },
    },
  ],
  order: 'inTurns',
  repeats: ofEach,
  pauseS,
  stopRule: 'firstFailedRun',
  charts: [{ title: 'Score', measure: 'score', unit: '', normalise: false }],
  galleryId: null,
  notes: '',
});

/** Whether a study repeats runs: it has no curve that ends, and nothing of it can be varied. */
export const isOfRepeats = ({ axes }: Pick<StudySpec, 'axes'>): boolean =>
  axes.some(({ parameter }) => parameter.kind === 'run');

/** The ended runs of such a study by what they repeat, in its order; null for any other study. */
export function repeatedGroups(
  { axes }: Pick<StudySpec, 'axes'>,
  points: readonly Pick<StudyPoint, 'values' | 'runId' | 'state'>[],
): string[][] | null {
  const axis = axes.find(({ parameter }) => parameter.kind === 'run');
  if (axis === undefined) return null;
  return axis.values.map((value) =>
    points.flatMap(({ values, runId, state }) =>
      values[axis.name] === value && runId !== null && (state === 'passed' || state === 'qosFailed')
        ? [runId]
        : [],
    ),
  );
}
