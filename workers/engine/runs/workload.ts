import { AppError, toAppError } from '../../../src/core/base/errors.ts';
import type { MetricName } from '../../../src/core/metric/metric.ts';
import { workloadLabel } from '../../../src/core/run/entityNames.ts';
import { namesOf } from '../../../src/core/run/outages.ts';
import { waitUntil } from '../clock/jumps.ts';
import type { JobRow } from '../db/types.ts';
import type { JobEnd, SshHost } from '../deps/ssh.ts';
import { getDriver } from '../workloads/index.ts';
import { type RunContext, stopOrDetached } from './context.ts';
import type { LiveRun } from './liveRun.ts';
import type { WorkloadUnit } from './series.ts';
import { createFeed } from './sources/feed.ts';

/**
 * Load may outlive its plan by this much (a driver's own clean-up) before the client ends it by
 * itself.
 */
const timeLimitMarginS = 60;
/** A program that ends this much before its time is in its time. */
const earlyMs = 5_000;

/**
 * The life of one workload: wait for its tile's turn, start (or find) its remote job, follow it to
 * the end. Resolves when the job has ended; ends the run when the load fails, and only stops
 * looking when the engine goes away.
 */
export async function runWorkload(
  context: RunContext,
  unit: WorkloadUnit,
  schedule: { startMs: number; endMs: number },
): Promise<void> {
  const { run, deps } = context;
  try {
    const known = context.db.runs.job(run.id, unit.entityId);
    if (known?.ended) return;
    const host = await context.peers.client(unit.assignment.clientId);
    const job = known ?? (await start(context, unit, host, schedule));
    await follow(context, unit, host, job, schedule.endMs);
  } catch (error) {
    if (context.detached.aborted) return;
    const failure = toAppError(error);
    if (failure.kind === 'aborted' && run.stop.aborted) {
      run.workload(unit.entityId, { state: 'ended' });
      return;
    }
    deps.log.error('Workload failed', {
      run: run.id,
      workload: unit.entityId,
      error: failure.message,
    });
    run.workload(unit.entityId, { state: 'failed', detail: failure.message });
    if (failure.kind === 'unreachable') {
      const { clientId } = unit.assignment;
      context.outages.lost(clientId, {
        key: linkOf(unit),
        detail: failure.message,
        ...(failure.hint ? { fix: failure.hint } : {}),
      });
      context.outages.endedBy(clientId, 0);
    } else
      run.finding({
        id: `workload.${unit.entityId}`,
        severity: 'block',
        text: `${label(unit)} failed: ${failure.message}`,
        ...(failure.hint ? { fix: failure.hint } : {}),
      });
    run.abort(
      failure.kind === 'unreachable' ? 'hostUnreachable' : 'workloadFailed',
      `${label(unit)} failed: ${failure.message}`,
      false,
    );
  }
}

async function start(
  context: RunContext,
  unit: WorkloadUnit,
  host: SshHost,
  schedule: { startMs: number; endMs: number },
): Promise<JobRow> {
  const { run, deps } = context;
  await waitUntil(deps.clock, schedule.startMs, stopOrDetached(context));
  const lateMs = deps.clock.now() - schedule.startMs;
  if (lateMs > 10_000) {
    const subjects = withSubject(run, 'late', label(unit));
    run.finding({
      id: 'late',
      severity: 'warn',
      text:
        `${namesOf(subjects)} started late, at last by ${Math.round(lateMs / 1_000)} s, because ` +
        'the engine was away at its turn.',
      subjects,
    });
  }
  const durationS = Math.max(1, Math.ceil((schedule.endMs - deps.clock.now()) / 1_000));
  const driver = getDriver(unit.workload.driver);
  const command = driver.command(unit.params, {
    durationS,
    intervalS: run.record().plan.sampling.workloadMs / 1_000,
  });
  const handle = await host.startJob(
    { runId: run.id, jobId: unit.entityId, command, timeLimitS: durationS + timeLimitMarginS },
    stopOrDetached(context),
  );
  const offsetMs =
    run.record().clients.find((c) => c.id === unit.assignment.clientId)?.clockOffsetMs ?? 0;
  const job: JobRow = {
    runId: run.id,
    jobId: unit.entityId,
    clientId: unit.assignment.clientId,
    entityId: unit.entityId,
    handle,
    offsetMs,
    durationS,
    ended: false,
  };
  context.db.runs.saveJob(job);
  run.workload(unit.entityId, { state: 'running' });
  if (unit.workload.id === run.record().profile.workloads[0]?.id)
    run.event('tileStarted', `Tile ${unit.tile + 1} started`, { entityId: `tile.${unit.tile}` });
  return job;
}

async function follow(
  context: RunContext,
  unit: WorkloadUnit,
  host: SshHost,
  job: JobRow,
  plannedEndMs: number,
): Promise<void> {
  const { run } = context;
  run.workload(unit.entityId, { state: 'running' });
  const end = await readOutput(
    context,
    unit,
    host,
    job,
    (up, detail) => link(context, unit, up, detail),
    AbortSignal.any([run.hard, context.detached]),
  );
  // A program that the end of the run killed did not come back by that.
  if (!run.stop.aborted) {
    context.outages.back(unit.assignment.clientId, linkOf(unit));
    context.outages.back(unit.assignment.clientId, silenceOf(unit));
  }
  judgeEnd(context, unit, end, isEarly(job, end, plannedEndMs));
}

/**
 * Reads a job's output from the last journalled byte to its end, into the pipeline. The job counts
 * as ended once all of it is stored; until then its output stays on the client.
 */
export async function readOutput(
  context: RunContext,
  unit: WorkloadUnit,
  host: SshHost,
  job: JobRow,
  onLink: (up: boolean, detail: string) => void,
  signal: AbortSignal,
): Promise<JobEnd> {
  const { run, pipeline, seriesId } = context;
  const driver = getDriver(unit.workload.driver);
  // A fresh parser may repeat its last record: the feed leaves out what was stored before.
  const feed = createFeed(context, job.jobId);
  const { stored } = feed;
  let lastTMs = stored?.lastTMs ?? -Infinity;
  const ids = new Map<MetricName, number | undefined>();
  const parser = driver.parser(unit.params, {
    startMs: job.handle.startMs,
    intervalMs: run.record().plan.sampling.workloadMs,
    ...(stored ? { resume: stored.resume } : {}),
    emit(metric, clientTMs, value) {
      const tMs = clientTMs - job.offsetMs;
      const id = ids.has(metric) ? ids.get(metric) : seriesId(unit.entityId, metric);
      ids.set(metric, id);
      if (!feed.push(id, tMs, value)) return;
      lastTMs = Math.max(lastTMs, tMs);
      context.saturation.hear(unit, metric, tMs, value);
    },
  });
  if (Number.isFinite(lastTMs)) run.workload(unit.entityId, { lastSampleMs: lastTMs });

  const take = (chunk: Uint8Array): void => {
    const before = lastTMs;
    parser.push(chunk);
    feed.journal(lastTMs, parser.resume());
    context.saturation.tell(unit.assignment.clientId);
    if (lastTMs > before || parser.badLines > 0)
      run.workload(unit.entityId, {
        lastSampleMs: Number.isFinite(lastTMs) ? lastTMs : null,
        badLines: parser.badLines,
      });
  };
  const end = await host.followJob(job.handle, stored?.resume.offset ?? 0, take, onLink, signal);
  parser.end();
  feed.journal(lastTMs, parser.resume());
  context.saturation.tell(unit.assignment.clientId, true);
  if (await pipeline.flush()) context.db.runs.saveJob({ ...job, ended: true });
  if (parser.badLines > 0) {
    run.finding({
      id: `lines.${unit.entityId}`,
      severity: 'info',
      text:
        `${label(unit)}: ${parser.badLines} ${parser.badLines === 1 ? 'line' : 'lines'} of ` +
        `${driver.title} could not be used and ${parser.badLines === 1 ? 'was' : 'were'} left ` +
        `out, first: ${parser.badExamples[0] ?? ''}`,
    });
  }
  return end;
}

/**
 * Judged by the records of the job's own machine alone: whatever our clock does, a program that ran
 * its time is on time.
 */
function isEarly(job: JobRow, { ranMs }: JobEnd, plannedEndMs: number): boolean {
  if (ranMs === null) return false;
  const dueMs =
    job.durationS === undefined
      ? plannedEndMs - (job.handle.startMs - job.offsetMs)
      : job.durationS * 1_000;
  return ranMs < dueMs - earlyMs;
}

/** Signs that a client is away, as one of its workloads sees them. */
const linkOf = (unit: WorkloadUnit): string => `link ${unit.entityId}`;
export const silenceOf = (unit: WorkloadUnit): string => `silence ${unit.entityId}`;

function link(context: RunContext, unit: WorkloadUnit, up: boolean, detail: string): void {
  const { run, outages } = context;
  const { clientId } = unit.assignment;
  if (up) {
    run.workload(unit.entityId, { state: 'running', detail: '' });
    outages.back(clientId, linkOf(unit));
    outages.back(clientId, silenceOf(unit));
    return;
  }
  run.workload(unit.entityId, { state: 'lost', detail });
  outages.lost(clientId, { key: linkOf(unit), detail });
}

function judgeEnd(context: RunContext, unit: WorkloadUnit, end: JobEnd, early: boolean): void {
  const { run } = context;
  if (run.stop.aborted) {
    run.workload(unit.entityId, { state: 'ended' });
    return;
  }
  const how = end.exitCode !== null ? `exit code ${end.exitCode}` : (end.signal ?? 'no exit code');
  // Ended by the run itself after its time: late, not failed.
  if (run.overview().workloads.find((w) => w.entityId === unit.entityId)?.state === 'stopping') {
    run.workload(unit.entityId, { state: 'ended' });
    const subjects = withSubject(run, 'late-end', label(unit));
    run.finding({
      id: 'late-end',
      severity: 'warn',
      text: `After the ramp-down these still ran and were ended: ${namesOf(subjects)}.`,
      subjects,
    });
    return;
  }
  if (end.exitCode === 0 && !early) {
    run.workload(unit.entityId, { state: 'ended' });
    return;
  }
  const tail = end.stderrTail.trim().split('\n').at(-1) ?? '';
  throw new AppError({
    kind: 'conflict',
    message: early
      ? `it ended before its time (${how})${tail ? `: ${tail}` : ''}`
      : `it ended with ${how}${tail ? `: ${tail}` : ''}`,
    hint: `See the log of ${label(unit)}; run the command by hand on the client.`,
  });
}

/** What a finding is about, with one more: the same cause stands in one finding. */
export const withSubject = (run: LiveRun, findingId: string, subject: string): string[] => [
  ...new Set([
    ...(run.overview().findings.find((one) => one.id === findingId)?.subjects ?? []),
    subject,
  ]),
];

export function label(unit: WorkloadUnit): string {
  return workloadLabel(unit.tile, unit.workload.name);
}
