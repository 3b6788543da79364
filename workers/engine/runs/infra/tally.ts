import type { MetricName } from '../../../../src/core/metric/metric.ts';
import type { RunEvent } from '../../../../src/core/run/run.ts';
import { infraKey } from '../../../../src/core/run/scoreTypes.ts';
import type { TaskFacts } from '../../deps/vcenter.ts';
import type { RunContext } from '../context.ts';
import type { OperationPlan } from './plan.ts';
import { createRateMeter } from './rate.ts';
import { taskTimes } from './stuck.ts';

/** Failures of one operation that become a mark on the time axis; the rest are counted. */
const toldFailures = 10;
/** Operations of one kind that become a mark each; all of them are in the series. */
const toldOperations = 200;

/** What one kind of operation did in a run: counted, stored as series, told. */
export interface Tally {
  readonly plan: OperationPlan;
  begin(atMs: number): number;
  /** `endMs`: when it ended, engine's clock. */
  done(
    token: number,
    of: {
      vmRef: string | null;
      startMs: number;
      endMs: number;
      attempts: number;
      tasks: readonly TaskFacts[];
    },
  ): void;
  failed(
    token: number,
    of: {
      vmRef: string | null;
      startMs: number;
      attempts: number;
      tasks: readonly TaskFacts[];
      message: string;
      /** false: it is tried again, only this try failed. */ last: boolean;
    },
  ): void;
  /** Neither done nor failed: it was ended with the steady state, or an abort. */
  drop(token: number): void;
  /** Drops all that have not ended. */
  dropOpen(): void;
  tellRates(nowMs: number): void;
  tell(periods: number): void;
}

/** From when to when operations are counted, and how long a bucket of their rate is. */
export interface TallySpan {
  fromMs: number;
  toMs: number;
  stepMs: number;
}

export function createTally(context: RunContext, plan: OperationPlan, span: TallySpan): Tally {
  const { run, deps } = context;
  const { id, name } = plan.operation;
  const key = infraKey(id);
  const meter = createRateMeter(span.fromMs, span.toMs, span.stepMs);
  const open = new Set<number>();
  const close = (token: number, endMs: number, counted: boolean): void => {
    open.delete(token);
    meter.end(token, endMs, counted);
  };
  let done = 0;
  let failed = 0;
  let retries = 0;
  let totalMs = 0;
  let lastFailure = '';
  let lastTMs = -Infinity;
  let marks = run
    .overview()
    .events.filter((event) => event.operation?.id === id && event.operation.ok).length;
  const vmName = (vmRef: string | null): string =>
    vmRef === null
      ? ''
      : ` of ${run.record().inventoryBefore?.vms.find((vm) => vm.ref === vmRef)?.name ?? vmRef}`;
  const push = (metric: MetricName, tMs: number, value: number | null): void => {
    const series = context.seriesId(key, metric);
    if (series !== undefined && value !== null) context.pipeline.push(series, tMs, value);
  };
  const mark = (
    kind: RunEvent['kind'],
    text: string,
    facts: NonNullable<RunEvent['operation']>,
  ): void => {
    run.event(kind, text, { entityId: key, by: 'run', operation: facts });
  };
  return {
    plan,
    begin(atMs) {
      const token = meter.start(atMs);
      open.add(token);
      return token;
    },
    done(token, { vmRef, startMs, endMs, attempts, tasks }) {
      const tookMs = endMs - startMs;
      const { queuedMs, ranMs } = taskTimes(tasks);
      close(token, endMs, true);
      done += 1;
      totalMs += tookMs;
      // Loops may end together; a series has one value a moment.
      const tMs = (lastTMs = Math.max(deps.clock.now(), lastTMs + 1));
      push('latencyMeanMs', tMs, tookMs);
      push('taskQueueMs', tMs, queuedMs);
      push('taskRunMs', tMs, ranMs);
      if (marks >= toldOperations) return;
      marks += 1;
      const facts = { id, vmRef, ok: true, attempts, tookMs, queuedMs, ranMs };
      mark('operation', `${name}${vmName(vmRef)}: ${doneWords(facts)}`, facts);
    },
    failed(token, { vmRef, startMs, attempts, tasks, message, last }) {
      const nowMs = deps.clock.now();
      close(token, nowMs, false);
      if (last) failed += 1;
      else retries += 1;
      lastFailure = message;
      if (failed + retries <= toldFailures)
        mark('fault', `${name}${vmName(vmRef)} failed${last ? '' : ', tried again'}: ${message}`, {
          id,
          vmRef,
          ok: false,
          attempts,
          tookMs: nowMs - startMs,
          ...taskTimes(tasks),
        });
    },
    drop(token) {
      close(token, deps.clock.now(), false);
    },
    dropOpen() {
      for (const token of open) close(token, deps.clock.now(), false);
    },
    // A bucket that ends with a period belongs to that period.
    tellRates(nowMs) {
      for (const { tMs, perHour } of meter.take(nowMs))
        push('throughput', tMs - 1, Math.round(perHour * 1_000) / 1_000);
    },
    tell(periods) {
      run.finding({
        id: key,
        severity: failed > 0 || done === 0 ? 'warn' : 'info',
        text: `${name}: ${totalWords({ done, failed, retries, totalMs, lastFailure }, plan.loops, periods)}`,
      });
    },
  };
}

type OperationFacts = NonNullable<RunEvent['operation']>;

const doneWords = ({
  attempts,
  tookMs,
  queuedMs,
  ranMs,
}: Pick<OperationFacts, 'attempts' | 'tookMs' | 'queuedMs' | 'ranMs'>): string => {
  const theirs =
    ranMs === null
      ? ''
      : `; in vCenter ${((queuedMs ?? 0) / 1_000).toFixed(1)} s queued, ${(ranMs / 1_000).toFixed(1)} s run`;
  const tries = attempts > 1 ? `, try ${attempts}` : '';
  return `done in ${(tookMs / 1_000).toFixed(1)} s${tries}${theirs}`;
};

/** What was done in all, in words. */
function totalWords(
  total: { done: number; failed: number; retries: number; totalMs: number; lastFailure: string },
  loops: number,
  periods: number,
): string {
  const { done, failed, retries, totalMs, lastFailure } = total;
  const mean = done > 0 ? `, mean ${(totalMs / done / 1_000).toFixed(1)} s` : '';
  const again = retries > 0 ? `, ${retries} ${retries === 1 ? 'try' : 'tries'} repeated` : '';
  return (
    `${done} done in ${loops} ${loops === 1 ? 'loop' : 'loops'} over ` +
    `${periods} ${periods === 1 ? 'period' : 'periods'}${mean}; ${failed} ` +
    `failed${again}${failed + retries > 0 ? `; last failure: ${lastFailure}` : ''}.`
  );
}
