import { toAppError } from '../../../src/core/base/errors.ts';
import { kneesOf } from '../../../src/core/knee/knee.ts';
import { responseRegions } from '../../../src/core/knee/kneeRegions.ts';
import { isOfOneSeries, limitsOf as limitsOfProfile } from '../../../src/core/limits/index.ts';
import type { Profile } from '../../../src/core/profile/profile.ts';
import { figureMeasures } from '../../../src/core/study/shapedStudy.ts';
import type {
  ExpectationLine,
  KneeResult,
  PublishedPoint,
  StudyOverview,
  StudyPoint,
  StudySpec,
  StudySummary,
} from '../../../src/core/study/study.ts';
import { curveOf } from '../../../src/core/study/sweep.ts';
import { whatIfOf } from '../../../src/core/study/whatIf.ts';
import type { Database } from '../db/types.ts';
import type { Deps } from '../deps.ts';
import type { GalleryEntry } from '../gallery/types.ts';
import type { LiveStudy } from './liveStudy.ts';
import { limitOf, plannedPoints } from './next.ts';
import { nextPoint } from './next.ts';
import { waitsFor } from './variant.ts';
import { studyView } from './view.ts';

type Deduced = Pick<StudyOverview, 'knees' | 'expectations'>;

/**
 * Makes snapshots of studies. Knees and expectations are made again only when a point has ended
 * since.
 */
export function createOverviews(options: {
  deps: Pick<Deps, 'clock' | 'log' | 'lab'>;
  db: Pick<Database, 'runs' | 'samples'>;
  entry: (galleryId: string) => GalleryEntry | null;
  /** Profile of a plan; null = not there. */ profileOf: (planId: string) => Profile | null;
}): (study: LiveStudy) => StudyOverview {
  const { deps, db, entry, profileOf } = options;
  const origin = deps.lab === null ? 'real' : 'simulated';
  const known = new WeakMap<LiveStudy, { of: string; deduced: Deduced; curves: KnownCurves }>();

  function deduce(study: LiveStudy): Deduced {
    const { spec } = study;
    const points = study.points();
    const of = JSON.stringify([spec.version, points.map((p) => [p.state, p.runId])]);
    const cached = known.get(study);
    if (cached?.of === of) return cached.deduced;
    const curves: KnownCurves = new Map();
    const deduced = {
      knees: kneesIn(
        spec,
        points,
        (measure) => limitOn(spec, measure),
        cached?.curves ?? new Map<string, KneeResult[]>(),
        curves,
      ),
      expectations: expectationsOf(spec, points),
    };
    known.set(study, { of, deduced, curves });
    return deduced;
  }

  /**
   * The profile's own limit on a response time: `latencyP95Ms.mail.mean` → that of mail's
   * latencyP95Ms.
   */
  function limitOn(spec: StudySpec, measure: string): number | undefined {
    const [, metric, workloadId] =
      /^(latency[A-Za-z0-9]+)\.(.+)\.(?:mean|max)$/.exec(measure) ?? [];
    const profile = profileOf(spec.planId);
    return limitsOfProfile(profile ?? { workloads: [] }, 1).find(
      (limit) =>
        limit.workloadId === workloadId &&
        limit.metric === metric &&
        limit.kind === 'max' &&
        isOfOneSeries(limit),
    )?.limit;
  }

  /** Model beside published: of simulated studies only, and only once something was measured. */
  function expectationsOf(spec: StudySpec, points: readonly StudyPoint[]): ExpectationLine[] {
    const found = spec.galleryId === null || origin === 'real' ? null : entry(spec.galleryId);
    // What a study of a changed lab shows was published by nobody.
    if (
      !found ||
      whatIfOf(spec) !== null ||
      !points.some((p) => p.state === 'passed' || p.state === 'qosFailed')
    )
      return [];
    try {
      return found.expectations(studyView(points, db));
    } catch (error) {
      deps.log.error('The expectations of a gallery entry could not be made', {
        gallery: spec.galleryId,
        error: toAppError(error).message,
      });
      return [];
    }
  }

  return (study) => {
    const { spec } = study;
    const progress = study.progress();
    const points = study.points();
    const limit = limitOf(spec, points);
    const next = progress.state === 'waiting' ? waitingPoint(study) : null;
    return {
      spec,
      rev: progress.rev,
      state: progress.state,
      origin,
      points: [...points],
      activeKey: progress.activeKey,
      instruction: next ? (waitsFor(spec, next, progress.confirmed)?.instruction ?? null) : null,
      startedAtMs: progress.startedAtMs,
      endedAtMs: progress.endedAtMs,
      nowMs: deps.clock.now(),
      detail: progress.detail,
      limit: limit && {
        lastPass: limit.lastPass,
        firstFail: limit.firstFail,
        confirmed: limit.confirmed,
      },
      ...authors(spec, spec.galleryId === null ? null : entry(spec.galleryId)),
      ...deduce(study),
    };
  };
}

/** The point that a person is waited for at. */
const waitingPoint = (study: LiveStudy): StudyPoint | null => {
  const { only } = study.progress();
  return only === null ? nextPoint(study.spec, study.points(), false) : study.point(only);
};

/** Of a ready-made study: what its author published, and what its lab rests on. */
const authors = (
  spec: StudySpec,
  made: GalleryEntry | null,
): Pick<StudyOverview, 'published' | 'basis'> => ({
  published: publishedOn(spec, made?.published ?? []),
  ...(spec.galleryId === null ? {} : { basis: [...(made?.basis ?? [])] }),
});

/** What was published; of a what-if, on the curve of the lab as it was given only. */
const publishedOn = (
  spec: StudySpec,
  published: readonly PublishedPoint[],
): StudyOverview['published'] =>
  whatIfOf(spec) === null
    ? [...published]
    : published.filter(({ values }) =>
        spec.axes.every(({ name, values: run }) => run.includes(values[name] ?? '')),
      );

/**
 * Curves whose knees say something: rising ones of work done, and response times. Others (CPU,
 * power) are drawn only.
 */
function shapeOf(measure: string): 'concave' | 'convex' | null {
  if (/^(score|throughput|iops|readIops|writeIops)\b/.test(measure)) return 'concave';
  return /^(latency|deviceLatency)/.test(measure) ? 'convex' : null;
}

/**
 * Results by shape and figures of a curve: a point that ends changes the curves it is on, not the
 * others.
 */
type KnownCurves = Map<string, KneeResult[]>;

/**
 * Knees of every drawn curve over a first axis of numbers; those of `before` are not made again.
 */
function kneesIn(
  spec: StudySpec,
  points: readonly StudyPoint[],
  limitOn: (measure: string) => number | undefined,
  before: KnownCurves,
  now: KnownCurves,
): StudyOverview['knees'] {
  const axis = spec.axes[0]!;
  const measured = points.filter(
    (p) =>
      (p.state === 'passed' || p.state === 'qosFailed') && typeof p.values[axis.name] === 'number',
  );
  if (measured.length === 0) return [];
  return figureMeasures(spec.charts).flatMap((measure) => {
    const shape = shapeOf(measure);
    if (shape === null) return [];
    return [...new Set(measured.map((p) => curveOf(spec, p.values)))].flatMap((series) => {
      const mine = measured.filter(
        (p) => curveOf(spec, p.values) === series && typeof p.measures[measure] === 'number',
      );
      if (mine.length === 0) return [];
      const curve = {
        x: mine.map((p) => Number(p.values[axis.name])),
        y: mine.map((p) => p.measures[measure]!),
      };
      const limit = limitOn(measure);
      const key = JSON.stringify([shape, limit, curve]);
      const results = before.get(key) ?? [
        ...kneesOf(curve, shape),
        ...(shape === 'convex' ? regions(curve, limit) : []),
      ];
      now.set(key, results);
      return [{ measure, series, results }];
    });
  });
}

/**
 * Plateau, stressed region and, where the profile limits this response time, the highest load
 * within the limit.
 */
function regions(curve: { x: number[]; y: number[] }, limit: number | undefined): KneeResult[] {
  const { plateau, stressed, knee } = responseRegions(curve, limit);
  const result = (
    method: string,
    span: { from: number; to: number } | null,
    note: string,
  ): KneeResult[] =>
    span ? [{ method, low: span.from, high: span.to, estimate: null, note }] : [];
  return [
    ...(limit === undefined ? [] : [knee]),
    ...result(
      'performance plateau',
      plateau,
      'response time as at low load: less than a twentieth of the rise to the knee',
    ),
    ...result('stressed region', stressed, 'between the plateau and the knee'),
  ];
}

export function summaryOf(
  spec: StudySpec,
  stored: {
    state: StudySummary['state'];
    startedAtMs: number | null;
    points: readonly StudyPoint[];
  } | null,
  origin: StudySummary['origin'],
): StudySummary {
  const points = stored?.points ?? plannedPoints(spec, []);
  return {
    id: spec.id,
    name: spec.name,
    state: stored?.state ?? 'draft',
    origin,
    axis: spec.axes.map((axis) => axis.label).join(' × '),
    done: points.filter((p) => p.state !== 'pending' && p.state !== 'running').length,
    total: points.length,
    startedAtMs: stored?.startedAtMs ?? null,
    galleryId: spec.galleryId,
  };
}
