import fc from 'fast-check';

import { type Profile, profileSchema } from '../profile/profile.ts';
import type { PeriodMeasurement } from '../run/scoreTypes.ts';

export const workload = (id: string, more: object = {}) => ({
  id,
  role: id,
  name: id.toUpperCase(),
  driver: 'x',
  unit: 'ops/s',
  reference: 10,
  referenceSource: 'made up',
  ...more,
});
export const operation = (id: string, reference: number | null = 20) => ({
  id,
  name: id,
  reference,
  referenceSource: 'made up',
});
export const overall = { application: 0.8, infrastructure: 0.2, source: 'Dell Technologies' };
interface Options {
  workloads?: object[];
  operations?: object[];
  overall?: object;
  periods?: string | null;
  power?: object;
}
export const make = ({
  workloads = [workload('db'), workload('web', { reference: 2 })],
  operations = [operation('vmotion'), operation('deploy', 5)],
  periods = 'median',
  ...rest
}: Options = {}): Profile =>
  profileSchema.parse({
    schemaVersion: 1,
    id: 'p',
    version: '1',
    name: 'P',
    description: '',
    phases: { rampUpS: 0, staggerS: 0, steadyS: 30, periods: 3, rampDownS: 0 },
    workloads,
    scoring: {
      tile: 'geometricMean',
      total: 'sum',
      periods,
      source: 'rule',
      infrastructure: {
        combine: 'geometricMean',
        operations,
        hostsPerLoop: 2,
        hostsPerLoopSource: 's',
        source: 'rule',
      },
      overall: rest.overall ?? overall,
      ...(rest.power ? { power: rest.power } : {}),
    },
  });
export const period = (
  index: number,
  tiles: readonly (readonly [number, number])[],
  infrastructure: Record<string, number> = { vmotion: 20, deploy: 5 },
): PeriodMeasurement => ({
  index,
  infrastructure,
  workloads: tiles.flatMap(([db, web], tile) => [
    { tile, workloadId: 'db', samples: 9, values: { throughput: db } },
    { tile, workloadId: 'web', samples: 9, values: { throughput: web } },
  ]),
});

export const rates = fc.double({ min: 0.1, max: 1e5, noNaN: true });
