import { counted } from '../../../src/core/base/counted.ts';
import type { WorkloadDemand } from '../../../src/core/lab/lab.ts';
import type { StudyBasis } from '../../../src/core/study/study.ts';
import { figureText, type StatedFigures } from './figureText.ts';
import { parts } from './libraryParts.ts';

export interface VmSize {
  vcpus: number;
  memoryMb: number;
  diskGb: number;
  guest: string;
}

interface Group {
  disks: number;
  raid: '0' | '1' | '10' | '5' | '6';
  sizeGb: number;
}
export interface Server {
  vendor?: string;
  model: string;
  sockets: number;
  memoryGb: number;
  uplinks: { id: string; gbps: number }[];
  power: { idleW: number; busyW: number; curve?: number };
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
  /** A LUN: how many disks it has, how they are bound together, and its size. */
  group(name: string): Group;
  /** A server without its processors, with its watts. */
  server(name: string): Server;
  client(kind: string): { cores: number; coreSpeed?: number };
  /** A VM that is in no tile. */
  vm(name: string): Omit<VmSize, 'diskGb'> & Partial<Pick<VmSize, 'diskGb'>>;
  /** The VMs of a tile by workload id. */
  tile(benchmark: string): Readonly<Record<string, VmSize>>;
  /** Longest mean response that counts as met, ms. */
  limit(name: string): number;
  /** Between two operations of one kind, s. */
  pause(name: string): number;
  workload(name: string): WorkloadDemand;
  /** When the post appeared. */
  year(): string;
  /** A place in the post that the study follows: `Title, seed 000 line 42`. */
  line(number: number): string;
  /**
   * What stands in the study itself, as what it sweeps or how long it measures: told with the line
   * of its post, or with
   * `chosen: …`. Throws a plain error for a source that is neither.
   */
  given<T extends StatedFigures>(what: string, figures: T, source: string): T;
  /** Values of an axis, in the same way. */
  swept<T extends string | number>(what: string, values: readonly T[], source: string): T[];
  /**
   * Figures that the post gives and the study is held against: told as published, beside what the
   * model gives.
   */
  posted<T>(figures: T, source: string): T;
  /** Everything taken so far, each once. `serves` is filled in where all studies are known. */
  basis(): StudyBasis[];
}

/** Why a study measures as long and as often as it does, where its post does not say. */
export const chosenTimes =
  'chosen: the post does not say; long enough that noise of a reading is small beside what is shown';

/** How eagerly DRS balances where a post does not say. */
export const chosenStars = 'chosen: the default of the field; the post does not say';

/**
 * The one library of machines and loads that every ready-made study is built of (resources/lab): a
 * study says what its post says and what it sweeps, and takes the rest here, so that one thing has
 * one set of constants. Throws a plain error for a name it has not.
 */
export function library(galleryId: string): Library {
  const taken = new Map<string, StudyBasis>();
  const shelf: Shelf = {
    galleryId,
    take(row) {
      taken.set(`${row.kind} ${row.what}`, { ...row, serves: 0 });
    },
    kindOf: (studies) => (studies.includes(galleryId) ? 'result' : 'chosen'),
  };
  return {
    ...machines(shelf),
    ...storage(shelf),
    ...loads(shelf),
    ...statements(shelf),
    basis: () => [...taken.values()],
  };
}

/** What one study takes from. */
interface Shelf {
  readonly galleryId: string;
  /** Notes what was taken: once, by what it is. */
  take: (row: Omit<StudyBasis, 'serves'>) => void;
  /** Whether a constant is the result of this study, by the studies that show little else. */
  kindOf: (studies: readonly string[]) => StudyBasis['kind'];
}

const machines = ({
  take,
  kindOf,
}: Shelf): Pick<Library, 'processor' | 'hypervisor' | 'server' | 'client'> => ({
  processor(model, sockets = 2) {
    const { generation, cores, ghz, source } = named(parts.processors, 'processor', model);
    const made = named(parts.generations, 'generation', generation);
    take({
      kind: /^chosen/i.test(source) ? 'chosen' : 'sourced',
      what: model,
      figure: figure`${cores} cores, ${ghz} GHz`,
      source,
    });
    take({
      kind: 'chosen',
      what: `Work of a ${generation} core`,
      figure:
        figure`${made.workPerGhz} per GHz` +
        (made.hyperThreadGain > 1 ? figure`, ${made.hyperThreadGain} × with both threads` : ''),
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
        figure:
          figure`${cost.cpuShare * 100} % of a guest’s CPU, ` +
          figure`${cost.usPerIo} µs per I/O, ${cost.usPerPacket} µs per packet`,
        source,
      });
    return cost;
  },
  server(name) {
    const { why: source, uplinkGbps, vendor, ...machine } = named(parts.machines, 'server', name);
    take({
      kind: sourcedOr('chosen', source),
      what: name,
      figure:
        figure`${counted(machine.sockets, 'socket')}, ${machine.memoryGb} GB, ` +
        figure`uplinks of ${uplinkGbps.join(', ')} Gb/s`,
      source,
    });
    const power = named(parts.power, 'power of a', name);
    take({
      kind: kindOf(power.resultOf),
      what: `Power of ${name}`,
      figure: figure`${power.idleW} to ${power.busyW} W`,
      source: power.why,
    });
    const { idleW, busyW, curve } = power;
    return {
      ...machine,
      ...(vendor === undefined ? {} : { vendor }),
      uplinks: uplinkGbps.map((gbps, i) => ({ id: `vmnic${i}`, gbps })),
      power: { idleW, busyW, ...(curve === undefined ? {} : { curve }) },
    };
  },
  client(kind) {
    const { why: source, cores, coreSpeed } = named(parts.clients, 'client of', kind);
    take({ kind: 'chosen', what: `Client of ${kind}`, figure: kind, source });
    return { cores, ...(coreSpeed === undefined ? {} : { coreSpeed }) };
  },
});

const storage = ({ take }: Shelf): Pick<Library, 'disk' | 'array' | 'hba' | 'group'> => ({
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
      what: `${model}, ${counted(ports, 'port')}`,
      figure:
        figure`${array.readCacheMb} MB of read cache, ` +
        figure`${array.writeCacheMb} MB of write cache, ${array.controllerUs} µs per command`,
      source,
    });
    return { model, ports, ...array };
  },
  hba(kind, ports) {
    const { why: source, ...hba } = named(parts.hbas, 'adapter', kind);
    take({
      kind: sourcedOr('chosen', source),
      what: `Adapter ${kind}, ${counted(ports, 'port')}`,
      figure: figure`queue depth ${hba.queueDepth}`,
      source,
    });
    return { ports, ...hba };
  },
  group(name) {
    const { why: source, ...group } = named(parts.groups, 'group of disks', name);
    take({
      kind: sourcedOr('chosen', source),
      what: name,
      figure: figure`${counted(group.disks, 'disk')}, RAID ${group.raid}, ${group.sizeGb} GB`,
      source,
    });
    return group;
  },
});

const loads = ({ take }: Shelf): Pick<Library, 'vm' | 'tile' | 'limit' | 'pause' | 'workload'> => ({
  vm(name) {
    const { why: source, diskGb, ...size } = named(parts.vms, 'VM', name);
    take({
      kind: sourcedOr('chosen', source),
      what: name,
      figure:
        figure`${counted(size.vcpus, 'vCPU')}, ${size.memoryMb / 1_024} GB` +
        (diskGb === undefined ? '' : figure`, a disk of ${diskGb} GB`),
      source,
    });
    return { ...size, ...(diskGb === undefined ? {} : { diskGb }) };
  },
  tile(benchmark) {
    const { vms, why: source } = named(parts.tiles, 'tile of', benchmark);
    const sizes = Object.values(vms);
    const vcpus = sizes.reduce((sum, vm) => sum + vm.vcpus, 0);
    const memoryMb = sizes.reduce((sum, vm) => sum + vm.memoryMb, 0);
    take({
      kind: 'chosen',
      what: `Sizes of the VMs of a ${benchmark} tile`,
      figure: figure`${counted(sizes.length, 'VM')}, ${vcpus} vCPUs, ${memoryMb / 1_024} GB`,
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
});

/** What the post and the study say themselves. */
function statements({
  galleryId,
  take,
}: Shelf): Pick<Library, 'year' | 'line' | 'given' | 'swept' | 'posted'> {
  const post = (): (typeof parts.posts)[string] => named(parts.posts, 'post of', galleryId);
  return {
    year: () => post().year,
    line: (number) => `${post().title}, seed ${post().seed} line ${number}`,
    given(what, figures, source) {
      take({
        kind: statedKind(source),
        what: `${galleryId}: ${what}`,
        figure: figureText(figures),
        source,
      });
      return figures;
    },
    swept(what, values, source) {
      take({
        kind: statedKind(source),
        what: `${galleryId}: ${what}`,
        figure: values.join(', '),
        source,
      });
      return [...values];
    },
    posted(figures, source) {
      statedKind(source);
      return figures;
    },
  };
}

/** By how a source begins and ends; throws where it is no source. */
function statedKind(source: string): 'sourced' | 'chosen' {
  if (/^chosen: .{10,}/i.test(source)) return 'chosen';
  if (/^.{10,}, seed \d{3} lines? \d+/.test(source)) return 'sourced';
  throw new Error(`No source: "${source}". A line of a post (lib.line) or "chosen: why".`);
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
