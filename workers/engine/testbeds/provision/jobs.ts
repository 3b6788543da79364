import {
  type ProvisionItem,
  type ProvisionJob,
  type ProvisionPlan,
} from '../../../../src/core/testbed/provision.ts';

/** Jobs as they begin: what their items and states are before anything of them is worked. */

type Begun = Pick<
  ProvisionJob,
  'id' | 'testbedId' | 'vcenterId' | 'state' | 'purpose' | 'options' | 'items'
>;

/** A job of which nothing was done. */
export function newJob(begun: Begun, nowMs: number): ProvisionJob {
  return {
    ...begun,
    rev: 0,
    folder: null,
    startedAtMs: nowMs,
    endedAtMs: null,
    nowMs,
    error: null,
  };
}

/** The same job begun again for other items: folder, options and id stay. */
export function jobAgain(
  job: ProvisionJob,
  purpose: ProvisionJob['purpose'],
  items: ProvisionItem[],
  nowMs: number,
): ProvisionJob {
  return {
    ...job,
    purpose,
    state: purpose === 'make' ? 'running' : 'cleaningUp',
    items,
    error: null,
    startedAtMs: nowMs,
    endedAtMs: null,
  };
}

/** Items of what a plan can make; what has a problem is left out. */
export function itemsToMake(planned: ProvisionPlan['items']): ProvisionItem[] {
  return planned
    .filter((item) => item.problem === null)
    .map(({ key, tileIndex, workloadId, name, template, host, datastore }) => ({
      key,
      tileIndex,
      workloadId,
      name,
      template: template!,
      host: host!,
      datastore: datastore!,
      step: 'waiting',
      progressPct: null,
      error: null,
      note: null,
      vmRef: null,
      taskRef: null,
      startedAtMs: null,
      endedAtMs: null,
    }));
}

/**
 * What failed or was cancelled, waiting again: of a removal that alone, of a making beside what is
 * done. null = nothing failed and nothing was cancelled.
 */
export function itemsToRetry({ purpose, items }: ProvisionJob): ProvisionItem[] | null {
  const wanted = ({ step }: ProvisionItem): boolean => step === 'failed' || step === 'cancelled';
  if (!items.some(wanted)) return null;
  if (purpose === 'remove')
    return items.filter(wanted).map((item) => ({ ...item, step: 'waiting', error: null }));
  return items.map((item) =>
    wanted(item)
      ? { ...item, step: 'waiting', error: null, note: null, progressPct: null, endedAtMs: null }
      : item,
  );
}
