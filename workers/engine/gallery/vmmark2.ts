import type { WorkloadDemand } from '../../../src/shared/lab.ts';
import type { Profile } from '../../../src/shared/profile.ts';
import { profile } from './build.ts';
import type { Library } from './library.ts';

/**
 * The VMmark 2.0 tile as the labs of E06 and E08 load it (resources/lab/workloads.json): mail, Olio, three DVD Store front ends of which two
 * come in bursts, and a standby server. Each workload loads one VM, which stands for its web and database servers together.
 */
export const tile2Demands = (lib: Library): WorkloadDemand[] =>
  ['exchange', 'olio', 'dvdstore-a', 'dvdstore-b', 'dvdstore-c'].map((kind) =>
    lib.workload(`VMmark 2.0 ${kind}`),
  );

export const tile2Shapes = {
  mail: { vcpus: 4, memoryMb: 6_144, diskGb: 40, guest: 'Windows Server 2008' },
  olio: { vcpus: 4, memoryMb: 4_096, diskGb: 14, guest: 'SLES 11' },
  'dvdstore-a': { vcpus: 4, memoryMb: 3_072, diskGb: 20, guest: 'SLES 11' },
  'dvdstore-b': { vcpus: 2, memoryMb: 2_048, diskGb: 10, guest: 'SLES 11' },
  'dvdstore-c': { vcpus: 2, memoryMb: 2_048, diskGb: 10, guest: 'SLES 11' },
  standby: { vcpus: 1, memoryMb: 512, diskGb: 4, guest: 'Windows Server 2003' },
};

const notSet = 'Not set: no public source gives one; normalised to a reference run';
const chosen = 'Chosen, one for E06 and E08; the limits of the benchmark are not public';
/** Quality of service: mean response in ms of each application; and the pause between two operations of one kind. One set for every study. */
const limits = { mailMs: 1_500, olioMs: 110, dvdMs: 260 };
export const operationPauseS = 60;

/** A profile with application and infrastructure parts. The weights are those published for version 3; of 2.x only that it is a weighted average. */
export function tile2Profile(id: string, phases: Profile['phases']): Profile {
  const load = (workloadId: string, kind: string, name: string, unit: string, maxMs: number) => ({
    id: workloadId,
    role: workloadId,
    name,
    driver: 'simload',
    params: { kind, unit },
    unit,
    reference: null,
    referenceSource: notSet,
    qos: [{ metric: 'latencyMeanMs' as const, max: maxMs, unit: 'ms', source: chosen }],
  });
  const operation = (operationId: string, name: string) => ({
    id: operationId,
    name,
    reference: null,
    referenceSource: notSet,
  });
  return profile({
    id,
    name: 'VMmark 2.0 tile, modelled',
    phases,
    minimumHosts: 2,
    description:
      'Five scored applications, a standby server and infrastructure operations, modelled. A scaling study, not a VMmark score.',
    workloads: [
      load('mail', 'exchange', 'Mail server', 'actions/s', limits.mailMs),
      load('olio', 'olio', 'Olio', 'ops/s', limits.olioMs),
      load('dvdstore-a', 'dvdstore-a', 'DVD Store A', 'ops/s', limits.dvdMs),
      load('dvdstore-b', 'dvdstore-b', 'DVD Store B', 'ops/s', limits.dvdMs),
      load('dvdstore-c', 'dvdstore-c', 'DVD Store C', 'ops/s', limits.dvdMs),
      {
        id: 'standby',
        role: 'standby',
        name: 'Standby server',
        driver: 'heartbeat',
        params: {},
        unit: 'beats/s',
        scored: false,
        reference: null,
        referenceSource: 'Not scored',
      },
    ],
    scoring: {
      tile: 'geometricMean',
      total: 'sum',
      periods: 'mean',
      source: 'VMware VROOM 2010-12: weighted average of application and infrastructure throughput',
      infrastructure: {
        combine: 'geometricMean',
        operations: [
          operation('vmotion', 'vMotion'),
          operation('storageVmotion', 'Storage vMotion'),
          operation('deploy', 'Deploy'),
        ],
        hostsPerLoop: 2,
        hostsPerLoopSource: 'VMware VROOM 2011-01: grows with the hosts as N/2',
        source: 'Geometric mean as published for 3.x',
      },
      overall: {
        application: 0.8,
        infrastructure: 0.2,
        source: 'As published for 3.x (Dell Technologies); those of 2.x are not public',
      },
    },
  });
}
