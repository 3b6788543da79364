import { type Cause, causes } from '../../../../src/core/diagnosis/diagnosis.ts';
import type { LabFault, LabSpec } from '../../../../src/core/lab/lab.ts';
import type { BaseLab } from './baseLab.ts';
import type { Dice } from './random.ts';

/**
 * What a lab can have by itself. An act is known from the plan, never guessed: its rule is held
 * against runs with acts (`../../gallery/actPlans.test.ts`). A simulated LUN is locked without
 * reservations: that rule has its table alone. Every seed keeps its cause.
 */
export type PlantedCause = Exclude<Cause, 'acts' | 'reservations'>;
export const plantedCauses = causes.filter(
  (cause): cause is PlantedCause => cause !== 'acts' && cause !== 'reservations',
);

/**
 * A bottleneck in a lab: a device made smaller, or a fault; `strength` from 0 (hardly) to 1 (very
 * much). Leave it out and it is relieved.
 */
export interface Plant {
  cause: PlantedCause | 'none';
  /**
   * Present in the run that is well too, where it grows into a bottleneck with the tiles; else it
   * comes with the second run.
   */
  always: boolean;
  /** The lab with it. */
  apply(spec: LabSpec, strength: number): LabSpec;
  /** The lab relieved of it, where leaving it out changes more than that. */
  relieve?(spec: LabSpec, strength: number): LabSpec;
}

const geometric = (from: number, to: number, strength: number): number =>
  from * (to / from) ** strength;
const everyHost = (
  spec: LabSpec,
  change: (host: LabSpec['hosts'][number]) => Partial<LabSpec['hosts'][number]>,
): LabSpec => ({ ...spec, hosts: spec.hosts.map((host) => ({ ...host, ...change(host) })) });
const withFault = (
  spec: LabSpec,
  kind: LabFault['kind'],
  targetId: string,
  amount: number,
): LabSpec => ({
  ...spec,
  faults: [
    ...spec.faults,
    { id: `${kind}-${targetId}`, kind, targetId, amount, fromS: 0, toS: 1e7 },
  ],
});
const rounded = (value: number): number => Math.max(1, Math.round(value));

/** One way to make each cause, chosen by the dice. */
export function plant(cause: PlantedCause | 'none', base: BaseLab, dice: Dice): Plant {
  const { hosts, luns, clients } = base.spec;
  switch (cause) {
    case 'cpuSaturated':
      return {
        cause,
        always: true,
        apply: (spec, s) =>
          everyHost(spec, (host) => ({
            coreSpeed: geometric(host.coreSpeed, host.coreSpeed / 40, s),
          })),
      };
    case 'hostsImbalanced': {
      const share = dice.between(0.75, 1),
        home = dice.pick(hosts).id,
        places = new Map(base.spec.vms.map((vm) => [vm.id, dice.next() < share]));
      const slower = (spec: LabSpec, s: number): LabSpec =>
        everyHost(spec, (host) => ({
          coreSpeed: geometric(host.coreSpeed, host.coreSpeed / 20, s),
        }));
      // Relieved: the same processors, the VMs spread over all of them.
      return {
        cause,
        always: true,
        relieve: slower,
        apply: (spec, s) => ({
          ...slower(spec, s),
          vms: spec.vms.map((vm) => (places.get(vm.id) === true ? { ...vm, hostId: home } : vm)),
        }),
      };
    }
    case 'cpuReady': {
      const burst = { periodS: 20, onS: dice.pick([4, 5, 6]), factor: dice.between(3, 5) };
      const busy = (spec: LabSpec): LabSpec => ({
        ...spec,
        vms: spec.vms.map((vm) => ({ ...vm, vcpus: 4 })),
        workloads: spec.workloads.map((one) => ({ ...one, burst })),
      });
      // Fewer cores of the same speed; relieved: as many as they were.
      return {
        cause,
        always: true,
        relieve: busy,
        apply: (spec, s) =>
          everyHost(busy(spec), () => ({
            sockets: 1,
            coresPerSocket: rounded(geometric(16, 4, s)),
          })),
      };
    }
    case 'powerCap':
      return {
        cause,
        always: dice.next() < 0.5,
        apply: (spec, s) =>
          everyHost(spec, ({ power }) => ({
            power: { ...power, capW: Math.round(geometric(power.busyW, power.idleW * 1.02, s)) },
          })),
      };
    case 'memory': {
      if (dice.next() < 0.5) {
        const target = dice.pick(hosts).id;
        return {
          cause,
          always: false,
          apply: (spec, s) => withFault(spec, 'memoryPressure', target, 0.5 + 0.49 * s),
        };
      }
      return {
        cause,
        always: true,
        apply: (spec, s) =>
          everyHost(spec, () => ({ memoryGb: Math.round(geometric(128, 3, s) * 10) / 10 })),
      };
    }
    case 'lunQueue':
      return {
        cause,
        always: true,
        apply: (spec, s) =>
          everyHost(spec, (host) => ({
            hba: { ...host.hba, queueDepth: rounded(geometric(64, 1, s)) },
          })),
      };
    case 'spindles':
      return {
        cause,
        always: true,
        apply: (spec, s) => ({
          ...spec,
          luns: spec.luns.map((lun) => ({
            ...lun,
            disks: Math.max(2, rounded(geometric(60, 2, s)) & ~1),
          })),
        }),
      };
    case 'deviceLatency': {
      const target = dice.pick(luns).id;
      return {
        cause,
        always: false,
        apply: (spec, s) => withFault(spec, 'lunSlow', target, geometric(1.5, 60, s)),
      };
    }
    case 'uplink':
      return {
        cause,
        always: true,
        apply: (spec, s) =>
          everyHost(spec, (host) => ({
            uplinks: host.uplinks.map((one) => ({
              ...one,
              gbps: Math.round(geometric(4, 0.02, s) * 1_000) / 1_000,
            })),
          })),
      };
    case 'client': {
      if (dice.next() < 0.4) {
        const target = dice.pick(clients).id;
        return {
          cause,
          always: false,
          apply: (spec, s) =>
            withFault(spec, 'clientSaturated', target, 1 - geometric(0.3, 0.001, s)),
        };
      }
      return {
        cause,
        always: true,
        apply: (spec, s) => ({
          ...spec,
          clients: spec.clients.map((one) => ({
            ...one,
            cores: 2,
            coreSpeed: geometric(1, 0.02, s),
          })),
        }),
      };
    }
    case 'operations':
      return { cause, always: false, apply: (spec) => spec };
    // Something outside the testbed that the load waits for.
    case 'none': {
      const kind = dice.pick(base.kinds);
      return {
        cause,
        always: false,
        apply: (spec, s) => ({
          ...spec,
          workloads: spec.workloads.map((one) =>
            one.kind === kind ? { ...one, waitMs: geometric(20, 2_000, s) } : one,
          ),
        }),
      };
    }
  }
}

/**
 * Causes that one lab can have at once and that stay two: each alone breaks a limit, on a path of
 * its own.
 */
export const pairs: readonly (readonly [PlantedCause, PlantedCause])[] = [
  ['cpuSaturated', 'lunQueue'],
  ['cpuSaturated', 'spindles'],
  ['cpuSaturated', 'uplink'],
  ['cpuSaturated', 'client'],
  ['cpuSaturated', 'deviceLatency'],
  ['hostsImbalanced', 'spindles'],
  ['hostsImbalanced', 'uplink'],
  ['lunQueue', 'uplink'],
  ['lunQueue', 'client'],
  ['spindles', 'uplink'],
  ['spindles', 'client'],
  ['deviceLatency', 'uplink'],
  ['deviceLatency', 'client'],
  ['memory', 'uplink'],
  ['memory', 'spindles'],
  ['memory', 'lunQueue'],
  ['powerCap', 'spindles'],
  ['powerCap', 'uplink'],
  ['powerCap', 'lunQueue'],
  ['uplink', 'client'],
  ['memory', 'client'],
];
