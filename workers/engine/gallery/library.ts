import * as z from 'zod';

import hypervisorsJson from '../../../resources/lab/hypervisors.json' with { type: 'json' };
import knownMissesJson from '../../../resources/lab/knownMisses.json' with { type: 'json' };
import processorsJson from '../../../resources/lab/processors.json' with { type: 'json' };
import serversJson from '../../../resources/lab/servers.json' with { type: 'json' };
import storageJson from '../../../resources/lab/storage.json' with { type: 'json' };
import tilesJson from '../../../resources/lab/tiles.json' with { type: 'json' };
import workloadsJson from '../../../resources/lab/workloads.json' with { type: 'json' };
import { counted } from '../../../src/core/base/counted.ts';
import { type WorkloadDemand, workloadDemand } from '../../../src/core/lab/lab.ts';
import type { StudyBasis } from '../../../src/core/study/study.ts';

/** Lines of studies that the model is known to miss, each with its reason: shown as missed, and no failure of the tests. */
export const knownMisses: Readonly<Record<string, string>> = z
  .record(z.string().regex(/^E\d\d\.[A-Za-z0-9.-]+$/), z.string().min(20))
  .parse(knownMissesJson);

const positive = z.number().positive();
const whole = z.int().positive();
const why = z.string().min(5);
/** Studies that show little but this constant. */
const resultOf = z.array(z.string()).default([]);
const parts = {
  generations: z
    .record(
      z.string(),
      z.strictObject({
        workPerGhz: positive,
        hyperThreadGain: z.number().min(1),
        why,
        fourSockets: z.strictObject({ factor: positive, why, resultOf }).optional(),
      }),
    )
    .parse(processorsJson.generations),
  processors: z
    .record(
      z.string(),
      z.strictObject({ generation: z.string(), cores: whole, ghz: positive, source: why }),
    )
    .parse(processorsJson.models),
  hypervisors: z
    .record(
      z.string(),
      z.strictObject({
        cpuShare: z.number().min(0),
        usPerIo: z.number().min(0),
        usPerPacket: z.number().min(0),
        why,
        resultOf,
      }),
    )
    .parse(hypervisorsJson),
  disks: z
    .record(
      z.string(),
      z.strictObject({ rpm: positive, seekMs: positive, diskMbps: positive, why }),
    )
    .parse(storageJson.disks),
  arrays: z
    .record(
      z.string(),
      z.strictObject({
        readCacheMb: positive,
        writeCacheMb: positive,
        portGbps: positive,
        controllerUs: positive,
        controllerParallel: whole,
        why,
      }),
    )
    .parse(storageJson.arrays),
  hbas: z
    .record(z.string(), z.strictObject({ queueDepth: whole, gbps: positive, why }))
    .parse(storageJson.hbas),
  groups: z.record(z.string(), z.strictObject({ disks: whole, why })).parse(storageJson.groups),
  power: z
    .record(
      z.string(),
      z.strictObject({
        idleW: positive,
        busyW: positive,
        curve: positive.optional(),
        why,
        resultOf,
      }),
    )
    .parse(serversJson.power),
  clients: z
    .record(z.string(), z.strictObject({ cores: whole, coreSpeed: positive.optional(), why }))
    .parse(serversJson.clients),
  tiles: z
    .record(
      z.string(),
      z.strictObject({
        why,
        vms: z.record(
          z.string(),
          z.strictObject({ vcpus: whole, memoryMb: whole, diskGb: whole, guest: z.string() }),
        ),
      }),
    )
    .parse(tilesJson.tiles),
  limitsMs: z.record(z.string(), z.strictObject({ ms: positive, why })).parse(tilesJson.limitsMs),
  pausesS: z.record(z.string(), z.strictObject({ s: positive, why })).parse(tilesJson.pausesS),
  workloads: z
    .record(z.string(), z.strictObject({ published: z.string(), why, demand: workloadDemand }))
    .parse(workloadsJson),
};

export interface VmSize {
  vcpus: number;
  memoryMb: number;
  diskGb: number;
  guest: string;
}

/** What a study takes from the library; `basis` says what it took, and what of it is chosen. */
export interface Library {
  /** `hosts` and their speed; `sockets` counts where a core is slower among four. */
  processor(
    model: string,
    sockets?: number,
  ): {
    cpuModel: string;
    coresPerSocket: number;
    ghz: number;
    coreSpeed: number;
    hyperThreadGain: number;
  };
  hypervisor(version: string): { cpuShare: number; usPerIo: number; usPerPacket: number };
  disk(kind: string): { rpm: number; seekMs: number; diskMbps: number };
  array(
    model: string,
    ports: number,
  ): {
    model: string;
    ports: number;
    readCacheMb: number;
    writeCacheMb: number;
    portGbps: number;
    controllerUs: number;
    controllerParallel: number;
  };
  hba(kind: string, ports: number): { ports: number; queueDepth: number; gbps: number };
  /** How many disks a LUN has. */
  group(name: string): { disks: number };
  /** Watts of a server, idle and with every core busy. */
  power(server: string): { idleW: number; busyW: number; curve?: number };
  client(kind: string): { cores: number; coreSpeed?: number };
  /** The VMs of a tile by workload id. */
  tile(benchmark: string): Readonly<Record<string, VmSize>>;
  /** Longest mean response that counts as met, ms. */
  limit(name: string): number;
  /** Between two operations of one kind, s. */
  pause(name: string): number;
  workload(name: string): WorkloadDemand;
  /** Everything taken so far, each once. `serves` is filled in where all studies are known. */
  basis(): StudyBasis[];
}

/**
 * The one library of machines and loads that every ready-made study is built of (resources/lab): a study says what its post says and
 * what it sweeps, and takes the rest here, so that one thing has one set of constants. Throws a plain error for a name it has not.
 */
export function library(galleryId: string): Library {
  const taken = new Map<string, StudyBasis>();
  const take = (row: Omit<StudyBasis, 'serves'>): void => {
    taken.set(`${row.kind} ${row.what}`, { ...row, serves: 0 });
  };
  const kindOf = (studies: readonly string[]): StudyBasis['kind'] =>
    studies.includes(galleryId) ? 'result' : 'chosen';
  return {
    processor(model, sockets = 2) {
      const { generation, cores, ghz, source } = named(parts.processors, 'processor', model);
      const made = named(parts.generations, 'generation', generation);
      take({
        kind: source.startsWith('chosen') ? 'chosen' : 'sourced',
        what: model,
        figure: figure`${cores} cores, ${ghz} GHz`,
        source,
      });
      take({
        kind: 'chosen',
        what: `Work of a ${generation} core`,
        figure: figure`${made.workPerGhz} per GHz${made.hyperThreadGain > 1 ? figure`, ${made.hyperThreadGain} × with both threads` : ''}`,
        source: made.why,
      });
      const shared = sockets >= 4 ? made.fourSockets : undefined;
      if (shared)
        take({
          kind: kindOf(shared.resultOf),
          what: `A ${generation} core among four sockets`,
          figure: figure`${shared.factor} ×`,
          source: shared.why,
        });
      return {
        cpuModel: `${model} ${ghz} GHz`,
        coresPerSocket: cores,
        ghz,
        coreSpeed: round(made.workPerGhz * ghz * (shared?.factor ?? 1)),
        hyperThreadGain: made.hyperThreadGain,
      };
    },
    hypervisor(version) {
      const {
        why: source,
        resultOf: studies,
        ...cost
      } = named(parts.hypervisors, 'hypervisor', version);
      if (version !== 'none')
        take({
          kind: kindOf(studies),
          what: version,
          figure: figure`${cost.cpuShare * 100} % of a guest’s CPU, ${cost.usPerIo} µs per I/O, ${cost.usPerPacket} µs per packet`,
          source,
        });
      return cost;
    },
    disk(kind) {
      const { why: source, ...disk } = named(parts.disks, 'disk', kind);
      take({
        kind: 'chosen',
        what: `Disk ${kind}`,
        figure: figure`${disk.seekMs} ms per seek, ${disk.diskMbps} MB/s`,
        source,
      });
      return disk;
    },
    array(model, ports) {
      const { why: source, ...array } = named(parts.arrays, 'array', model);
      take({
        kind: 'chosen',
        what: model,
        figure: figure`${array.readCacheMb} MB of read cache, ${array.writeCacheMb} MB of write cache, ${array.controllerUs} µs per command`,
        source,
      });
      return { model, ports, ...array };
    },
    hba(kind, ports) {
      const { why: source, ...hba } = named(parts.hbas, 'adapter', kind);
      take({
        kind: sourcedOr('chosen', source),
        what: `Adapter ${kind}`,
        figure: figure`queue depth ${hba.queueDepth}`,
        source,
      });
      return { ports, ...hba };
    },
    group(name) {
      const { disks, why: source } = named(parts.groups, 'group of disks', name);
      take({
        kind: sourcedOr('chosen', source),
        what: name,
        figure: counted(disks, 'disk'),
        source,
      });
      return { disks };
    },
    power(server) {
      const {
        why: source,
        resultOf: studies,
        curve,
        ...watts
      } = named(parts.power, 'power of a', server);
      take({
        kind: kindOf(studies),
        what: `Power of ${server}`,
        figure: figure`${watts.idleW} to ${watts.busyW} W`,
        source,
      });
      return { ...watts, ...(curve === undefined ? {} : { curve }) };
    },
    client(kind) {
      const { why: source, cores, coreSpeed } = named(parts.clients, 'client of', kind);
      take({ kind: 'chosen', what: `Client of ${kind}`, figure: kind, source });
      return { cores, ...(coreSpeed === undefined ? {} : { coreSpeed }) };
    },
    tile(benchmark) {
      const { vms, why: source } = named(parts.tiles, 'tile of', benchmark);
      const sizes = Object.values(vms);
      take({
        kind: 'chosen',
        what: `Sizes of the VMs of a ${benchmark} tile`,
        figure: figure`${counted(sizes.length, 'VM')}, ${sizes.reduce((sum, vm) => sum + vm.vcpus, 0)} vCPUs, ${sizes.reduce((sum, vm) => sum + vm.memoryMb, 0) / 1_024} GB`,
        source,
      });
      return vms;
    },
    limit(name) {
      const { ms, why: source } = named(parts.limitsMs, 'limit', name);
      take({ kind: 'chosen', what: `Limit of ${name}`, figure: figure`${ms} ms`, source });
      return ms;
    },
    pause(name) {
      const { s, why: source } = named(parts.pausesS, 'pause', name);
      take({ kind: 'chosen', what: `Pause of ${name}`, figure: figure`${s} s`, source });
      return s;
    },
    workload(name) {
      const { published, why: source, demand } = named(parts.workloads, 'workload', name);
      if (published !== '') take({ kind: 'published', what: name, ...figureAndSource(published) });
      take({
        kind: 'chosen',
        what: `${name}, per operation`,
        figure: figure`${demand.cpuMsPerOp} ms of a reference core, think time ${demand.thinkMs / 1_000} s`,
        source,
      });
      return demand;
    },
    basis: () => [...taken.values()],
  };
}

const sourcedOr = (kind: StudyBasis['kind'], source: string): StudyBasis['kind'] =>
  /^\d* ?(as in )?seed \d{3}/.test(source) ? 'sourced' : kind;
/** A figure in words: no number with more digits than were ever set. */
const figure = (words: TemplateStringsArray, ...values: readonly (number | string)[]): string =>
  String.raw(
    { raw: words },
    ...values.map((value) => (typeof value === 'number' ? Number(value.toPrecision(6)) : value)),
  );
/** `35 MB/s from six disks (seed 002 line 14)`: what was published, and where. */
function figureAndSource(published: string): Pick<StudyBasis, 'figure' | 'source'> {
  const [, figure, source] = /^([^()]*) \(([^()]*)\)$/.exec(published) ?? [];
  return { figure: figure ?? published, source: source ?? published };
}
const round = (value: number): number => Number(value.toPrecision(4));
function named<T>(list: Readonly<Record<string, T>>, what: string, name: string): T {
  const found = list[name];
  if (found === undefined)
    throw new Error(`resources/lab has no ${what} ${name}; it has ${Object.keys(list).join(', ')}`);
  return found;
}
