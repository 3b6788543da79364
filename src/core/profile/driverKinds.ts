import type { DriverParams } from './profile.ts';

const count = (value: string | number | boolean | undefined, otherwise: number): number =>
  typeof value === 'number' ? value : otherwise;

interface DriverKind {
  /**
   * I/Os that its load keeps outstanding on its VM's disk with these parameters; null where that
   * is not said: a database, file or web server issues as many as its clients' work needs.
   */
  outstanding: (params: DriverParams) => number | null;
  /**
   * Parameters that are shell commands which clients run as given, the load first: shown whole to
   * whoever is asked to trust a plan, profile or testbed. Absent = none.
   */
  commands?: readonly string[];
  /**
   * What its latency leaves out, for a program that waits in silence where its target stands still:
   * a limit on such a latency would be kept by what it does not count. Absent = nothing.
   */
  hidesWaits?: string;
}
const notSaid: DriverKind = { outstanding: () => null };
const noDisk: DriverKind = { outstanding: () => 0 };

/**
 * What the views must know of every driver without asking the engine, in the order of forms. What
 * runs each is in `workers/engine/workloads/drivers.ts`.
 */
export const driverKinds = {
  // Defaults as in docs/drivers.md.
  fio: { outstanding: (params) => count(params.outstanding, 8) * count(params.jobs, 1) },
  'sysbench-oltp': notSaid,
  dbench: notSaid,
  'sysbench-cpu': noDisk,
  heartbeat: noDisk,
  tilekit: notSaid,
  'tilekit-dvdstore': notSaid,
  iperf3: noDisk,
  'tilekit-mail': notSaid,
  'tilekit-file': notSaid,
  'tilekit-net': noDisk,
  'tilekit-orders': noDisk,
  jmeter: {
    ...notSaid,
    hidesWaits:
      'a thread of JMeter sends its next sample after the answer to its last one: what was ' +
      'due meanwhile is not in its latency',
  },
  k6: {
    ...notSaid,
    hidesWaits:
      'k6 drops an iteration for which no virtual user is free: it counts as an error, and its wait is in no latency',
  },
  sockperf: {
    ...noDisk,
    hidesWaits:
      'sockperf sends its next message after the answer to its last one: a silence counts as one late message',
  },
  netperf: {
    ...noDisk,
    hidesWaits:
      'netperf sends its next request after the answer to its last one: a silence counts as one late answer',
  },
  imaptest: {
    ...notSaid,
    hidesWaits:
      'a session of imaptest sends its next command after the answer to its last one: what ' +
      'was due meanwhile is in no figure',
  },
  pgbench: notSaid,
  'go-tpc': {
    ...notSaid,
    hidesWaits:
      'a thread of go-tpc begins its next transaction after the end of its last one: what ' +
      'was due meanwhile is in no latency',
  },
  h2load: {
    ...notSaid,
    hidesWaits:
      'h2load measures from sending: what waited for a free connection before is not in its latency',
  },
  wrk: {
    ...notSaid,
    hidesWaits:
      'wrk sends the next request after an answer: while the server stands still, none waits that would be counted',
  },
  command: { ...notSaid, commands: ['command', 'check'] },
  // Said where users and I/Os an operation are set.
  simload: {
    outstanding: (params) => count(params.users, 0) * count(params.outstanding, 0) || null,
  },
} as const satisfies Readonly<Record<string, DriverKind>>;
export type DriverId = keyof typeof driverKinds;

/** null for a driver of another version of Tilebench. */
const kindOf = (driver: string): DriverKind | null =>
  Object.hasOwn(driverKinds, driver) ? driverKinds[driver as DriverId] : null;

/** As `outstanding` of the driver's kind; null for one that is not known here. */
export const outstandingOf = (driver: string, params: DriverParams): number | null =>
  kindOf(driver)?.outstanding(params) ?? null;

/** As `commands` of the driver's kind: none for most. */
export const commandsOfDriver = (driver: string): readonly string[] =>
  kindOf(driver)?.commands ?? [];

/** As `hidesWaits` of the driver's kind: null for one whose latency can be held against a limit. */
export const hiddenWaitsOf = (driver: string): string | null => kindOf(driver)?.hidesWaits ?? null;

/** Drivers that would run commands out of these parameters, where nothing says which driver gets them. */
export const driversRunning = (params: DriverParams): string[] =>
  Object.keys(driverKinds).filter((driver) =>
    commandsOfDriver(driver).some((name) => Object.hasOwn(params, name)),
  );
