import { counted } from '../../core/base/counted.ts';
import { formatElapsed } from '../../core/base/format.ts';
import { type Plan, planDurationS } from '../../core/plan/plan.ts';
import type { StudyOverview, StudyPoint } from '../../core/study/study.ts';

const over = (state: StudyPoint['state']): boolean => state !== 'pending' && state !== 'running';
export interface StudyProgress {
  done: number;
  total: number;
  failed: number;
  /** Engine's time, ms, that the rest takes; null = not known. */ leftMs: number | null;
}

/**
 * How far a study is. Time left by the plan's phases and the pause between runs; what the active
 * run has had is taken off.
 */
export function studyProgress(
  overview: StudyOverview,
  plan: Plan | undefined,
  activeElapsedMs: number,
): StudyProgress {
  const { points, spec } = overview;
  const done = points.filter((p) => over(p.state)).length;
  const left = points.length - done;
  const leftMs =
    plan === undefined || spec.findLimit !== undefined
      ? null
      : Math.max(
          0,
          left * (planDurationS(plan.phases) + spec.pauseS) * 1_000 -
            spec.pauseS * 1_000 -
            activeElapsedMs,
        );
  return {
    done,
    total: points.length,
    failed: points.filter((p) => p.state === 'failed' || p.state === 'qosFailed').length,
    leftMs: left === 0 ? 0 : leftMs,
  };
}

/** `7 of 20 points, 2 failed, 1:12:00 left`; under a fast clock also how long that is here. */
export function progressText(
  { done, total, failed, leftMs }: StudyProgress,
  search: boolean,
  rate: number,
): string {
  const count = search ? counted(done, 'run') : `${done} of ${counted(total, 'point')}`;
  const here =
    rate === 1
      ? ''
      : ` of lab time${leftMs === null || rate === 0 ? '' : `, about ${formatElapsed(leftMs / rate)} here`}`;
  const left = leftMs === null || leftMs === 0 ? '' : `, ${formatElapsed(leftMs)} left${here}`;
  return `${count}${failed === 0 ? '' : `, ${failed} failed`}${left}`;
}
