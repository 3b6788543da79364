import type { RunRecord } from './run.ts';

/**
 * The profile of a run as what scores 1.0, in words: where it sets a reference for all that is
 * scored. null = it does not.
 */
export function ownReference({ profile }: Pick<RunRecord, 'profile'>): string | null {
  const { workloads, scoring, name, version } = profile;
  const whole =
    workloads.every((w) => !w.scored || w.reference !== null) &&
    (scoring.infrastructure?.operations ?? []).every((o) => o.reference !== null);
  return whole ? `profile ${name} ${version}` : null;
}

/**
 * What a run is scored against, in words; of a run that ended without a score, what it would have
 * been.
 */
export const referenceWords = ({
  overview,
  plan,
  profile,
}: Pick<RunRecord, 'overview' | 'plan' | 'profile'>): string =>
  overview.score?.referenceLabel ??
  ownReference({ profile }) ??
  (plan.referenceRunId === null ? 'none' : `run ${plan.referenceRunId}`);
