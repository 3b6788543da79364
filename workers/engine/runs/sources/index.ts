import type { SeriesDef } from '../../../../src/core/metric/metric.ts';
import { clientMachines } from './clientMachines.ts';
import { counters } from './counters.ts';
import { esxtop } from './esxtop/index.ts';
import { linuxHosts } from './linuxHosts.ts';
import { operations } from './operations.ts';
import { power } from './power.ts';
import type { SeriesBasis, Source } from './types.ts';
import { vmCounters } from './vmCounters.ts';
import { workloads } from './workloads.ts';

/** All that gives samples of a run, in the order of its series. */
export const sources: readonly Source[] = [
  workloads,
  operations,
  counters,
  clientMachines,
  linuxHosts,
  power,
  vmCounters,
  esxtop,
];

/** Every series of a run, with dense ids from 0. */
export const seriesOf = (of: SeriesBasis): SeriesDef[] =>
  sources.flatMap((source) => source.series(of)).map((def, id) => ({ ...def, id }));
