import type { LabFault, LabTarget } from '../../../core/lab/lab.ts';

/**
 * What a fault is called, what it can hit, and what its amount means; `amount` null = it has none.
 */
export interface FaultKind {
  kind: LabFault['kind'];
  name: string;
  effect: string;
  target: LabTarget['kind'];
  amount: { label: string; initial: number; min: number; max: number; step: number } | null;
}
export const faultKinds: readonly FaultKind[] = [
  {
    kind: 'hostDown',
    name: 'Host down',
    effect: 'The host stops answering; its VMs stand still.',
    target: 'host',
    amount: null,
  },
  {
    kind: 'memoryPressure',
    name: 'Memory pressure',
    effect: 'A share of the host’s memory is gone; VMs balloon and swap.',
    target: 'host',
    amount: { label: 'Share of memory gone', initial: 0.3, min: 0.01, max: 0.95, step: 0.05 },
  },
  {
    kind: 'powerCap',
    name: 'Power cap',
    effect: 'The host is held below this power.',
    target: 'host',
    amount: { label: 'Cap (W)', initial: 200, min: 1, max: 100_000, step: 10 },
  },
  {
    kind: 'uplinkDown',
    name: 'Uplink down',
    effect: 'The network uplink carries nothing; flows move to the others.',
    target: 'uplink',
    amount: null,
  },
  {
    kind: 'lunSlow',
    name: 'LUN slow',
    effect: 'Every disk operation of the LUN takes this many times as long.',
    target: 'lun',
    amount: { label: 'Times as slow', initial: 4, min: 1, max: 1_000, step: 1 },
  },
  {
    kind: 'pathLost',
    name: 'Storage path lost',
    effect: 'The array of the LUN loses this many paths.',
    target: 'lun',
    amount: { label: 'Paths lost', initial: 1, min: 1, max: 64, step: 1 },
  },
  {
    kind: 'clientSaturated',
    name: 'Client saturated',
    effect: 'Other work takes this share of the client’s CPU.',
    target: 'client',
    amount: { label: 'Share of CPU taken', initial: 0.9, min: 0.01, max: 0.99, step: 0.05 },
  },
  {
    kind: 'clockSkew',
    name: 'Clock skew',
    effect: 'The clock of the client is off by this much.',
    target: 'client',
    amount: {
      label: 'Milliseconds ahead',
      initial: 2_000,
      min: -3_600_000,
      max: 3_600_000,
      step: 100,
    },
  },
  {
    kind: 'driverCrash',
    name: 'Driver crash',
    effect: 'The workload driver on the client ends with an error once, at the beginning.',
    target: 'client',
    amount: null,
  },
  {
    kind: 'meterSilent',
    name: 'Power meter silent',
    effect: 'The meter gives no reading.',
    target: 'meter',
    amount: null,
  },
  {
    kind: 'vmotionSpeed',
    name: 'Speed of vMotion',
    effect: 'Moves between hosts have this speed at most, less where uplinks have less room.',
    target: 'vcenter',
    amount: { label: 'Gb/s', initial: 1, min: 0.01, max: 100, step: 1 },
  },
  {
    kind: 'vcenterAway',
    name: 'vCenter away',
    effect: 'The vCenter does not answer.',
    target: 'vcenter',
    amount: null,
  },
];
export const faultKind = (kind: LabFault['kind']): FaultKind =>
  faultKinds.find((k) => k.kind === kind)!;
export const targetWords: Readonly<Record<LabTarget['kind'], string>> = {
  host: 'Host',
  lun: 'LUN',
  uplink: 'Uplink',
  client: 'Client machine',
  meter: 'Power meter',
  vcenter: 'vCenter',
};
