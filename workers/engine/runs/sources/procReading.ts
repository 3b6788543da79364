import type { MetricName } from '../../../../src/core/metric/metric.ts';
import type { SshHost } from '../../deps/ssh.ts';

/**
 * What a Linux machine tells of itself in one go, without an agent: first lines by the shell itself,
 * then tables, then which network adapters and disks are hardware (those a hypervisor gives are).
 * What a kernel does not have is not printed.
 */
const readingCommand = [
  'for f in uptime stat pressure/cpu pressure/io pressure/memory; do ' +
    '{ read -r l < /proc/$f && echo "$f $l"; } 2>/dev/null; done',
  'sed -n "s/^\\(MemTotal\\|MemAvailable\\): */\\1 /p" /proc/meminfo 2>/dev/null',
  'sed "s/^/net /" /proc/net/dev 2>/dev/null',
  'sed "s/^/disk /" /proc/diskstats 2>/dev/null',
  'ls -d /sys/class/net/*/device /sys/block/*/device 2>/dev/null; true',
].join('; ');

const pressures = ['cpu', 'io', 'memory'] as const;
/** Counters of one machine at one moment; null = it does not tell. */
export interface ProcReading {
  /** Seconds since it started. */
  uptimeS: number;
  /**
   * Ticks of all its processors together: in all, of those idle, and stolen by its hypervisor.
   */
  ticks: { total: number; idle: number; stolen: number | null } | null;
  /** Time in which some task waited for it, in µs since its start. */
  stalledUs: Readonly<Record<(typeof pressures)[number], number | null>>;
  /** In use by anything that cannot be given up at once. */
  memoryPct: number | null;
  /** Over its hardware, both ways. */
  netBytes: number | null;
  diskBytes: number | null;
}

const count = (word: string | undefined): number | null => {
  const value = Number(word);
  return word !== undefined && word !== '' && Number.isFinite(value) && value >= 0 ? value : null;
};

/**
 * Decodes the line `cpu user nice system idle iowait irq softirq steal guest guest_nice` (proc(5)).
 * Guest time is in user time already. Waiting for I/O is idle; time stolen by a hypervisor is not.
 */
function ticksOf(line: string): ProcReading['ticks'] {
  const [word, ...fields] = line.trim().split(/\s+/);
  const ticks = fields.slice(0, 8).map(count);
  if (word !== 'cpu' || ticks.length < 5 || ticks.includes(null)) return null;
  const [, , , idle = 0, waiting = 0, , , stolen = null] = ticks as number[];
  const total = (ticks as number[]).reduce((sum, value) => sum + value, 0);
  return { total, idle: idle + waiting, stolen };
}

/** `some avg10=… total=<µs>`: /proc/pressure (kernel documentation, accounting/psi). */
const stalledOf = (line: string): number | null =>
  count(/^some .*\btotal=(\d+)/.exec(line)?.[1] ?? '');

interface Device {
  name: string;
  value: number | null;
}
/** null where there is none, or one does not tell. */
const sumOf = (devices: readonly Device[]): number | null =>
  devices.length === 0 || devices.some(({ value }) => value === null)
    ? null
    : devices.reduce((sum, { value }) => sum + value!, 0);

const sectorBytes = 512;

/** Lines by their first word, each without it; those of hardware by their folder, as its names. */
function sorted(text: string): (word: string) => readonly string[] {
  const found = new Map<string, string[]>();
  for (const line of text.split('\n')) {
    const path = /^\/sys\/(\S+)\/([^/]+)\/device$/.exec(line);
    const space = line.indexOf(' ');
    const word = path?.[1] ?? line.slice(0, Math.max(0, space));
    const rest = path?.[2] ?? line.slice(space + 1);
    const known = found.get(word);
    if (known) known.push(rest);
    else found.set(word, [rest]);
  }
  return (word) => found.get(word) ?? [];
}

/** An adapter of /proc/net/dev with its bytes both ways; the loopback and the heads are none. */
function adapterOf(line: string): Device[] {
  const [head = '', rest] = line.split(':');
  const name = head.trim();
  if (rest === undefined || name === 'lo') return [];
  const figures = rest.trim().split(/\s+/);
  return [{ name, value: plus(count(figures[0]), count(figures[8])) }];
}

/** A disk, or part of one, of /proc/diskstats with its bytes both ways. */
function diskOf(line: string): Device[] {
  const [, , name, ...figures] = line.trim().split(/\s+/);
  const sectors = plus(count(figures[2]), count(figures[6]));
  return name === undefined
    ? []
    : [{ name, value: sectors === null ? null : sectors * sectorBytes }];
}

/** Decodes what `readingCommand` printed; null where there is not even an uptime. */
export function decodeReading(text: string): ProcReading | null {
  const lines = sorted(text);
  const figure = (word: string): number | null => count(lines(word)[0]?.split(' ', 1)[0]);
  const uptimeS = figure('uptime');
  if (uptimeS === null) return null;
  const totalKb = figure('MemTotal'),
    freeKb = figure('MemAvailable');
  const adapters = lines('net').flatMap(adapterOf);
  const physical = adapters.filter(({ name }) => lines('class/net').includes(name));
  const isDisk = new Set(lines('block'));
  return {
    uptimeS,
    ticks: ticksOf(lines('stat')[0] ?? ''),
    stalledUs: {
      cpu: stalledOf(lines('pressure/cpu')[0] ?? ''),
      io: stalledOf(lines('pressure/io')[0] ?? ''),
      memory: stalledOf(lines('pressure/memory')[0] ?? ''),
    },
    memoryPct:
      totalKb && freeKb !== null && freeKb <= totalKb ? 100 * (1 - freeKb / totalKb) : null,
    // A container has adapters and none that is hardware.
    netBytes: sumOf(physical.length > 0 ? physical : adapters),
    // Parts of a disk would be counted twice.
    diskBytes: sumOf(
      lines('disk')
        .flatMap(diskOf)
        .filter(({ name }) => isDisk.has(name)),
    ),
  };
}
const plus = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? null : a + b;

/** What is read of a machine; `cpuPct` has a name of its own where the machine is a client. */
export type ProcMetric = Extract<
  MetricName,
  | 'cpuPct'
  | 'stealPct'
  | 'cpuPressurePct'
  | 'ioPressurePct'
  | 'memoryPressurePct'
  | 'memoryPct'
  | 'netKbps'
  | 'diskKBps'
>;

/**
 * What a machine did between two readings; without what it does not tell, and nothing where no time
 * has passed or it was started anew. Shares in percent (of its processors; of the time), rates in
 * KB/s.
 */
export function between(
  before: ProcReading,
  after: ProcReading,
): Partial<Record<ProcMetric, number>> {
  const seconds = after.uptimeS - before.uptimeS;
  if (seconds <= 0) return {};
  const found: Partial<Record<ProcMetric, number | null>> = {
    ...processors(before.ticks, after.ticks),
    memoryPct: after.memoryPct,
    netKbps: grown(before.netBytes, after.netBytes),
    diskKBps: grown(before.diskBytes, after.diskBytes),
  };
  for (const rate of ['netKbps', 'diskKBps'] as const)
    if (found[rate] !== null) found[rate] = found[rate]! / 1_000 / seconds;
  for (const one of pressures) {
    const stalledUs = grown(before.stalledUs[one], after.stalledUs[one]);
    if (stalledUs !== null) found[`${one}PressurePct`] = share(stalledUs / 1e6, seconds);
  }
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== null));
}

const grown = (a: number | null, b: number | null): number | null =>
  a === null || b === null || b < a ? null : b - a;

/** Clocks of the kernel are read one after the other: a share may come out a little above the whole. */
const share = (part: number, whole: number): number =>
  Math.min(100, Math.max(0, (100 * part) / whole));

function processors(
  before: ProcReading['ticks'],
  after: ProcReading['ticks'],
): Partial<Record<ProcMetric, number>> {
  if (before === null || after === null) return {};
  const total = after.total - before.total,
    idle = after.idle - before.idle;
  if (total <= 0 || idle < 0) return {};
  const stolen = grown(before.stolen, after.stolen);
  return {
    cpuPct: share(total - idle, total),
    ...(stolen === null ? {} : { stealPct: share(stolen, total) }),
  };
}

/** Which of the metrics a machine tells. */
export const toldBy = ({ ticks, stalledUs, ...rest }: ProcReading): ProcMetric[] => [
  ...(ticks === null ? [] : (['cpuPct'] as const)),
  ...((ticks?.stolen ?? null) === null ? [] : (['stealPct'] as const)),
  ...pressures.flatMap((one) => (stalledUs[one] === null ? [] : ([`${one}PressurePct`] as const))),
  ...(rest.memoryPct === null ? [] : (['memoryPct'] as const)),
  ...(rest.netBytes === null ? [] : (['netKbps'] as const)),
  ...(rest.diskBytes === null ? [] : (['diskKBps'] as const)),
];

/** Reads a machine's counters. Throws as `exec` does; null where it tells none. */
export async function readReading(host: SshHost, signal: AbortSignal): Promise<ProcReading | null> {
  const { stdout } = await host.exec(readingCommand, {
    signal,
    timeoutMs: 10_000,
    maxBytes: 256 * 1_024,
  });
  return decodeReading(stdout);
}
