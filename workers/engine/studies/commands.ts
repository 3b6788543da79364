import { fail } from '../../../src/core/base/errors.ts';
import type { StudySpec } from '../../../src/core/study/study.ts';
import { checkSpec, sweepPoints } from '../../../src/core/study/sweep.ts';
import type { Deps } from '../deps.ts';
import type { DrivenStudy } from './drivenStudy.ts';
import { isDriven, type LiveStudy } from './liveStudy.ts';
import { nextPoint, pendingAgain } from './next.ts';
import type { StudyPeers } from './runner.ts';
import { waitsFor } from './variant.ts';

/** What people do with a study that is saved: start, pause, run a point again. */
export interface CommandScope {
  deps: Pick<Deps, 'clock' | 'lab'>;
  peers: StudyPeers;
  driven: DrivenStudy;
}

/** A sweep of more runs than this is a mistake in its values. */
const maximumRuns = 1_000;

/**
 * Starts a study, goes on with one that is paused or waits for a person, or takes back a pause.
 * Throws conflict where nothing is left to run or another study is running.
 */
export function startStudy({ deps, peers, driven }: CommandScope, study: LiveStudy): void {
  const { state, only, confirmed, startedAtMs } = study.progress();
  if (driven.is(study) && state === 'pausing') {
    driven.resume();
    study.change({ state: 'running' });
    return;
  }
  driven.demandIdle(study);
  demandRunnable(study.spec, deps.lab !== null);
  peers.plan(study.spec.planId);
  // What failed or was broken off is run again; its runs stay in the history.
  const again =
    state === 'waiting'
      ? []
      : study
          .points()
          .filter((p) => p.state === 'failed' || p.state === 'aborted')
          .map(pendingAgain);
  const next =
    only === null
      ? nextPoint(
          study.spec,
          study.points().map((p) => again.find((a) => a.key === p.key) ?? p),
          false,
        )
      : study.point(only);
  if (next === null)
    throw fail(
      'conflict',
      `Every run of ${study.spec.name} is done.`,
      'Run a single point again, or change the study.',
    );
  const wait = state === 'waiting' ? waitsFor(study.spec, next, confirmed) : null;
  study.change(
    {
      state: 'running',
      detail: '',
      endedAtMs: null,
      startedAtMs: startedAtMs ?? deps.clock.now(),
      lastEndMs: null,
      confirmed: wait ? { ...confirmed, [wait.axis]: wait.value } : confirmed,
    },
    again,
  );
  driven.drive(study);
}

/** Pauses a study after the run at hand; `now` = aborts that run. Throws conflict where none runs. */
export async function pauseStudy(
  { peers, driven }: CommandScope,
  study: LiveStudy,
  now: boolean,
): Promise<void> {
  const { state, activeKey } = study.progress();
  if (state === 'waiting' && !driven.is(study)) {
    study.change({ state: 'paused' });
    return;
  }
  if (!driven.is(study) || !isDriven(state))
    throw fail('conflict', `${study.spec.name} is not running.`);
  study.change({ state: 'pausing' });
  driven.pause();
  const runId = activeKey === null ? null : (study.point(activeKey)?.runId ?? null);
  if (now && runId !== null) await peers.abort(runId);
}

/** Runs one point again, and nothing after it. */
export function rerunPoint({ deps, driven }: CommandScope, study: LiveStudy, key: string): void {
  driven.demandIdle(study);
  demandRunnable(study.spec, deps.lab !== null);
  const point = study.point(key);
  if (!point)
    throw fail('notFound', `${study.spec.name} has no point ${key}.`, 'Refresh the study.');
  study.change(
    {
      state: 'running',
      only: key,
      detail: '',
      endedAtMs: null,
      startedAtMs: study.progress().startedAtMs ?? deps.clock.now(),
      lastEndMs: null,
      confirmed: {},
    },
    [pendingAgain(point)],
  );
  driven.drive(study);
}

/** Throws where a study could not be run as it is: too many runs, an axis this lab does not have. */
export function demandRunnable(spec: StudySpec, inLab: boolean): void {
  checkSpec(spec);
  if (!spec.findLimit && sweepPoints(spec).length > maximumRuns)
    throw fail(
      'invalidInput',
      `The study has ${sweepPoints(spec).length} runs; at most ${maximumRuns} are possible.`,
      'Take fewer values or repeats.',
    );
  const lab = spec.axes.find(({ parameter: { kind } }) => kind === 'lab' || kind === 'whatIf');
  if (lab && !inLab)
    throw fail(
      'conflict',
      `${lab.label} is a property of the simulated lab; this workspace works on the real lab.`,
      'Open the demo lab, or make it an axis that a person changes by hand.',
    );
}
