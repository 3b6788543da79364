import { mean, median } from '../stats/summary.ts';
import type { RunOverview, RunRecord, WorkloadStatus } from './run.ts';
import type { Score } from './scoreTypes.ts';
import { isEnd, type RunState, runStates } from './states.ts';
import { phaseAt, phasesEndMs } from './windows.ts';

/** The stretch of epoch milliseconds that can be played again. */
export interface ReplaySpan {
  startMs: number;
  endMs: number;
}

/**
 * From the launch of the load to the end; null for a run that never started. A run that goes on can
 * be replayed up to its newest snapshot.
 */
export function replaySpan(
  overview: Pick<RunOverview, 'startedAtMs' | 'endedAtMs' | 'nowMs'>,
): ReplaySpan | null {
  const { startedAtMs, endedAtMs, nowMs } = overview;
  if (startedAtMs === null) return null;
  return { startMs: startedAtMs, endMs: Math.max(startedAtMs, endedAtMs ?? nowMs) };
}

/**
 * The run as it stood at `tMs`, marked `replay`; from its end on it is the stored overview itself.
 * Known exactly: state, phases, periods, events, findings, abort, scores of completed periods.
 * Derived: a workload waits until its tile was started (the event, else the plan's stagger), is
 * lost between its events of fault and recovery, and has its stored state from its last sample on,
 * or from the end of the last phase where it gave none. Unparsed lines are counted at the end only:
 * when they came is not stored.
 */
export function overviewAt({ overview }: Pick<RunRecord, 'overview'>, tMs: number): RunOverview {
  const span = replaySpan(overview);
  if (span !== null && tMs >= span.endMs) return { ...overview, origin: 'replay' };
  const started = span !== null && tMs >= span.startMs;
  const events = overview.events.filter((e) => e.tMs <= tMs);
  return {
    ...overview,
    origin: 'replay',
    nowMs: tMs,
    state: stateAt(overview, tMs),
    endedAtMs: null,
    verdict: null,
    startedAtMs: started ? overview.startedAtMs : null,
    phases: started
      ? overview.phases.map((p) => (p.endMs !== null && p.endMs > tMs ? { ...p, endMs: null } : p))
      : [],
    periods: started ? overview.periods.filter((p) => p.startMs <= tMs) : [],
    abortReason: abortedBy(overview, tMs) ? overview.abortReason : null,
    workloads: overview.workloads.map((w) => workloadAt(overview, w, tMs)),
    events,
    findings: overview.findings.filter((f) => f.tMs <= tMs),
    score: scoreAt(overview, tMs),
    ...(overview.placement
      ? {
          placement: {
            ...overview.placement,
            moves: overview.placement.moves.filter((m) => m.tMs <= tMs),
          },
        }
      : {}),
  };
}

/**
 * Every moment at which `overviewAt` changes in more than its clock, ascending; the span's end is
 * the last.
 */
export function changeTimes(overview: RunOverview): number[] {
  const span = replaySpan(overview);
  if (span === null) return [];
  const times = [
    span.startMs,
    span.endMs,
    ...overview.phases.flatMap((p) => [p.startMs, p.endMs ?? p.plannedEndMs]),
    ...overview.periods.flatMap((p) => [p.startMs, p.endMs]),
    ...overview.events.map((e) => e.tMs),
    ...overview.findings.map((f) => f.tMs),
    ...(overview.placement?.moves ?? []).map((m) => m.tMs),
    ...overview.workloads.flatMap((w) => [startOf(overview, w.tile), loadEnd(overview, w)]),
  ];
  return [...new Set(times)]
    .filter((t) => t >= span.startMs && t <= span.endMs)
    .sort((a, b) => a - b);
}

/**
 * The state the last event of state names, else the phase that lasts, else what lies between and
 * around the phases. Never an end: that comes with the end.
 */
function stateAt(overview: RunOverview, tMs: number): RunState {
  const told = overview.events
    .filter((e) => e.kind === 'state' && e.tMs <= tMs)
    .map((e) => runStates.find((s) => s === e.text))
    .findLast((s) => s !== undefined && !isEnd(s));
  if (told !== undefined) return told;
  const phase = phaseAt(overview, tMs);
  if (phase !== undefined) return phase.name;
  const span = replaySpan(overview);
  if (span === null || tMs < span.startMs) return tMs < overview.createdAtMs ? 'draft' : 'checking';
  return (overview.phases[0]?.startMs ?? Infinity) <= tMs ? 'collecting' : 'starting';
}

function abortedBy(overview: RunOverview, tMs: number): boolean {
  return overview.events.some((e) => e.kind === 'abort' && e.tMs <= tMs);
}

/** When the load of a tile began, epoch milliseconds. */
function startOf(overview: RunOverview, tile: number): number {
  const told = overview.events.find(
    (e) => e.kind === 'tileStarted' && e.entityId === `tile.${tile}`,
  );
  if (told !== undefined) return told.tMs;
  const { rampUpS, staggerS } = overview.phasesPlanned;
  const tiles = overview.workloads.reduce((most, w) => Math.max(most, w.tile + 1), 1);
  const stepS = tiles > 1 ? Math.min(staggerS, rampUpS / (tiles - 1)) : 0;
  return (
    (overview.phases[0]?.startMs ?? overview.startedAtMs ?? overview.createdAtMs) +
    tile * stepS * 1_000
  );
}

/**
 * When the load of a workload ended as far as is known: its last sample; without samples the end of
 * the last phase.
 */
const loadEnd = (overview: RunOverview, workload: WorkloadStatus): number =>
  workload.lastSampleMs ??
  phasesEndMs(overview) ??
  replaySpan(overview)?.endMs ??
  overview.createdAtMs;

function workloadAt(overview: RunOverview, workload: WorkloadStatus, tMs: number): WorkloadStatus {
  const { detail: _said, ...bare } = workload;
  if (tMs < startOf(overview, workload.tile))
    return { ...bare, state: 'waiting', lastSampleMs: null, badLines: 0 };
  if (tMs > loadEnd(overview, workload)) return { ...workload, badLines: 0 };
  const link = overview.events.findLast(
    (e) =>
      (e.entityId === workload.entityId || e.entityId === workload.clientId) &&
      e.tMs <= tMs &&
      (e.kind === 'fault' || e.kind === 'recovered'),
  );
  const lost = link?.kind === 'fault';
  return {
    ...bare,
    state: lost ? 'lost' : 'running',
    lastSampleMs: workload.lastSampleMs === null ? null : lost ? link.tMs : tMs,
    badLines: 0,
    ...(lost ? { detail: link.text } : {}),
  };
}

/**
 * The score over the measurement periods that were complete at `tMs`, by the run's own rule; null
 * before the first.
 */
function scoreAt({ score, periods }: RunOverview, tMs: number): Score | null {
  if (score === null) return null;
  const complete = new Set(periods.filter((p) => p.endMs <= tMs).map((p) => p.index));
  const known = score.periods.filter((p) => complete.has(p.index));
  if (known.length === 0) return null;
  const totals = known.flatMap((p) => (p.total === null ? [] : [p.total]));
  const rule = score.periodRule;
  const combined =
    rule === 'mean' ? mean(totals) : rule === 'worst' ? Math.min(...totals) : median(totals);
  const total = totals.length === known.length ? combined : null;
  const chosen = rule === 'mean' ? undefined : known.find((p) => p.total === total);
  return {
    ...score,
    total,
    periods: known,
    chosenPeriod: total === null ? null : (chosen?.index ?? null),
    qosPassed: known.every((p) => p.qosPassed),
  };
}
