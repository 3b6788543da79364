import { groupBy } from '../../../src/core/base/groupBy.ts';
import { type Score } from '../../../src/core/run/scoreTypes.ts';
import { isPhase } from '../../../src/core/run/windows.ts';
import { scoreAgainst, type ScoringReference } from '../../../src/core/score/score.ts';
import { pause } from '../clock/jumps.ts';
import type { RunContext } from './context.ts';
import { scoringReference } from './evaluate.ts';
import type { WorkloadUnit } from './series.ts';
import { label, silenceOf } from './workload.ts';

const tickMs = 1_000;
const scoreEveryMs = 5_000;
/**
 * A workload that says something every minute is not silent after 15 s: so many of its own
 * intervals at least.
 */
const silentIntervals = 2.5;

/**
 * Once a second: ages of the data, silent workloads, lost clients, and now and then the score so
 * far.
 */
export async function watch(context: RunContext): Promise<void> {
  const { run, deps, limits } = context;
  const over = AbortSignal.any([run.stop, context.detached]);
  const lostSinceMs = new Map<string, number>();
  const limitMs = Math.max(
    limits.silentMs,
    silentIntervals * run.record().plan.sampling.workloadMs,
  );
  const grainMs = (): number => deps.clock.grainMs?.() ?? 0;
  let scoredMs = -Infinity;
  let reference: ScoringReference | null = null;
  while (!over.aborted && isPhase(run.state())) {
    const now = deps.clock.now();
    const excusedMs = context.clockWatch.excusedUntilMs();
    const statuses = new Map(run.overview().workloads.map((w) => [w.entityId, w]));
    const silent: { unit: WorkloadUnit; ms: number }[] = [];
    for (const unit of context.units) {
      const status = statuses.get(unit.entityId);
      if (!status || (status.state !== 'running' && status.state !== 'lost')) {
        lostSinceMs.delete(unit.entityId);
        continue;
      }
      const heardMs =
        status.lastSampleMs ?? context.db.runs.job(run.id, unit.entityId)?.handle.startMs ?? now;
      const silentMs = now - Math.max(heardMs, lostSinceMs.get(unit.entityId) ?? 0, excusedMs);
      if (silentMs > limitMs && status.state === 'running') {
        lostSinceMs.set(unit.entityId, now);
        run.workload(unit.entityId, { state: 'lost', detail: 'no sample' });
        silent.push({ unit, ms: silentMs });
      }
      if (status.state === 'lost') {
        const sinceMs = lostSinceMs.get(unit.entityId) ?? now;
        lostSinceMs.set(unit.entityId, sinceMs);
        if (status.lastSampleMs !== null && now - status.lastSampleMs < limitMs / 2) {
          lostSinceMs.delete(unit.entityId);
          run.workload(unit.entityId, { state: 'running', detail: '' });
          context.outages.back(unit.assignment.clientId, silenceOf(unit));
        } else if (now - Math.max(sinceMs, excusedMs) > limits.lostMs) {
          context.outages.endedBy(unit.assignment.clientId, limits.lostMs);
          run.abort(
            'hostUnreachable',
            `${label(unit)} was lost for ${Math.round(limits.lostMs / 1_000)} s`,
            false,
          );
        }
      }
    }
    tellSilent(context, silent);
    if (run.state() === 'steady') context.verdict.judge(now);
    if (run.state() === 'steady' && now - scoredMs >= Math.max(scoreEveryMs, 10 * grainMs())) {
      scoredMs = now;
      const sofar = scoreSoFar(context, reference);
      // Another run does not change any more: it is read once.
      if (sofar.reference.kind !== 'itself') reference = sofar.reference;
      run.touch({ score: sofar.score });
    } else {
      run.touch({});
    }
    await pause(deps.clock, Math.max(tickMs, grainMs()), over);
  }
}

/** All workloads of a client that are found silent at once are told at once. */
function tellSilent(
  { outages }: RunContext,
  silent: readonly { unit: WorkloadUnit; ms: number }[],
): void {
  for (const [clientId, own] of groupBy(silent, ({ unit }) => unit.assignment.clientId)) {
    const longest = Math.max(...own.map(({ ms }) => ms));
    own.forEach(({ unit }) => {
      outages.lost(clientId, {
        key: silenceOf(unit),
        silent: own.map((one) => label(one.unit)),
        detail: `no sample for ${Math.round(longest / 1_000)} s`,
      });
    });
  }
}

/**
 * The score over the periods that have begun, from running means: cheap enough to tell every few
 * seconds.
 */
function scoreSoFar(
  context: RunContext,
  known: ScoringReference | null,
): { score: Score; reference: ScoringReference } {
  const record = context.run.record();
  const measured = context.verdict
    .measurements()
    .filter((p) => p.workloads.some((w) => w.samples > 0));
  const reference = known ?? scoringReference(context.db, record, measured);
  return {
    reference,
    score: scoreAgainst(record.profile, record.plan.tiles, measured, reference),
  };
}
