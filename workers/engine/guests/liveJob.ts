import { fail } from '../../../src/core/base/errors.ts';
import type { GuestItem, GuestJob, GuestStep } from '../../../src/core/roles/job.ts';
import type { Emit } from '../../../src/wire/contract.ts';
import type { TestbedJobStore } from '../db/types.ts';
import type { Clock } from '../deps.ts';

/** One job while this engine works on it: every change is stored, then told. */
export interface LiveJob {
  get(): GuestJob;
  item(key: string): GuestItem;
  change(patch: Partial<Pick<GuestJob, 'state' | 'endedAtMs' | 'prepared'>>): void;
  changeItem(key: string, patch: Partial<Pick<GuestItem, 'state' | 'error' | 'steps'>>): void;
  changeStep(key: string, stepId: string, patch: Partial<Omit<GuestStep, 'id' | 'title'>>): void;
  /** Nothing is stored or told any more: the next engine goes on from what is stored. */
  stop(): void;
  readonly open: boolean;
}

export function createLiveJob(
  job: GuestJob,
  store: Pick<TestbedJobStore<GuestJob>, 'save'>,
  emit: Emit,
  clock: Pick<Clock, 'now'>,
): LiveJob {
  let current = job;
  let open = true;
  const put = (next: GuestJob): void => {
    if (!open) return;
    current = { ...next, rev: next.rev + 1, nowMs: clock.now() };
    store.save(current);
    emit('guest.changed', current);
  };
  const itemOf = (key: string): GuestItem => {
    const item = current.items.find((one) => one.key === key);
    if (!item) throw fail('internal', `Job ${current.id} has no machine ${key}.`);
    return item;
  };
  const changeItem: LiveJob['changeItem'] = (key, patch) =>
    put({
      ...current,
      items: current.items.map((item) => (item.key === key ? { ...item, ...patch } : item)),
    });
  return {
    get: () => current,
    item: itemOf,
    change: (patch) => put({ ...current, ...patch }),
    changeItem,
    changeStep: (key, stepId, patch) =>
      changeItem(key, {
        steps: itemOf(key).steps.map((step) => (step.id === stepId ? { ...step, ...patch } : step)),
      }),
    stop() {
      open = false;
    },
    get open() {
      return open;
    },
  };
}
