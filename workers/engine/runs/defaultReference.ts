import { canonicalJson } from '../../../src/core/base/canonicalJson.ts';
import { ownReference } from '../../../src/core/run/ownReference.ts';
import type { RunRecord, RunSummary } from '../../../src/core/run/run.ts';
import { qosStateOf } from '../../../src/core/score/qosState.ts';
import { isComplete } from '../../../src/core/score/score.ts';
import type { Database } from '../db/types.ts';
import type { LaunchInputs } from '../plans/hash.ts';

type Of = Pick<LaunchInputs, 'plan' | 'profile'>;

/**
 * The run that a run of this plan is scored against: the one the plan names, else the plan's first
 * that measured all and broke no limit. null = the profile sets what scores 1.0, or there is none
 * yet. A study's points, and smoke runs, take none by themselves.
 */
export function referenceOf(db: Database, { plan, profile }: Of): string | null {
  if (plan.referenceRunId !== null || plan.study !== null || plan.smoke !== undefined)
    return plan.referenceRunId;
  if (ownReference({ profile }) !== null) return null;
  const own = db.runs.idsOfPlan(plan.id);
  // The newest come first.
  for (const summary of db.runs.list().reverse()) {
    if (!own.has(summary.id) || !mayServe(summary, profile)) continue;
    const record = db.runs.find(summary.id);
    if (record !== null && serves(record, { plan, profile })) return summary.id;
  }
  return null;
}

/** What the summary already tells: records are opened for few. */
const mayServe = (summary: RunSummary, profile: Of['profile']): boolean =>
  summary.state === 'passed' &&
  summary.profileId === profile.id &&
  summary.study === null &&
  summary.importedFrom === undefined;

const serves = (record: RunRecord, { plan, profile }: Of): boolean =>
  record.plan.smoke === undefined &&
  record.profile.version === profile.version &&
  // The same version may have been edited: other load or other limits score nothing.
  canonicalJson(record.profile.workloads) === canonicalJson(profile.workloads) &&
  canonicalJson(record.plan.overrides) === canonicalJson(plan.overrides) &&
  record.overview.score !== null &&
  isComplete(record.overview.score) &&
  ['kept', 'noLimit'].includes(qosStateOf(record.overview.score.periods));
