import { fail, toAppError } from '../../../../src/core/base/errors.ts';
import type { ProvisionItem, ProvisionJob } from '../../../../src/core/testbed/provision.ts';
import type { Emit } from '../../../../src/wire/contract.ts';
import type { TestbedJobStore } from '../../db/types.ts';
import type { Clock } from '../../deps.ts';

/**
 * One job while this engine works on it: every change is told, and all but mere progress is stored
 * before it is told.
 */
export interface LiveJob {
  get(): ProvisionJob;
  item(key: string): ProvisionItem;
  change(
    patch: Partial<
      Pick<ProvisionJob, 'state' | 'folder' | 'endedAtMs' | 'error' | 'items' | 'startedAtMs'>
    >,
  ): void;
  changeItem(key: string, patch: Partial<Omit<ProvisionItem, 'key'>>): void;
  /** Progress of a clone: told, not stored. */
  progress(key: string, percent: number): void;
  /**
   * Nothing is stored or told any more: the engine closes, and the next one goes on from what is
   * stored.
   */
  stop(): void;
  readonly open: boolean;
}

export function createLiveJob(
  job: ProvisionJob,
  store: Pick<TestbedJobStore<ProvisionJob>, 'save'>,
  emit: Emit,
  clock: Pick<Clock, 'now'>,
): LiveJob {
  let current = job;
  let open = true;
  const tell = (next: ProvisionJob, keep: boolean): void => {
    if (!open) return;
    current = { ...next, rev: next.rev + 1, nowMs: clock.now() };
    if (keep) store.save(current);
    emit('provision.changed', current);
  };
  const withItem = (key: string, patch: Partial<ProvisionItem>): ProvisionJob => ({
    ...current,
    items: current.items.map((item) => (item.key === key ? { ...item, ...patch } : item)),
  });
  const itemOf = (key: string): ProvisionItem => {
    const item = current.items.find((one) => one.key === key);
    if (!item) throw fail('internal', `Job ${current.id} has no item ${key}.`);
    return item;
  };
  return {
    get: () => current,
    item: itemOf,
    change(patch) {
      tell({ ...current, ...patch }, true);
    },
    changeItem(key, patch) {
      tell(withItem(key, patch), true);
    },
    progress(key, percent) {
      const progressPct = Math.max(0, Math.min(100, Math.round(percent)));
      if (progressPct > (itemOf(key).progressPct ?? -1))
        tell(withItem(key, { progressPct }), false);
    },
    stop() {
      open = false;
    },
    get open() {
      return open;
    },
  };
}

/** An error as a job keeps it. */
export function errorOf(thrown: unknown): NonNullable<ProvisionItem['error']> {
  const error = toAppError(thrown);
  return {
    message: error.message,
    hint: error.hint ?? 'Retry; where it fails again, look at the task in vCenter.',
  };
}
