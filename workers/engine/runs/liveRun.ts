import { toAppError } from '../../../src/core/base/errors.ts';
import {
  type AbortReason,
  isEnd,
  move,
  type PhaseSpan,
  type RunEvent,
  type RunFinding,
  type RunOverview,
  type RunRecord,
  type RunState,
  type WorkloadStatus,
} from '../../../src/core/run/run.ts';
import type { Emit } from '../../../src/wire/contract.ts';
import type { RunStore } from '../db/types.ts';
import type { Clock, Log } from '../deps.ts';

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
  finding(finding: Omit<RunFinding, 'tMs'>): void;
  /** First reason wins. `hard` skips everything that waits. */
  abort(reason: AbortReason, text: string, hard: boolean): void;
  readonly stop: AbortSignal;
  readonly hard: AbortSignal;
  /** Sends what was held back. */
  flush(): void;
  /** Stores the record if its last change could not be stored; false = still not. */
  store(): boolean;
}

export function createLiveRun(
  initial: RunRecord,
  deps: {
    clock: Clock;
    log: Log;
    store: RunStore;
    emit: Emit;
    /** Events, findings and workloads' states may wait this long to be stored; default 0. */ lazyMs?: number;
  },
): LiveRun {
  const { clock, log, store, emit, lazyMs = 0 } = deps;
  const stop = new AbortController();
  const hard = new AbortController();
  let record = initial;
  let sentMs = -Infinity;
  let stored = true;
  let savedMs = clock.now();

  /**
   * Ages of workloads that came since the record was last looked at: told in one go, whoever looks
   * first.
   */
  const late = new Map<string, Partial<WorkloadStatus>>();
  const settle = (): void => {
    if (late.size === 0) return;
    const workloads = record.overview.workloads.map((w) => {
      const patch = late.get(w.entityId);
      return patch ? { ...w, ...patch } : w;
    });
    late.clear();
    record = { ...record, overview: { ...record.overview, workloads } };
  };
  const send = (): void => {
    settle();
    sentMs = clock.now();
    emit('run.changed', record.overview);
  };
  const apply = (overview: Partial<RunOverview>): void => {
    settle();
    record = {
      ...record,
      overview: {
        ...record.overview,
        ...overview,
        rev: record.overview.rev + 1,
        nowMs: clock.now(),
      },
    };
  };
  const save = (): void => {
    savedMs = clock.now();
    try {
      store.save(record);
      stored = true;
    } catch (error) {
      // The run's clean-up must go on with a full disk; the record is kept and stored when there is
      // space again.
      stored = false;
      log.error('The run record could not be stored', {
        run: record.overview.id,
        error: toAppError(error).message,
      });
      if (!stop.signal.aborted)
        live.abort(
          'storeFailed',
          `The run could not be stored: ${toAppError(error).message}`,
          false,
        );
    }
  };
  const saveSoon = (): void => {
    stored = false;
    if (clock.now() - savedMs >= lazyMs) save();
  };
  const durable = (overview: Partial<RunOverview>): void => {
    apply(overview);
    saveSoon();
    send();
  };

  const live: LiveRun = {
    id: initial.overview.id,
    record: () => {
      settle();
      return record;
    },
    overview: () => {
      settle();
      return { ...record.overview, nowMs: clock.now() };
    },
    state: () => record.overview.state,
    moveTo(state) {
      const next = move(record.overview.state, state);
      const now = clock.now();
      // Load keeps to the plan while nobody looks: a phase found over late ended when it was due.
      // Only a ramp-down may last longer.
      const endOf = (span: PhaseSpan): number =>
        span.name === 'rampDown' ? now : Math.min(now, span.plannedEndMs);
      const phases = record.overview.phases.map((span) =>
        span.name === record.overview.state && span.endMs === null
          ? { ...span, endMs: endOf(span) }
          : span,
      );
      apply({ state: next, phases, ...(isEnd(next) ? { endedAtMs: now } : {}) });
      live.event('state', next);
      if (!stored) save();
      emit('list.changed', { list: 'runs' });
    },
    change(patch, overview = {}) {
      record = { ...record, ...patch };
      durable(overview);
      if (!stored) save();
    },
    touch(overview) {
      apply(overview);
      if (clock.now() - sentMs >= 1_000) send();
    },
    workload(entityId, patch) {
      const state =
        patch.state === undefined
          ? undefined
          : live.record().overview.workloads.find((w) => w.entityId === entityId)?.state;
      late.set(entityId, { ...late.get(entityId), ...patch });
      if (state !== patch.state) durable({});
      else if (clock.now() - sentMs >= 1_000) live.touch({});
    },
    event(kind, text, options = {}) {
      const { events } = record.overview;
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
      durable({ events: [...events, event] });
      return event;
    },
    finding(finding) {
      const others = record.overview.findings.filter((f) => f.id !== finding.id);
      durable({ findings: [...others, { ...finding, tMs: clock.now() }] });
    },
    abort(reason, text, isHard) {
      if (isEnd(record.overview.state)) return;
      if (record.overview.abortReason === null) {
        apply({ abortReason: reason });
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
    flush: send,
    store() {
      if (!stored) save();
      return stored;
    },
  };
  return live;
}
