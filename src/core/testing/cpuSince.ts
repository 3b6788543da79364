/**
 * Processor time of this process since it is asked for, in ms: what an upper bound of effort is
 * held against, whatever else the machine does.
 */
export function cpuSince(): () => number {
  const from = process.cpuUsage();
  return () => process.cpuUsage(from).user / 1_000;
}
