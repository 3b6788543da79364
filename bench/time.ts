/**
 * Milliseconds a piece of work took: on the clock, and of this thread's processor, which other
 * programs on the machine hardly change.
 */
export interface Took {
  wallMs: number;
  cpuMs: number;
}

export async function took(work: () => unknown): Promise<Took> {
  const [startMs, before] = [performance.now(), process.threadCpuUsage()];
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return { wallMs: performance.now() - startMs, cpuMs: (user + system) / 1_000 };
}

/** The one in the middle by processor time. */
export const middle = (times: readonly Took[]): Took =>
  [...times].sort((a, b) => a.cpuMs - b.cpuMs)[times.length >> 1]!;
