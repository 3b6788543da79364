import { counted } from '../../../core/base/counted.ts';
import { noValue } from '../../../core/base/format.ts';
import {
  isProvisioning,
  provisionCounts,
  type ProvisionJob,
  type ProvisionPlan,
} from '../../../core/testbed/provision.ts';

/** Bytes in GiB, unrounded. */
export const gibOf = (bytes: number | null): number | null =>
  bytes === null ? null : bytes / 2 ** 30;
/** Bytes in GiB with one decimal; a dash where nobody said. */
export const gib = (bytes: number | null): string =>
  bytes === null
    ? noValue
    : bytes > 0 && bytes < 2 ** 30 / 20
      ? '< 0.1'
      : (bytes / 2 ** 30).toFixed(1);

/** `Tile 3 · database`. */
export const placeText = ({
  tileIndex,
  workloadId,
}: {
  tileIndex: number;
  workloadId: string;
}): string => (tileIndex < 0 ? 'no tile' : `Tile ${tileIndex + 1} · ${workloadId}`);

export const stepWords: Readonly<Record<ProvisionJob['items'][number]['step'], string>> = {
  waiting: 'Waiting',
  cloning: 'Cloning',
  registering: 'Reading back',
  cloned: 'Cloned',
  poweringOn: 'Powering on',
  checking: 'Checking',
  done: 'Made',
  failed: 'Failed',
  cancelled: 'Cancelled',
  removing: 'Removing',
  removed: 'Removed',
  unmade: 'Was not made',
};

/** What a plan would make, in one sentence. */
export function planSentence({ items, present, stores }: ProvisionPlan): string {
  const ready = items.filter((item) => item.problem === null).length;
  const needs = stores.map((store) => store.needBytes);
  const space = needs.includes(null)
    ? 'space not known'
    : `${gib(needs.reduce<number>((sum, bytes) => sum + (bytes ?? 0), 0))} GiB`;
  return [
    ready === 0
      ? 'No VM to make'
      : `${counted(ready, 'VM')} to make on ${counted(stores.length, 'datastore')}, ${space}`,
    ...(items.length > ready ? [`${items.length - ready} cannot be made`] : []),
    `${counted(present, 'workload has its VM', 'workloads have their VM')}.`,
  ].join('; ');
}

/** Where a job stands, in one sentence. */
export function jobSentence(job: ProvisionJob): string {
  const { total, done, failed, cancelled, removed, cloned, active, waiting } = provisionCounts(job);
  const unstarted = job.items.filter(
    (item) =>
      (item.step === 'failed' || item.step === 'cancelled') &&
      item.vmRef !== null &&
      job.purpose === 'make',
  ).length;
  const bits = [
    ...(cloned > 0 ? [`${cloned} cloned`] : []),
    ...(active > 0 ? [`${active} under way`] : []),
    ...(waiting > 0 ? [`${waiting} waiting`] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(cancelled > 0 ? [`${cancelled} cancelled`] : []),
    ...(unstarted > 0 ? [`${unstarted} of them cloned`] : []),
  ];
  const rest = bits.length > 0 ? `, ${bits.join(', ')}` : '';
  switch (job.state) {
    case 'running':
      return `${done} of ${counted(total, 'VM')} made${rest}.`;
    case 'cancelling':
      return `Cancelling: clones under way are ended in vCenter. ${done} of ${counted(total, 'VM')} made${rest}.`;
    case 'done':
      return `${counted(total, 'VM')} made${job.options.powerOn ? ' and running' : ', powered off'}.`;
    case 'failed':
      return job.purpose === 'remove'
        ? `${removed} of ${total} removed${rest}.`
        : `${done} of ${counted(total, 'VM')} made${rest}.`;
    case 'cancelled':
      return `Cancelled: ${done} of ${counted(total, 'VM')} made${rest}. What was made stays until it is cleaned up.`;
    case 'cleaningUp':
      return `Removing what was made: ${removed} of ${total} gone${rest}.`;
    case 'cleaned':
      return `Cleaned up: ${counted(removed, 'VM')} removed${job.error ? '' : '; nothing of this app is left'}.`;
  }
}

/** Share of a job that is done, in percent; work under way counts by its progress. */
export function progressOf(job: ProvisionJob): number {
  if (!isProvisioning(job)) return 100;
  const part = (item: ProvisionJob['items'][number]): number =>
    item.step === 'waiting' || item.step === 'removing'
      ? 0
      : item.step === 'cloning'
        ? ((item.progressPct ?? 0) / 100) * 0.9
        : item.step === 'registering' ||
            item.step === 'cloned' ||
            item.step === 'poweringOn' ||
            item.step === 'checking'
          ? 0.95
          : 1;
  return job.items.length === 0
    ? 0
    : (job.items.reduce((sum, item) => sum + part(item), 0) / job.items.length) * 100;
}
