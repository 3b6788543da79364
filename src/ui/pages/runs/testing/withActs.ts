import { type Act, actSchema, type ActState } from '../../../../core/acts/act.ts';
import { recoveryRule } from '../../../../core/acts/effect.ts';
import { steadyPlanned } from '../../../../core/run/windows.ts';
import type { DemoRun } from './records.ts';

/**
 * A run in which a host failed 60 s into the steady state: its first workload was away on the first
 * tile and back after `recoveryS`, the others went on.
 */
export function withHostFailure(
  run: DemoRun,
  { recoveryS = 90, atS = 60 }: { recoveryS?: number; atS?: number } = {},
): DemoRun {
  const { overview, plan } = run.record;
  const atMs = (steadyPlanned(overview)?.startMs ?? 0) + atS * 1_000;
  const act: Act = actSchema.parse({
    id: 'act-1',
    kind: 'hostFails',
    atS,
    target: { ref: 'host-3', name: 'esx3' },
  });
  const state: ActState = {
    id: act.id,
    kind: act.kind,
    label: 'Host esx3 fails',
    plannedMs: atMs,
    by: 'console',
    state: 'undone',
    startedMs: atMs,
    doneMs: atMs,
    endedMs: atMs + 100_000,
    text: 'The host is down.',
    owed: false,
    before: null,
    rule: { ...recoveryRule },
    effects: overview.workloads.map(({ entityId }, i) => ({
      entityId,
      throughputBefore: 100,
      throughputAfter: 98,
      latencyBeforeMs: 4,
      latencyAfterMs: 5,
      outcome: i === 0 ? ('recovered' as const) : ('even' as const),
      recoveryS: i === 0 ? recoveryS : null,
      workLost: i === 0 ? recoveryS * 95 : 0,
      violatedS: i === 0 ? 30 : null,
      missingS: 0,
    })),
  };
  return {
    ...run,
    record: {
      ...run.record,
      plan: { ...plan, acts: [act] },
      overview: { ...overview, acts: [state] },
    },
  };
}
