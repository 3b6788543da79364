import { type CheckFinding, findingKey, type Plan } from '../../../src/core/plan/plan.ts';
import type { RunRecord } from '../../../src/core/run/run.ts';
import type { Database } from '../db/types.ts';
import type { Deps } from '../deps.ts';
import type { LaunchInputs } from '../plans/hash.ts';
import { plannedActs } from './acts/progress.ts';
import { referenceOf } from './defaultReference.ts';

/** The name of a plan's next run, where nobody gave one: `<plan> #<number>`. */
export function nextName(db: Database, plan: Plan): string {
  // Past the highest, not the count: of runs that were purged the numbers are not given again while
  // later ones are there.
  const numbers = db.runs
    .list('all')
    .map((run) =>
      run.name.startsWith(`${plan.name} #`) ? Number(run.name.slice(plan.name.length + 2)) : 0,
    )
    .filter(Number.isInteger);
  return `${plan.name} #${Math.max(0, ...numbers) + 1}`;
}

/** A run as it is when it is launched: nothing was read, nothing has begun. */
export function newRecord(
  { deps, db }: { deps: Deps; db: Database },
  { plan: asSaved, testbed, profile }: LaunchInputs,
  planHash: string,
  name: string,
  waived: readonly CheckFinding[],
): RunRecord {
  const now = deps.clock.now();
  const acts = plannedActs(asSaved);
  const plan = { ...asSaved, referenceRunId: referenceOf(db, { plan: asSaved, profile }) };
  return {
    overview: {
      id: deps.ids.next('run'),
      rev: 0,
      name,
      state: 'draft',
      origin: deps.lab === null ? 'real' : 'simulated',
      createdAtMs: now,
      startedAtMs: null,
      endedAtMs: null,
      nowMs: now,
      phases: [],
      phasesPlanned: plan.phases,
      periods: [],
      abortReason: null,
      workloads: [],
      series: [],
      events: [],
      findings: launchFindings(plan, waived, now),
      score: null,
      verdict: null,
      ...(acts ? { acts } : {}),
    },
    plan,
    testbed,
    profile,
    clients: [],
    inventoryBefore: null,
    inventoryAfter: null,
    planHash,
    appVersion: deps.version,
  };
}

/**
 * What the run must say of its launch for ever: what somebody waived, and why; and that a smoke run
 * is no result.
 */
function launchFindings(
  plan: Plan,
  waived: readonly CheckFinding[],
  tMs: number,
): RunRecord['overview']['findings'] {
  return [
    ...(plan.smoke
      ? [
          {
            id: 'smoke',
            severity: 'info' as const,
            text: `A smoke run of plan ${plan.name}: one tile, to see that every part works. It is no result.`,
            tMs,
          },
        ]
      : []),
    ...waived.map((finding) => ({
      id: `waived ${findingKey(finding)}`,
      severity: 'warn' as const,
      text: `Waived: ${finding.title}: ${finding.evidence}. Reason: ${finding.waived?.reason ?? ''}`,
      tMs,
    })),
  ];
}
