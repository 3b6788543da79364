import type { StudyOverview, StudyPoint, StudySpec } from '../../../src/core/study/study.ts';
import type { StudyProgress } from '../db/studyProgress.ts';
import type { StudyStore } from '../db/types.ts';

type State = StudyOverview['state'];

/** One study as it stands: the only place that changes it. What is told is on disk. */
export interface LiveStudy {
  readonly spec: StudySpec;
  progress(): StudyProgress;
  points(): readonly StudyPoint[];
  point(key: string): StudyPoint | null;
  /**
   * Changes progress and points together; a point with a new key is added at the end. One
   * transaction, then `onChange`.
   */
  change(progress: Partial<Omit<StudyProgress, 'rev'>>, points?: readonly StudyPoint[]): void;
  /** The spec was saved again: these are its points now. */
  replan(spec: StudySpec, points: readonly StudyPoint[], state: State): void;
}

export const draftProgress: StudyProgress = {
  state: 'draft',
  rev: 0,
  detail: '',
  activeKey: null,
  startedAtMs: null,
  endedAtMs: null,
  only: null,
  confirmed: {},
  lastEndMs: null,
};

export const isDriven = (state: State): boolean => state === 'running' || state === 'pausing';

export function createLiveStudy(
  initial: {
    spec: StudySpec;
    progress: StudyProgress;
    points: readonly StudyPoint[];
    /** false: nothing is on disk yet. */ stored: boolean;
  },
  store: Pick<StudyStore, 'saveProgress'>,
  onChange: () => void,
): LiveStudy {
  let { spec, progress } = initial;
  let points = [...initial.points];
  let stored = initial.stored;
  let places = new Map(points.map((point, place) => [point.key, place]));
  return {
    get spec() {
      return spec;
    },
    progress: () => progress,
    points: () => points,
    point: (key) => points[places.get(key) ?? -1] ?? null,
    change(patch, changed = []) {
      const next = { ...progress, ...patch, rev: progress.rev + 1 };
      const nextPoints = [...points];
      const rows = changed.map((point): { place: number; point: StudyPoint } => {
        const place = places.get(point.key) ?? nextPoints.length;
        nextPoints[place] = point;
        return { place, point };
      });
      // The first change puts every point on disk; later ones only what changed.
      store.saveProgress(
        spec.id,
        next,
        stored ? rows : nextPoints.map((point, place) => ({ place, point })),
        nextPoints.length,
      );
      stored = true;
      progress = next;
      points = nextPoints;
      places = new Map(points.map((point, place) => [point.key, place]));
      onChange();
    },
    replan(nextSpec, nextPoints, state) {
      const next = { ...progress, state, only: null, rev: progress.rev + 1 };
      store.saveProgress(
        nextSpec.id,
        next,
        nextPoints.map((point, place) => ({ place, point })),
        nextPoints.length,
      );
      stored = true;
      spec = nextSpec;
      progress = next;
      points = [...nextPoints];
      places = new Map(points.map((point, place) => [point.key, place]));
      onChange();
    },
  };
}
