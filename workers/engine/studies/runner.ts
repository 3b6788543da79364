import { fail, toAppError } from '../../../src/core/base/errors.ts';
import type { LabSpec } from '../../../src/core/lab/lab.ts';
import type { CheckReport, Plan } from '../../../src/core/plan/plan.ts';
import type { Profile } from '../../../src/core/profile/profile.ts';
import type { RunRecord } from '../../../src/core/run/run.ts';
import { isEnd } from '../../../src/core/run/states.ts';
import type { StudyPoint } from '../../../src/core/study/study.ts';
import { waitUntil } from '../clock/jumps.ts';
import type { Database } from '../db/types.ts';
import type { Deps } from '../deps.ts';
import type { LiveStudy } from './liveStudy.ts';
import { measuresOf } from './measures.ts';
import { limitOf, nextPoint, referenceRun, skippedAfter } from './next.ts';
import { outcomeOf } from './outcome.ts';
import { basePlan, pointWords, variantOf, waitsFor } from './variant.ts';

/** What a study needs of the rest of the engine: the same path that a user's launch takes. */
export interface StudyPeers {
  plan: (id: string) => Plan;
  /** The plan as that run had it; throws notFound where the run is gone. */
  planOfRun: (runId: string) => Plan;
  /** Profile of a plan; null where plan or profile is not there. */
  profileOf: (planId: string) => Profile | null;
  /** Scores of this plan are ratios to the run itself unless a reference run is named. */
  needsReference(plan: Plan): boolean;
  check(plan: Plan, signal: AbortSignal): Promise<CheckReport>;
  start(plan: Plan, checkedHash: string, name: string): Promise<string>;
  abort(runId: string): Promise<void>;
  /** The record when the run has ended, or as it is when the engine goes away. */
  ended(runId: string): Promise<RunRecord>;
  /**
   * Puts the simulated lab of this plan into the state it was given in, with changes; throws
   * conflict on a real lab that is asked for changes.
   */
  configure(plan: Plan, changes: Readonly<Record<string, unknown>>): void;
  /** The simulated lab of this plan as it was given; null on a real lab. */
  labOf(plan: Plan): LabSpec | null;
}
export interface StudyContext {
  study: LiveStudy;
  deps: Pick<Deps, 'clock' | 'log'>;
  db: Database;
  peers: StudyPeers;
  /** Fires when the engine goes away: leave everything as it is. */
  closing: AbortSignal;
  /** Fires when the study is to pause: wakes it from the wait between two runs. */
  pauseSignal: () => AbortSignal;
}

/**
 * Walks a study from where its journal stands until it is done, paused, waits for a person, or has
 * failed.
 */
export async function driveStudy(context: StudyContext): Promise<void> {
  const { study, deps, closing } = context;
  try {
    await settleLostPoint(context);
    while (!closing.aborted && study.progress().state === 'running') {
      const { only } = study.progress();
      const next =
        only === null
          ? nextPoint(study.spec, study.points(), needsReference(context))
          : pendingOnly(study, only);
      if (next === null) {
        finish(context);
        return;
      }
      const wait = waitsFor(study.spec, next, study.progress().confirmed);
      if (wait) {
        study.change({ state: 'waiting', detail: '' });
        return;
      }
      await pauseBetween(context);
      if (closing.aborted || study.progress().state !== 'running') break;
      await runPoint(context, next);
    }
    if (!closing.aborted && study.progress().state === 'pausing') study.change({ state: 'paused' });
  } catch (error) {
    if (closing.aborted) return;
    const { message, hint } = toAppError(error);
    deps.log.error('A study stopped with an error', { study: study.spec.id, error: message });
    const { activeKey } = study.progress();
    const active = activeKey === null ? null : study.point(activeKey);
    study.change(
      {
        state: 'failed',
        activeKey: null,
        only: null,
        endedAtMs: deps.clock.now(),
        detail: [message, hint].filter(Boolean).join(' '),
      },
      active?.state === 'running' ? [{ ...active, state: 'failed', detail: message }] : [],
    );
  }
}

const pendingOnly = (study: LiveStudy, key: string): StudyPoint | null => {
  const point = study.point(key);
  return point?.state === 'pending' ? point : null;
};
const needsReference = ({ study, peers }: StudyContext): boolean => {
  const plan = peers.plan(study.spec.planId);
  return plan.referenceRunId === null && peers.needsReference(plan);
};

/**
 * A point that was running when an earlier engine ended: its run was picked up, has ended
 * meanwhile, or is lost and repeated.
 */
async function settleLostPoint(context: StudyContext): Promise<void> {
  const { study, db } = context;
  const { activeKey } = study.progress();
  if (activeKey === null) return;
  const point = study.point(activeKey);
  if (!point) {
    study.change({ activeKey: null });
    return;
  }
  // Between the start of a run and its note in the journal the engine can end: the run itself says
  // whose it is.
  const runId =
    point.runId ??
    db.runs
      .list()
      .find(
        (run) =>
          run.study?.id === study.spec.id &&
          run.study.key === activeKey &&
          !point.earlierRunIds.includes(run.id),
      )?.id ??
    null;
  if (runId === null || db.runs.get(runId) === null) {
    study.change({ activeKey: null }, [{ ...point, state: 'pending', runId: null }]);
    return;
  }
  await takeEnd(context, { ...point, state: 'running', runId }, true);
}

async function pauseBetween({ study, deps, closing, pauseSignal }: StudyContext): Promise<void> {
  const { lastEndMs } = study.progress();
  if (lastEndMs === null || study.spec.pauseS === 0) return;
  const signal = AbortSignal.any([closing, pauseSignal()]);
  const dueMs = lastEndMs + study.spec.pauseS * 1_000;
  await waitUntil(deps.clock, dueMs, signal).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}

async function runPoint(context: StudyContext, next: StudyPoint): Promise<void> {
  const { study, deps, db, peers, closing } = context;
  const { spec } = study;
  study.change({ activeKey: next.key, detail: '' }, [
    { ...next, state: 'running', detail: '', measures: {} },
  ]);
  const variant = variantOf(spec, basePlan(spec, next, peers), next);
  const reference = peers.needsReference(variant.plan) ? referenceRun(spec, study.points()) : null;
  if (reference !== null && db.runs.get(reference) === null)
    throw fail(
      'conflict',
      'The run of the reference point was removed: scores have nothing to be held against.',
      'Run the reference point again.',
    );
  const plan = { ...variant.plan, referenceRunId: variant.plan.referenceRunId ?? reference };
  peers.configure(plan, variant.labChanges);
  const words = pointWords(spec, next);
  const report = await peers.check(plan, closing);
  if (!report.ready) {
    const blocks = report.findings
      .filter((f) => f.severity === 'block')
      .map((f) => `${f.title}: ${f.evidence}.${f.fix ? ` ${f.fix}` : ''}`);
    closePoint(context, {
      ...study.point(next.key)!,
      state: 'failed',
      detail: `Not started. ${blocks.join(' ')}`,
    });
    return;
  }
  if (study.progress().state === 'pausing') {
    study.change({ activeKey: null }, [{ ...study.point(next.key)!, state: 'pending' }]);
    return;
  }
  const runId = await peers.start(plan, report.hash, `${spec.name}: ${words}`.slice(0, 200));
  const running: StudyPoint = { ...study.point(next.key)!, runId };
  study.change({}, [running]);
  deps.log.info('A point of a study started', { study: spec.id, point: next.key, run: runId });
  await takeEnd(context, running);
}

/** Waits for the run of a point and takes its result. `pickedUp`: an earlier engine started it. */
async function takeEnd(context: StudyContext, point: StudyPoint, pickedUp = false): Promise<void> {
  const { study, peers, db, closing } = context;
  study.change({ activeKey: point.key }, [point]);
  const record = await peers.ended(point.runId!);
  if (closing.aborted && !isEnd(record.overview.state)) return;
  if (!isEnd(record.overview.state))
    throw fail('internal', `Run ${record.overview.id} is over but has no end state.`);
  if (
    record.overview.abortReason === 'engineLost' ||
    (pickedUp && record.overview.state === 'failed' && record.overview.abortReason !== 'qos')
  ) {
    // What the engine's absence did to the run says nothing about the testbed: the point is
    // repeated.
    study.change({ activeKey: null }, [
      {
        ...point,
        state: 'pending',
        runId: null,
        earlierRunIds: [...point.earlierRunIds, point.runId!],
      },
    ]);
    return;
  }
  const { state, detail } = outcomeOf(record);
  // A run that was cut short has no steady state to take means over.
  const whole =
    record.overview.abortReason === null && (state === 'passed' || state === 'qosFailed');
  closePoint(context, {
    ...point,
    state,
    detail,
    measures: whole ? measuresOf(record, db.samples) : {},
  });
}

/** Stores the end of a point and what the stop rule makes of it. */
function closePoint({ study, deps }: StudyContext, point: StudyPoint): void {
  const { spec } = study;
  const others = study.points().map((p) => (p.key === point.key ? point : p));
  const skipped = skippedAfter(spec, others, point);
  const words = pointWords(spec, point);
  const changed = [
    point,
    ...skipped.map((key): StudyPoint => ({
      ...study.point(key)!,
      state: 'skipped',
      detail: `Not run: ${words} missed a QoS limit.`,
    })),
  ];
  const stopping =
    point.state === 'aborted' || (point.state === 'failed' && spec.stopRule !== 'never');
  const after = { activeKey: null, lastEndMs: deps.clock.now() };
  if (!stopping) study.change(after, changed);
  else if (point.state === 'aborted')
    study.change(
      { ...after, only: null, state: 'paused', detail: `${words}: ${point.detail}` },
      changed,
    );
  else
    study.change(
      {
        ...after,
        only: null,
        state: 'failed',
        endedAtMs: deps.clock.now(),
        detail: `${words}: ${point.detail}`,
      },
      changed,
    );
}

/** Nothing is left to run. After a re-run the study is done only when nothing else is pending. */
function finish({ study, deps }: StudyContext): void {
  const points = study.points();
  const limit = limitOf(study.spec, points);
  const left = points.some((p) => p.state === 'pending') || (limit !== null && limit.next !== null);
  const failed = points.filter((p) => p.state === 'failed').length;
  const words = [limit?.note ?? '', failed > 0 ? `${failed} of ${points.length} runs failed.` : '']
    .filter(Boolean)
    .join(' ');
  study.change({
    state: left ? 'paused' : 'done',
    only: null,
    activeKey: null,
    detail: words,
    endedAtMs: deps.clock.now(),
  });
}
