/** Units of measured metrics that are no plain count a time, with what they measure. */
const named: Readonly<Record<string, 'rate' | 'data' | 'time' | 'share' | 'power' | 'count'>> = {
  IOPS: 'rate',
  tps: 'rate',
  'MB/s': 'data',
  'MiB/s': 'data',
  'GB/s': 'data',
  'kB/s': 'data',
  'Mb/s': 'data',
  'Gb/s': 'data',
  'kb/s': 'data',
  ms: 'time',
  s: 'time',
  us: 'time',
  '%': 'share',
  W: 'power',
  users: 'count',
  sessions: 'count',
  VMs: 'count',
  mailboxes: 'count',
};
/** Seconds in the time of a count a time. */
const times: Readonly<Record<string, number>> = { s: 1, min: 60, h: 3_600 };
const countATime = /^[A-Za-z][A-Za-z ]{0,23}\/(s|min|h)$/;

/**
 * Whether a metric can have this unit: a named one (`IOPS`, `MB/s`, `ms`, …) or something counted a
 * time (`mails/s`, `pages/min`, `operations/h`).
 */
export function isKnownUnit(unit: string): boolean {
  return Object.hasOwn(named, unit) || countATime.test(unit);
}

/** What to write instead of a unit that is not known. */
export const unitRemedy =
  'Write something counted a time, as ops/s, pages/min or operations/h, or one of IOPS, tps, ' +
  'MB/s, Gb/s, ms, s, %, W, users';

/**
 * Seconds a count refers to: 1 for `ops/s`, `IOPS` and `tps`, 60 for `pages/min`; null for what is
 * no count a time.
 */
export function secondsOfRate(unit: string): number | null {
  if (named[unit] === 'rate') return 1;
  if (Object.hasOwn(named, unit)) return null;
  const time = countATime.exec(unit)?.[1];
  return time === undefined ? null : times[time]!;
}
