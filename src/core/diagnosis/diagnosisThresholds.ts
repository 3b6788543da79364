/**
 * Every figure a rule holds a counter against: from where it begins to count (`from`) to where it
 * counts in full (`full`), with who says so. Where no public figure is known it is this app's
 * choice, and says so.
 */
export interface Threshold {
  from: number;
  full: number;
  unit: string;
  source: string;
}

const choice = (why: string): string => `This app's choice: ${why}`;
const guide = 'VMware vSphere 6.7, Monitoring and Performance, disk charts';

export const thresholds = {
  steal: {
    from: 5,
    full: 20,
    unit: '%',
    source: choice('a client that is not given this much offers its load late'),
  },
  cpuFull: {
    from: 82,
    full: 93,
    unit: '%',
    source: choice('above this work waits in bursts though the mean leaves room'),
  },
  cpuRoom: {
    from: 25,
    full: 40,
    unit: 'points',
    source: choice('hosts this far apart could have shared the load'),
  },
  ready: {
    from: 10,
    full: 20,
    unit: '% of a vCPU',
    source:
      '10 %: Bolander and Kusek, vSphere Design Best Practices (2014), CPU performance issues',
  },
  clock: {
    from: 5,
    full: 15,
    unit: '% below nominal',
    source: choice('more than turbo and rounding explain'),
  },
  swapIn: {
    from: 50,
    full: 1_000,
    unit: 'KB/s',
    source: choice('a host that keeps reading from swap makes its VMs wait for disks'),
  },
  balloon: {
    from: 5,
    full: 20,
    unit: '% of memory',
    source: choice('less is idle memory, taken without harm'),
  },
  costop: {
    from: 3,
    full: 10,
    unit: '% of a vCPU',
    source: choice('less is what scheduling vCPUs together costs'),
  },
  queued: {
    from: 0.5,
    full: 4,
    unit: 'commands',
    source: choice('a command that is always waiting for a slot is one too many'),
  },
  queue: {
    from: 1,
    full: 4,
    unit: 'ms',
    source: `${guide}: 0 to 1 ms is best, above 4 ms VMs send more than the configuration takes`,
  },
  aborted: {
    from: 0.01,
    full: 1,
    unit: 'commands/s',
    source: choice('a command that a host gives up has waited for seconds'),
  },
  conflicts: {
    from: 1,
    full: 5,
    unit: '% of commands',
    source: choice('a refused command is sent again, and holds up what stands behind it'),
  },
  device: {
    from: 15,
    full: 25,
    unit: 'ms',
    source: `${guide}: above 15 ms indicates problems with the array`,
  },
  deviceRise: {
    from: 1.3,
    full: 2,
    unit: '×',
    source: choice('less is within what latencies vary by'),
  },
  deviceBase: {
    from: 1.3,
    full: 1.8,
    unit: '×',
    source: choice('latency for as many commands a second as in the first run'),
  },
  waitingAtDevice: {
    from: 0.3,
    full: 0.7,
    unit: 'of what was added',
    source: choice('commands that were asked for beyond the first run and only wait'),
  },
  uplink: {
    from: 75,
    full: 90,
    unit: '% of link speed',
    source: '75 %: load-based teaming calls a link saturated (study E09)',
  },
  drops: {
    from: 0.1,
    full: 1,
    unit: '% of packets',
    source: choice('TCP takes each lost packet for a full path and sends less'),
  },
  /** Where drops on a link are the link's: below, they are a receiver's that does not keep up. */
  linkWithDrops: {
    from: 45,
    full: 70,
    unit: '% of link speed',
    source: choice('a mean of 20 s this high has bursts that fill the link'),
  },
  client: { from: 85, full: 97, unit: '%', source: choice('a client this busy measures itself') },
  behind: {
    from: 1,
    full: 10,
    unit: '% of the time',
    source: choice('a client that is late with its load measures its own delay'),
  },
  operations: {
    from: 1.2,
    full: 2,
    unit: '×',
    source: choice('latency while operations run over latency while none does'),
  },
  acts: {
    from: 1.2,
    full: 2,
    unit: '×',
    source: choice('share of the limit that is used up while an act lasts over before it'),
  },
  worse: {
    from: 0.9,
    full: 0.5,
    unit: '×',
    source: choice('below 90 % of its throughput a workload is counted as held back'),
  },
} as const satisfies Record<string, Threshold>;

/** How far a value has gone from `from` (0) to `full` (1). */
export function level(
  value: number | null,
  { from, full }: Pick<Threshold, 'from' | 'full'>,
): number {
  return value === null || !Number.isFinite(value)
    ? 0
    : Math.min(1, Math.max(0, (value - from) / (full - from)));
}
