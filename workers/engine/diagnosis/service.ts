import { fail } from '../../../src/core/base/errors.ts';
import type { Diagnosis } from '../../../src/core/diagnosis/diagnosis.ts';
import type { RunFeatures } from '../../../src/core/diagnosis/diagnosisFeatures.ts';
import {
  askedMore,
  diagnosisCurves,
  diagnosisPair,
  pointLabel,
  yieldMeasure,
} from '../../../src/core/diagnosis/diagnosisPair.ts';
import { diagnose } from '../../../src/core/diagnosis/diagnosisRank.ts';
import { beforeActs } from '../../../src/core/diagnosis/diagnosisWindows.ts';
import type { RunRecord } from '../../../src/core/run/run.ts';
import { phaseSpan } from '../../../src/core/run/windows.ts';
import type { StudyOverview, StudyPoint } from '../../../src/core/study/study.ts';
import type { Handlers } from '../../../src/wire/contract.ts';
import type { Database } from '../db/types.ts';
import { collectFeatures } from './collect.ts';

/** vCenter's samples are 20 s: a shorter time alone has too few of them. */
const leastAloneMs = 60_000;

export interface DiagnosisPeers {
  db: Pick<Database, 'runs' | 'samples'>;
  /** Throws notFound. */ stored: (id: string) => RunRecord;
  overviewOf: (id: string) => Promise<StudyOverview>;
}

/** `throughput.file.sum` is about `file`. */
const workloadOf = (measure: string | null): string | null =>
  /^throughput\.([^.]+)\./.exec(measure ?? '')?.[1] ?? null;

/**
 * Why a run, or a study, falls short: from stored samples alone. Answers are the same for the same
 * runs.
 */
export function diagnosisMethods(
  peers: DiagnosisPeers,
): Pick<Handlers, 'run.diagnose' | 'study.diagnose'> {
  return {
    'run.diagnose': async ({ failId, passId }) => diagnoseRuns(peers, { passId, failId }),
    async 'study.diagnose'({ id, curve: asked, beforeKey, afterKey }) {
      const overview = await peers.overviewOf(id),
        curves = diagnosisCurves(overview);
      const listed = curves.map(({ key, label }) => ({ key, label }));
      const pairs = curves.flatMap((curve) => {
        const pair = diagnosisPair(overview, curve);
        return pair === null ? [] : [{ curve, pair }];
      });
      const chosen =
        asked === undefined
          ? (pairs.find(({ pair }) => pair.after.state === 'qosFailed') ?? pairs[0])
          : pairs.find(({ curve }) => curve.key === asked);
      const point = (key: string | undefined): StudyPoint | undefined =>
        overview.points.find((one) => one.key === key && one.runId !== null);
      const after = point(afterKey) ?? chosen?.pair.after,
        before = point(beforeKey) ?? chosen?.pair.before ?? null;
      if (after?.runId == null)
        return {
          curves: listed,
          curve: chosen?.curve.key ?? null,
          beforeKey: null,
          afterKey: null,
          why: 'Two measured points of a curve are needed.',
          diagnosis: null,
        };
      const labels = {
        after: pointLabel(overview, after),
        ...(before === null ? {} : { before: pointLabel(overview, before) }),
      };
      return {
        curves: listed,
        curve: chosen?.curve.key ?? null,
        beforeKey: before?.key ?? null,
        afterKey: after.key,
        why:
          beforeKey !== undefined || afterKey !== undefined
            ? 'The two points that were chosen.'
            : chosen!.pair.why,
        diagnosis: diagnoseRuns(peers, {
          passId: before?.runId ?? null,
          failId: after.runId,
          labels,
          about: workloadOf(yieldMeasure(overview)),
          more: before === null ? null : askedMore(overview, before, after),
        }),
      };
    },
  };
}

/**
 * Why one run falls short of another; without one, of the run that it is scored against, or else of
 * the undisturbed time before its first act, or else the beginning of its own ramp-up.
 */
function diagnoseRuns(
  { db, stored }: DiagnosisPeers,
  of: {
    passId: string | null;
    failId: string;
    labels?: { before?: string; after?: string };
    /** The workload it is about. */ about?: string | null;
    more?: ReturnType<typeof askedMore>;
  },
): Diagnosis {
  const { passId, failId, labels = {}, about = null, more = null } = of;
  const record = stored(failId),
    after = collectFeatures(db, record, {
      ...(labels.after === undefined ? {} : { label: labels.after }),
    });
  if (after === null)
    throw fail(
      'conflict',
      `Run ${record.overview.name} never reached its steady state: nothing was measured that could be explained.`,
      'Look at its log and findings.',
    );
  if (passId === null || passId === failId)
    return diagnose(
      referenceOf(db, record) ?? beforeActs(after) ?? rampOf(db, record),
      after,
      about,
    );
  const earlier = stored(passId),
    before = collectFeatures(db, earlier, {
      ...(labels.before === undefined ? {} : { label: labels.before }),
    });
  if (before === null)
    throw fail(
      'conflict',
      `Run ${earlier.overview.name} never reached its steady state: there is nothing to hold the other run against.`,
      'Choose a run that passed.',
    );
  return diagnose(before, after, about, more);
}

/** The run that this one is scored against; null where it is none, is not here or never got steady. */
function referenceOf(db: DiagnosisPeers['db'], { overview, plan }: RunRecord): RunFeatures | null {
  const id = plan.referenceRunId;
  const reference = id === null || id === overview.id ? null : db.runs.find(id);
  return reference === null ? null : collectFeatures(db, reference);
}

/** The beginning of a run's ramp-up, with its first tile alone; null where it was too short. */
function rampOf(db: DiagnosisPeers['db'], record: RunRecord): RunFeatures | null {
  const ramp = phaseSpan(record.overview, 'rampUp'),
    { phases, tiles } = record.plan;
  const aloneMs = tiles > 1 ? Math.max(leastAloneMs, phases.staggerS * 1_000) : leastAloneMs;
  if (ramp === undefined || ramp.endMs === null || ramp.endMs - ramp.startMs < aloneMs) return null;
  const features = collectFeatures(db, record, {
    window: { fromMs: ramp.startMs, toMs: ramp.startMs + aloneMs },
    label: 'the beginning of its ramp-up',
  });
  if (features === null) return null;
  const running = features.workloads.filter((one) => one.throughput !== null);
  return { ...features, workloads: running, tiles: new Set(running.map((one) => one.tile)).size };
}
