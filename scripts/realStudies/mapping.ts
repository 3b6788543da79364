import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import * as z from 'zod';

import { driverParams, phasesSchema } from '../../src/core/profile/profile.ts';
import { axisValue } from '../../src/core/study/study.ts';

/** What a load works on; `peers.ts` starts each. */
const peer = z.enum([
  'client',
  'mail',
  'site',
  'largeFile',
  'database',
  'shop',
  'memoryShop',
  'node',
  'rows',
  'ownFolder',
  'sharedFolder',
  'otherDisk',
  'packets',
]);
export type PeerName = z.infer<typeof peer>;

const load = z.strictObject({
  /** Workload of the gallery's profile. */
  id: z.string(),
  /** What it is called where the study file's name would say what is not here. */
  name: z.string().optional(),
  driver: z.string(),
  unit: z.string(),
  peer,
  /** Over those of the gallery where the driver is the same. */
  params: driverParams,
  standsFor: z.string().min(1),
});
export type RealLoad = z.infer<typeof load>;

/** What a level is, where it is more than a number. */
const change = z.strictObject({
  /** Workload → peer, of the level's own testbed. */
  peers: z.record(z.string(), peer).optional(),
  /** Where the VMs start, in the level's own testbed. */
  placement: z.enum(['oneHost', 'spread']).optional(),
  /** By hand: so many processors for every server and client. */
  processors: z.number().int().min(1).optional(),
  /** By hand: the version that hosts say they run. */
  build: z.string().optional(),
});
export type LevelChange = z.infer<typeof change>;

const axis = z.strictObject({
  name: z.string(),
  /**
   * `same`: the parameter of the study file. `testbed`, `profile`: a level has one of its own.
   * `byHand`: the study waits, and the command does it. `fixed`: one level, no axis. `added`: no
   * axis of the study file; a driver's parameter, or tiles.
   */
  how: z.enum(['same', 'testbed', 'profile', 'byHand', 'fixed', 'added']),
  label: z.string().optional(),
  unit: z.string().optional(),
  workloadId: z.string().optional(),
  /** Parameter of the driver in place of the simulated load's. */
  param: z.string().optional(),
  instruction: z.string().optional(),
  levels: z
    .array(
      z.strictObject({
        /** As the study file has it. */
        level: axisValue,
        runsAs: z.number().optional(),
        words: z.string().optional(),
        change: change.default({}),
      }),
    )
    .min(1),
});
export type RealAxis = z.infer<typeof axis>;

const study = z.strictObject({
  id: z.string(),
  tiles: z.number().int().min(1).max(4),
  phases: phasesSchema,
  axes: z.array(axis).min(1),
  load: z.union([z.string(), z.array(load)]),
  /** Parameters of this study alone, by workload. */
  params: z.record(z.string(), driverParams).default({}),
  power: z.boolean().default(false),
  infrastructure: z.boolean().default(false),
  scaledDown: z.array(z.string()).min(1),
  standIns: z.array(z.strictObject({ what: z.string(), why: z.string() })).min(1),
  figure: z.strictObject({ title: z.string(), measure: z.string(), unit: z.string() }),
});
const mappingSchema = z.strictObject({
  loads: z.record(z.string(), z.array(load)),
  studies: z.array(study),
});
/** One study of the gallery as it runs on real peers, with its loads. */
export type RealStudy = Omit<z.infer<typeof study>, 'load' | 'params'> & { loads: RealLoad[] };

/**
 * How each study of the gallery runs on real peers: `mapping.json` beside this file. Throws where a
 * study names a tile that is not there.
 */
export function readMapping(): RealStudy[] {
  const text = readFileSync(join('scripts', 'realStudies', 'mapping.json'), 'utf8');
  const { loads, studies } = mappingSchema.parse(JSON.parse(text));
  return studies.map(({ load: named, params, ...rest }) => {
    const found = typeof named === 'string' ? loads[named] : named;
    if (!found) throw new Error(`${rest.id}: the mapping has no such tile.`);
    return {
      ...rest,
      loads: found.map((one) => ({ ...one, params: { ...one.params, ...params[one.id] } })),
    };
  });
}
