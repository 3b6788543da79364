import type { DriverParams } from '../profile/profile.ts';

const count = (value: string | number | boolean | undefined, otherwise: number): number =>
  typeof value === 'number' ? value : otherwise;

/**
 * I/Os that a driver keeps outstanding on its VM's disk with these parameters; null where its load
 * does not say: a database, file or web server issues as many as its clients' work needs. fio
 * (docs/drivers.md): `outstanding` (default 8) for each of `jobs` (default 1). The simulated load
 * says it where users and I/Os an operation are set.
 */
export function outstandingOf(driver: string, params: DriverParams): number | null {
  if (driver === 'fio') return count(params.outstanding, 8) * count(params.jobs, 1);
  if (driver === 'simload') return count(params.users, 0) * count(params.outstanding, 0) || null;
  // Neither a heartbeat nor primes touch the disk.
  if (driver === 'heartbeat' || driver === 'sysbench-cpu') return 0;
  return null;
}
