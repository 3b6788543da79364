import { toAppError } from '../../../src/core/base/errors.ts';
import type { RunOverview, RunRecord, WorkloadStatus } from '../../../src/core/run/run.ts';
import type { Emit } from '../../../src/wire/contract.ts';
import type { RunStore } from '../db/types.ts';
import type { Clock, Log } from '../deps.ts';

export interface KeeperDeps {
  clock: Clock;
  log: Log;
  store: RunStore;
  emit: Emit;
  /** Events, findings and workloads' states may wait this long to be stored; default 0. */
  lazyMs?: number;
}

/** The record of one run: changed, stored and told by its own rhythm. */
export interface RecordKeeper {
  /** As it is now, with every age that came. */
  record(): RunRecord;
  /** As it is but for the ages of workloads: costs nothing. */
  kept(): RunRecord;
  /** Changes the overview; neither stores nor tells it. */
  apply(overview: Partial<RunOverview>): void;
  /** Changes what stands beside the overview; neither stores nor tells it. */
  patch(patch: Partial<Omit<RunRecord, 'overview'>>): void;
  /** Changes the overview, stores it soon and tells it. */
  durable(overview: Partial<RunOverview>): void;
  /**
   * Stores and tells what was changed: the first change of a burst at once, the others of it
   * together. A run of a thousand loads would else be written whole a thousand times.
   */
  gather(): void;
  /** Changes a workload when the record is next looked at. */
  later(entityId: string, patch: Partial<WorkloadStatus>): void;
  /** Stores what is not stored yet; false = that failed. */
  store(): boolean;
  /** Tells it, with what was held back. */
  send(): void;
  /** True where it was not told for a second. */
  isDue(): boolean;
}

/** How long changes of a burst wait for each other. */
const gatherMs = 200;

/** `onStoreFailed`: the record could not be stored; it is kept here, and stored when it is asked. */
export function createRecordKeeper(
  initial: RunRecord,
  deps: KeeperDeps,
  onStoreFailed: (why: string) => void,
): RecordKeeper {
  const { clock, log, store, emit, lazyMs = 0 } = deps;
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
      const why = toAppError(error).message;
      log.error('The run record could not be stored', { run: record.overview.id, error: why });
      onStoreFailed(why);
    }
  };

  const durable = (overview: Partial<RunOverview>): void => {
    apply(overview);
    stored = false;
    if (clock.now() - savedMs >= lazyMs) save();
    send();
  };
  return {
    record() {
      settle();
      return record;
    },
    kept: () => record,
    apply,
    patch(patch) {
      record = { ...record, ...patch };
    },
    durable,
    gather: gatherer(
      // What is lazy is bounded by its own time, on a clock whose steps cost nothing.
      lazyMs > 0 ? null : () => clock.sleep(gatherMs),
      () => {
        stored = false;
      },
      () => {
        if (!stored) durable({});
      },
    ),
    later(entityId, patch) {
      late.set(entityId, { ...late.get(entityId), ...patch });
    },
    store() {
      if (!stored) save();
      return stored;
    },
    send,
    isDue: () => clock.now() - sentMs >= 1_000,
  };
}

/** The first call at once, those within `pause` after it together; null = each at once. */
function gatherer(pause: (() => Promise<void>) | null, mark: () => void, act: () => void) {
  let waiting = false;
  return (): void => {
    mark();
    if (waiting) return;
    act();
    if (pause === null) return;
    waiting = true;
    void pause().then(() => {
      waiting = false;
      // What was stored meanwhile was told then.
      act();
    });
  };
}
