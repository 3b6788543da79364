import type { MetricName } from '../metric/metric.ts';
import type { Evidence } from './diagnosis.ts';
import { type Case, evidence } from './diagnosisEvidence.ts';
import type { VmFeature } from './diagnosisFeatures.ts';
import { type Threshold, thresholds } from './diagnosisThresholds.ts';

/** VMs that are named beside a host or datastore: chosen, the rest is on the run's charts. */
const named = 3;

interface Share {
  metric: MetricName;
  label: string;
  unit: string;
  threshold: Threshold | null;
  of(vm: VmFeature): number | null;
  seriesIds(vm: VmFeature): readonly number[] | undefined;
}
/** Processors a VM kept busy: its use is told in percent of its own vCPUs. */
const cores: Share = {
  metric: 'cpuPct',
  label: 'vCPUs the VM kept busy',
  unit: '',
  threshold: null,
  of: ({ cpuPct, vcpus }) =>
    cpuPct === null || vcpus === null ? null : (cpuPct.mean * vcpus) / 100,
  seriesIds: ({ cpuPct }) => cpuPct?.seriesIds,
};
const ready: Share = {
  metric: 'readyPct',
  label: 'Ready time of the VM, a vCPU',
  unit: '%',
  threshold: thresholds.ready,
  of: ({ readyPct }) => readyPct?.mean ?? null,
  seriesIds: ({ readyPct }) => readyPct?.seriesIds,
};
const disk: Share = {
  metric: 'diskKBps',
  label: 'Disk traffic of the VM',
  unit: 'KB/s',
  threshold: null,
  of: ({ diskKBps }) => diskKBps?.mean ?? null,
  seriesIds: ({ diskKBps }) => diskKBps?.seriesIds,
};

const packets: Share = {
  metric: 'packetsTxPerS',
  label: 'Packets of the VM, both directions',
  unit: 'packets/s',
  threshold: null,
  of: ({ packetsPerS }) => packetsPerS?.mean ?? null,
  seriesIds: ({ packetsPerS }) => packetsPerS?.seriesIds,
};
const drops: Share = {
  metric: 'droppedTxPerS',
  label: 'Packets dropped at the VM, worse direction',
  unit: '%',
  threshold: thresholds.drops,
  of: ({ droppedPct }) => droppedPct?.mean ?? null,
  seriesIds: ({ droppedPct }) => droppedPct?.seriesIds,
};

/** The VMs that took, or lacked, most of something, of those that sit there; most first. */
function most(of: Case, sits: (vm: VmFeature) => boolean, share: Share): Evidence[] {
  return of.after.vms
    .filter((vm) => sits(vm) && (share.of(vm) ?? 0) > 0)
    .sort((a, b) => share.of(b)! - share.of(a)!)
    .slice(0, named)
    .map((vm) => {
      const earlier = of.before?.vms.find((one) => one.ref === vm.ref);
      return evidence(of, {
        metric: share.metric,
        label: share.label,
        id: vm.entityId,
        name: vm.name,
        unit: share.unit,
        before: earlier && share.of(earlier),
        after: share.of(vm),
        threshold: share.threshold,
        seriesIds: share.seriesIds(vm),
      });
    });
}

const sitsOn =
  (hostRefs: readonly string[]) =>
  ({ hostRef }: VmFeature): boolean =>
    hostRef !== null && hostRefs.includes(hostRef);

/** Which VMs took the processors of these hosts. */
export const vmsByCpu = (of: Case, hostRefs: readonly string[]): Evidence[] =>
  most(of, sitsOn(hostRefs), cores);
/** Which VMs waited longest for a processor of these hosts. */
export const vmsByReady = (of: Case, hostRefs: readonly string[]): Evidence[] =>
  most(of, sitsOn(hostRefs), ready);
/** Which VMs sent and received most packets on a host. */
export const vmsByPackets = (of: Case, hostRef: string): Evidence[] =>
  most(of, sitsOn([hostRef]), packets);
/** Which VMs of a host lost most packets at their adapters. */
export const vmsByDrops = (of: Case, hostRef: string): Evidence[] =>
  most(of, sitsOn([hostRef]), drops);
/** Which VMs made the traffic of a datastore, as far as each has its disks there alone. */
export const vmsByDisk = (of: Case, storeRef: string): Evidence[] =>
  most(of, ({ storeRefs }) => storeRefs.length === 1 && storeRefs[0] === storeRef, disk);
