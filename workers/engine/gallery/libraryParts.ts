import * as z from 'zod';

import hypervisorsJson from '../../../resources/lab/hypervisors.json' with { type: 'json' };
import knownMissesJson from '../../../resources/lab/knownMisses.json' with { type: 'json' };
import postsJson from '../../../resources/lab/posts.json' with { type: 'json' };
import processorsJson from '../../../resources/lab/processors.json' with { type: 'json' };
import serversJson from '../../../resources/lab/servers.json' with { type: 'json' };
import storageJson from '../../../resources/lab/storage.json' with { type: 'json' };
import tilesJson from '../../../resources/lab/tiles.json' with { type: 'json' };
import workloadsJson from '../../../resources/lab/workloads.json' with { type: 'json' };
import { workloadDemand } from '../../../src/core/lab/lab.ts';

/**
 * Lines of studies that the model is known to miss, each with its reason: shown as missed, and no
 * failure of the tests.
 */
export const knownMisses: Readonly<Record<string, string>> = z
  .record(z.string().regex(/^E\d\d\.[A-Za-z0-9.-]+$/), z.string().min(20))
  .parse(knownMissesJson);

const positive = z.number().positive();
const whole = z.int().positive();
const why = z.string().min(5);
/** Studies that show little but this constant. */
const resultOf = z.array(z.string()).default([]);
const named = <S extends z.ZodType>(row: S) => z.record(z.string(), row);

/** The sourced library (resources/lab), each row with its source or the reason it was chosen. */
export const parts = {
  /** What each study follows. */
  posts: named(z.strictObject({ title: z.string(), seed: z.string(), year: z.string() })).parse(
    postsJson,
  ),
  generations: named(
    z.strictObject({
      workPerGhz: positive,
      hyperThreadGain: z.number().min(1),
      why,
      fourSockets: z.strictObject({ factor: positive, why, resultOf }).optional(),
    }),
  ).parse(processorsJson.generations),
  processors: named(
    z.strictObject({ generation: z.string(), cores: whole, ghz: positive, source: why }),
  ).parse(processorsJson.models),
  hypervisors: named(
    z.strictObject({
      cpuShare: z.number().min(0),
      usPerIo: z.number().min(0),
      usPerPacket: z.number().min(0),
      why,
      resultOf,
    }),
  ).parse(hypervisorsJson),
  disks: named(z.strictObject({ rpm: positive, seekMs: positive, diskMbps: positive, why })).parse(
    storageJson.disks,
  ),
  arrays: named(
    z.strictObject({
      readCacheMb: positive,
      writeCacheMb: positive,
      portGbps: positive,
      controllerUs: positive,
      controllerParallel: whole,
      why,
    }),
  ).parse(storageJson.arrays),
  hbas: named(z.strictObject({ queueDepth: whole, gbps: positive, why })).parse(storageJson.hbas),
  groups: named(
    z.strictObject({
      disks: whole,
      raid: z.enum(['0', '1', '10', '5', '6']),
      sizeGb: positive,
      why,
    }),
  ).parse(storageJson.groups),
  machines: named(
    z.strictObject({
      vendor: z.string().optional(),
      model: z.string(),
      sockets: whole,
      memoryGb: positive,
      uplinkGbps: z.array(positive).min(1),
      why,
    }),
  ).parse(serversJson.machines),
  power: named(
    z.strictObject({
      idleW: positive,
      busyW: positive,
      curve: positive.optional(),
      why,
      resultOf,
    }),
  ).parse(serversJson.power),
  clients: named(z.strictObject({ cores: whole, coreSpeed: positive.optional(), why })).parse(
    serversJson.clients,
  ),
  vms: named(
    z.strictObject({
      vcpus: whole,
      memoryMb: whole,
      diskGb: whole.optional(),
      guest: z.string(),
      why,
    }),
  ).parse(tilesJson.vms),
  tiles: named(
    z.strictObject({
      why,
      vms: named(
        z.strictObject({ vcpus: whole, memoryMb: whole, diskGb: whole, guest: z.string() }),
      ),
    }),
  ).parse(tilesJson.tiles),
  limitsMs: named(z.strictObject({ ms: positive, why })).parse(tilesJson.limitsMs),
  pausesS: named(z.strictObject({ s: positive, why })).parse(tilesJson.pausesS),
  workloads: named(z.strictObject({ published: z.string(), why, demand: workloadDemand })).parse(
    workloadsJson,
  ),
};
