import { fail, toAppError } from '../../../src/core/base/errors.ts';
import { isEnd, type PhaseName, type RunState } from '../../../src/core/run/states.ts';
import { isPhase, phaseSpan, windowsOf } from '../../../src/core/run/windows.ts';
import { waitUntil } from '../clock/jumps.ts';
import { readAfter } from '../snapshots/after.ts';
import { withEffects } from './acts/effects.ts';
import { type ActsUnderWay, prepareActs, startActs } from './acts/schedule.ts';
import { type RunContext, stopOrDetached } from './context.ts';
import { withDeadline } from './deadline.ts';
import { arrange } from './drs/placeVms.ts';
import { type VmWatch, watchVms } from './drs/watchVms.ts';
import { droppedFindings, finalScore, judge, scoreUntil } from './evaluate.ts';
import { gapsOf } from './gaps.ts';
import { measureIdle } from './idlePower.ts';
import { type Infrastructure, startInfrastructure } from './infra/loops.ts';
import { sweepRead } from './owedOutput.ts';
import { planPeriods, planSpans, tileSchedule } from './phases.ts';
import { collectLogs, prepareWorkloads } from './prepare.ts';
import { hasArranged, putBack } from './putBack.ts';
import { startTelemetry, type Telemetry } from './telemetry.ts';
import { undoLoads } from './undoLoads.ts';
import { watch } from './watch.ts';
import { endLoad } from './windDown.ts';
import { runWorkload } from './workload.ts';

type Step = (context: RunContext, parts: Parts) => Promise<void>;
/** What is open while load runs. */
interface Parts {
  telemetry: Telemetry | null;
  telemetryStop: AbortController;
  watch: Promise<void> | null;
  /** undefined = not begun; null = no vCenter. */ vms: VmWatch | null | undefined;
  /** undefined = not begun; null = the profile has none. */ infrastructure:
    Infrastructure | null | undefined;
  /** undefined = not begun; null = the plan has none. */ acts: ActsUnderWay | null | undefined;
}

/**
 * Every state's work. Each reads what is stored, so that a run can be picked up again in any of
 * them.
 */
const steps: Partial<Record<RunState, Step>> = {
  ready,
  starting,
  rampUp,
  steady,
  rampDown,
  collecting,
};

/**
 * Walks one run from where its record stands to an end state. Returns early, with the load left
 * running, only when the engine goes away. Reading `steps` is reading the plan of a run.
 */
export async function drive(context: RunContext): Promise<void> {
  const { run, detached, deps } = context;
  const parts: Parts = {
    telemetry: null,
    telemetryStop: new AbortController(),
    watch: null,
    vms: undefined,
    infrastructure: undefined,
    acts: undefined,
  };
  try {
    while (!isEnd(run.state()) && !detached.aborted) {
      const step = steps[run.state()];
      if (!step) throw fail('conflict', `A run in state ${run.state()} cannot be driven.`);
      try {
        await step(context, parts);
      } catch (error) {
        if (detached.aborted) return;
        await breakOff(context, parts, error);
      }
    }
  } catch (error) {
    // Also the way to the end failed: say so, end the load as far as possible, and end the run.
    deps.log.error('The run could not be ended in order', {
      run: run.id,
      error: toAppError(error).message,
    });
    run.finding({
      id: 'end',
      severity: 'block',
      text: `The run could not be ended in order: ${toAppError(error).message}`,
    });
    if (!isEnd(run.state())) run.moveTo('failed');
  } finally {
    parts.telemetryStop.abort();
    await parts.acts?.cancel();
    await parts.infrastructure?.cancel();
    await parts.telemetry?.stop();
    await context.pipeline.close();
    // A follower of a client that cannot be reached must not outlive its run.
    context.release();
    await parts.watch;
    run.flush();
  }
}

async function ready({ run }: RunContext): Promise<void> {
  run.moveTo('starting');
}

async function starting(context: RunContext): Promise<void> {
  const { run, deps } = context;
  await arrange(context, stopOrDetached(context));
  await prepareActs(context, stopOrDetached(context));
  await prepareWorkloads(context);
  await measureIdle(context);
  await untilLabMark(context);
  const startMs = deps.clock.now();
  const { phases } = run.record().plan;
  run.change(
    {},
    {
      startedAtMs: startMs,
      phases: planSpans(startMs, phases),
      periods: planPeriods(startMs, phases),
    },
  );
  context.verdict.begin(windowsOf(run.overview()));
  run.moveTo('rampUp');
}

/**
 * A point of a study on the simulated lab begins at a mark of the lab's time: with the same seed it
 * is the same at any pace.
 */
async function untilLabMark(context: RunContext): Promise<void> {
  const {
    run,
    deps: { clock, lab },
    connections,
  } = context;
  const { plan, testbed } = run.record();
  const vcenter = connections.find((c) => c.id === testbed.vcenterId);
  if (lab === null || plan.study === null || vcenter?.kind !== 'vcenter') return;
  await clock.sleep(lab.untilMarkMs(vcenter.host), stopOrDetached(context));
}

async function rampUp(context: RunContext, parts: Parts): Promise<void> {
  ensureLoad(context, parts);
  await untilPhaseEnds(context, 'rampUp');
  context.run.moveTo('steady');
}

async function steady(context: RunContext, parts: Parts): Promise<void> {
  ensureLoad(context, parts);
  parts.infrastructure ??= startInfrastructure(context);
  parts.acts ??= startActs(context);
  await untilPhaseEnds(context, 'steady');
  context.run.moveTo('rampDown');
}

async function rampDown(context: RunContext, parts: Parts): Promise<void> {
  const { run, deps, limits } = context;
  ensureLoad(context, parts);
  const operations = parts.infrastructure?.finish(
    run.record().plan.phases.rampDownS * 1_000 + limits.graceMs,
  );
  const acts = parts.acts?.finish(limits.graceMs);
  await Promise.all([untilPhaseEnds(context, 'rampDown'), operations, acts]);
  const late = new AbortController();
  const signal = AbortSignal.any([stopOrDetached(context), late.signal]);
  const patience = deps.clock.sleep(limits.graceMs, signal).then(
    () => 'late' as const,
    () => 'stopped' as const,
  );
  const ended = await Promise.race([
    Promise.all(context.workers.values()).then(() => 'ended' as const),
    patience,
  ]);
  late.abort();
  if (ended === 'late') await endLoad(context, limits.graceMs);
  stopOrDetached(context).throwIfAborted();
  run.moveTo('collecting');
}

async function collecting(context: RunContext, parts: Parts): Promise<void> {
  const { run, db, deps, limits } = context;
  ensureTelemetry(context, parts);
  parts.telemetryStop.abort();
  await parts.telemetry?.finish();
  await parts.vms?.finish();
  await context.pipeline.flush();
  await withDeadline(deps.clock, limits.cleanUpMs, async (deadline) => {
    const signal = AbortSignal.any([deadline, run.hard]);
    await collectLogs(context, signal);
  });
  await putBack(context);
  await withDeadline(deps.clock, limits.cleanUpMs, (deadline) =>
    readAfter(context, AbortSignal.any([deadline, run.hard])),
  );
  await undoLoads(context);
  await sweepRead(context);
  await context.pipeline.close();
  db.samples.finish(run.id);
  context.outages.settle(gapsOf(db, run.record()));
  for (const finding of droppedFindings(db.samples.dropped(run.id))) run.finding(finding);
  finish(context);
  deps.log.info('Run ended', { run: run.id, state: run.state() });
}

function finish(context: RunContext): void {
  const { run, db } = context;
  const { abortReason } = run.overview();
  const score =
    abortReason === null
      ? finalScore(db, run.record())
      : abortReason === 'qos'
        ? scoreUntil(db, run.record())
        : null;
  run.change({}, { score });
  if (run.overview().acts) run.change({}, { acts: withEffects(db, run.record()) });
  const verdict = judge(run.record(), score);
  run.change({}, { verdict });
  run.moveTo(verdict.outcome);
}

/**
 * The way out of a phase on an abort or an error: end the load, collect what there is, end the run.
 */
async function breakOff(context: RunContext, parts: Parts, error: unknown): Promise<void> {
  const { run, limits } = context;
  if (!run.stop.aborted) {
    const failure = toAppError(error);
    run.finding({
      id: 'run',
      severity: 'block',
      text: failure.message,
      ...(failure.hint ? { fix: failure.hint } : {}),
    });
    run.abort(
      failure.kind === 'unreachable'
        ? 'hostUnreachable'
        : failure.kind === 'timedOut'
          ? 'timedOut'
          : 'workloadFailed',
      failure.message,
      false,
    );
  }
  await parts.acts?.cancel();
  await parts.infrastructure?.cancel();
  await endLoad(context, run.hard.aborted ? 0 : limits.graceMs);
  parts.telemetryStop.abort();
  const { state } = run.overview();
  if (!run.hard.aborted && isPhase(state)) {
    run.moveTo('collecting');
    return;
  }
  if (parts.infrastructure || hasArranged(run.record())) await putBack(context);
  await undoLoads(context);
  await sweepRead(context);
  await context.pipeline.close();
  context.db.samples.finish(run.id);
  const verdict = judge(run.record(), null);
  run.change({}, { verdict });
  run.moveTo(verdict.outcome === 'passed' ? 'failed' : verdict.outcome);
}

/** Starts or finds every workload and the telemetry once; a second call changes nothing. */
function ensureLoad(context: RunContext, parts: Parts): void {
  const { run, units, workers } = context;
  const { phases, tiles } = run.record().plan;
  const startMs = run.overview().startedAtMs!;
  const schedule = tileSchedule(startMs, phases, tiles);
  for (const unit of units) {
    if (!workers.has(unit.entityId))
      workers.set(unit.entityId, runWorkload(context, unit, schedule[unit.tile]!));
  }
  parts.watch ??= watch(context);
  ensureTelemetry(context, parts);
}

function ensureTelemetry(context: RunContext, parts: Parts): void {
  const signal = AbortSignal.any([parts.telemetryStop.signal, context.detached, context.run.hard]);
  parts.telemetry ??= startTelemetry(context, signal);
  if (parts.vms === undefined) parts.vms = watchVms(context, signal);
}

async function untilPhaseEnds(context: RunContext, name: PhaseName): Promise<void> {
  const { run, deps } = context;
  const span = phaseSpan(run.overview(), name)!;
  await waitUntil(deps.clock, span.plannedEndMs, stopOrDetached(context));
  if (stopOrDetached(context).aborted) throw fail('aborted', 'The run was stopped.');
}
