import type { WorkloadDemand } from '../../../src/core/lab/lab.ts';
import type { Profile } from '../../../src/core/profile/profile.ts';
import { profile } from './build.ts';
import type { Library, VmSize } from './library.ts';

/**
 * The VMmark 2.0 tile as the labs of E06 and E08 load it (resources/lab/workloads.json): mail,
 * Olio, three DVD Store front ends of which two come in bursts, and a standby server. Each workload
 * loads one VM, which stands for its web and database servers together.
 */
export const tile2Demands = (lib: Library): WorkloadDemand[] =>
  ['exchange', 'olio', 'dvdstore-a', 'dvdstore-b', 'dvdstore-c'].map((kind) =>
    lib.workload(`VMmark 2.0 ${kind}`),
  );

export const tile2Shapes = (lib: Library): Readonly<Record<string, VmSize>> =>
  lib.tile('VMmark 2.0');

const notSet = 'Not set: no public source gives one; normalised to a reference run';
const chosen = 'Chosen, one for E06 and E08; the limits of the benchmark are not public';
export const operationPauseS = (lib: Library): number => lib.pause('VMmark 2.0 operations');

/**
 * A profile with application and infrastructure parts. The weights are those published for version
 * 3; of 2.x only that it is a weighted average.
 */
export function tile2Profile(lib: Library, id: string, phases: Profile['phases']): Profile {
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
    minimumHosts: lib.given(
      'Least servers',
      { hosts: 2 },
      'chosen: of the benchmark, which is said to span hosts',
    ).hosts,
    description:
      'Five scored applications, a standby server and infrastructure operations, modelled. A ' +
      'scaling study, not a VMmark score.',
    workloads: [
      load('mail', 'exchange', 'Mail server', 'actions/s', lib.limit('VMmark 2.0 mail')),
      load('olio', 'olio', 'Olio', 'ops/s', lib.limit('VMmark 2.0 Olio')),
      load('dvdstore-a', 'dvdstore-a', 'DVD Store A', 'ops/s', lib.limit('VMmark 2.0 DVD Store')),
      load('dvdstore-b', 'dvdstore-b', 'DVD Store B', 'ops/s', lib.limit('VMmark 2.0 DVD Store')),
      load('dvdstore-c', 'dvdstore-c', 'DVD Store C', 'ops/s', lib.limit('VMmark 2.0 DVD Store')),
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
