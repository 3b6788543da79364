import type {
  AbortReason,
  PhaseSpan,
  RunEvent,
  RunFinding,
  RunOverview,
  RunRecord,
  WorkloadStatus,
} from '../../../src/core/run/run.ts';
import { isEnd, move, type RunState } from '../../../src/core/run/states.ts';
import { createRecordKeeper, type KeeperDeps } from './recordKeeper.ts';

/**
 * The state of one run: the only place that changes it. Every change bumps `rev`; every durable
 * change is stored before it is told.
 */
export interface LiveRun {
  readonly id: string;
  record(): RunRecord;
  overview(): RunOverview;
  state(): RunState;
  moveTo(state: RunState): void;
  /** Changes what must survive a restart; stored at once. */
  change(patch: Partial<Omit<RunRecord, 'overview'>>, overview?: Partial<RunOverview>): void;
  /** Changes what can be told late (ages, scores); sent at most once a second. */
  touch(overview: Partial<RunOverview>): void;
  workload(entityId: string, patch: Partial<WorkloadStatus>): void;
  event(
    kind: RunEvent['kind'],
    text: string,
    options?: Partial<Pick<RunEvent, 'tMs' | 'untilMs' | 'entityId' | 'by' | 'operation'>>,
  ): RunEvent;
  /** The same id twice replaces the first: a finding says how things stand, not how often. */
  finding(finding: Omit<RunFinding, 'tMs'> & { tMs?: number }): void;
  /** Takes back what turned out not to be so, or stands in another finding. */
  withdraw(findingId: string): void;
  /** First reason wins. `hard` skips everything that waits. */
  abort(reason: AbortReason, text: string, hard: boolean): void;
  readonly stop: AbortSignal;
  readonly hard: AbortSignal;
  /** Stores and sends what was held back. */
  flush(): void;
  /** Stores the record if its last change could not be stored; false = still not. */
  store(): boolean;
}

export function createLiveRun(initial: RunRecord, deps: KeeperDeps): LiveRun {
  const { clock, emit } = deps;
  const stop = new AbortController();
  const hard = new AbortController();
  const keeper = createRecordKeeper(initial, deps, (why) => {
    if (!stop.signal.aborted)
      live.abort('storeFailed', `The run could not be stored: ${why}`, false);
  });
  const overviewNow = (): RunOverview => keeper.kept().overview;

  const live: LiveRun = {
    id: initial.overview.id,
    record: () => keeper.record(),
    overview: () => ({ ...keeper.record().overview, nowMs: clock.now() }),
    state: () => overviewNow().state,
    moveTo(state) {
      const { state: before, phases } = overviewNow();
      const next = move(before, state);
      const now = clock.now();
      keeper.apply({
        state: next,
        phases: phases.map((span) =>
          span.name === before && span.endMs === null ? { ...span, endMs: endOf(span, now) } : span,
        ),
        ...(isEnd(next) ? { endedAtMs: now } : {}),
      });
      live.event('state', next);
      keeper.store();
      emit('list.changed', { list: 'runs' });
    },
    change(patch, overview = {}) {
      keeper.patch(patch);
      keeper.durable(overview);
      keeper.store();
    },
    touch(overview) {
      keeper.apply(overview);
      if (keeper.isDue()) keeper.send();
    },
    workload(entityId, patch) {
      const state =
        patch.state === undefined
          ? undefined
          : keeper.record().overview.workloads.find((w) => w.entityId === entityId)?.state;
      keeper.later(entityId, patch);
      if (state !== patch.state) keeper.gather();
      else if (keeper.isDue()) live.touch({});
    },
    event(kind, text, options = {}) {
      const { events } = overviewNow();
      const event: RunEvent = {
        id: (events.at(-1)?.id ?? 0) + 1,
        tMs: options.tMs ?? clock.now(),
        kind,
        text,
        ...(options.untilMs !== undefined ? { untilMs: options.untilMs } : {}),
        ...(options.entityId ? { entityId: options.entityId } : {}),
        ...(options.by ? { by: options.by } : {}),
        ...(options.operation ? { operation: options.operation } : {}),
      };
      if (kind === 'tileStarted') {
        keeper.apply({ events: [...events, event] });
        keeper.gather();
      } else keeper.durable({ events: [...events, event] });
      return event;
    },
    finding(finding) {
      const others = overviewNow().findings.filter((f) => f.id !== finding.id);
      keeper.durable({ findings: [...others, { ...finding, tMs: finding.tMs ?? clock.now() }] });
    },
    withdraw(findingId) {
      const { findings } = overviewNow();
      const others = findings.filter((f) => f.id !== findingId);
      if (others.length < findings.length) keeper.durable({ findings: others });
    },
    abort(reason, text, isHard) {
      const { state, abortReason } = overviewNow();
      if (isEnd(state)) return;
      if (abortReason === null) {
        keeper.apply({ abortReason: reason });
        stop.abort(reason);
        live.event('abort', text);
      }
      if (isHard && !hard.signal.aborted) {
        stop.abort(reason);
        hard.abort(reason);
        live.event('abort', 'Hard abort: load ended at once');
      }
    },
    stop: stop.signal,
    hard: hard.signal,
    flush() {
      keeper.store();
      keeper.send();
    },
    store: () => keeper.store(),
  };
  return live;
}

/**
 * Load keeps to the plan while nobody looks: a phase found over late ended when it was due. Only a
 * ramp-down may last longer.
 */
const endOf = (span: PhaseSpan, nowMs: number): number =>
  span.name === 'rampDown' ? nowMs : Math.min(nowMs, span.plannedEndMs);
