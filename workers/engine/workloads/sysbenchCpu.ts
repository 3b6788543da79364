import * as z from 'zod';

import type { Driver } from './driver.ts';
import { sysbenchFinal, sysbenchMinimum, sysbenchParser } from './sysbenchFormat.ts';
import { checkProgram } from './tools.ts';

const params = z.object({
  threads: z.number().int().min(1).max(1_024).default(1).describe('Threads that count primes'),
  maxPrime: z
    .number()
    .int()
    .min(100)
    .max(1_000_000)
    .default(10_000)
    .describe('Upper bound of the primes of one event'),
  rate: z.number().min(0).default(0).describe('Events per second to hold; 0 = as fast as it goes'),
});

/** sysbench cpu: the Java role's stand-in, bound by a core's speed. */
export const sysbenchCpu: Driver<z.infer<typeof params>> = {
  minimumVersion: sysbenchMinimum,
  id: 'sysbench-cpu',
  title: 'sysbench cpu',
  role: 'java',
  params,
  series: () => [
    { metric: 'throughput', unit: 'events/s', decimals: 2 },
    { metric: 'latencyP95Ms', unit: 'ms', decimals: 2 },
  ],
  check: (host, _params, signal) =>
    checkProgram(host, 'sysbench', 'sysbench --version', 'sysbench', signal),
  prepare: async () => undefined,
  command: ({ threads, maxPrime, rate }, { durationS, intervalS }) =>
    `sysbench cpu --threads=${threads} ` +
    `--cpu-max-prime=${maxPrime}${rate > 0 ? ` --rate=${rate}` : ''} --time=${durationS} ` +
    `--events=0 --report-interval=${Math.max(1, Math.round(intervalS))} --percentile=95 run`,
  parser: (_params, options) => sysbenchParser(options),
  finalReport: (_params, stdout) => sysbenchFinal(stdout),
  cleanup: async () => undefined,
};
