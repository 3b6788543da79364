import * as z from 'zod';

import type { Driver } from './driver.ts';
import { createLineParser } from './lineParser.ts';
import { quote } from './shell.ts';
import { latencyOf } from './sysbenchFormat.ts';
import { checkProgram, num } from './tools.ts';

const params = z.object({
  kind: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/)
    .describe('Kind of load, as the simulated lab defines it'),
  target: z
    .string()
    .regex(/^[A-Za-z0-9._:-]*$/)
    .default('')
    .describe('Address of the VM under load; empty = the machine it runs on'),
  users: z
    .number()
    .min(0)
    .max(1_000_000)
    .default(0)
    .describe('Users; 0 = as the lab defines the kind'),
  thinkMs: z
    .number()
    .min(-1)
    .default(-1)
    .describe('Think time in ms; -1 = as the lab defines the kind'),
  outstanding: z
    .number()
    .int()
    .min(0)
    .max(4_096)
    .default(0)
    .describe('Outstanding I/Os an operation; 0 = as the lab defines the kind'),
  packetsPerS: z
    .number()
    .min(0)
    .default(0)
    .describe('Packets per second to hold; 0 = as many as the users ask'),
  unit: z.string().min(1).max(20).default('ops/s').describe('Unit of the throughput'),
});
type Params = z.infer<typeof params>;

const line =
  /^load (\d+(?:\.\d+)?) tp=([\d.]+) mean=([\d.]+) p95=([\d.]+) p99=([\d.]+) err=([\d.]+)$/;

/**
 * A modelled closed-loop load (mail, web, Java, …) of the simulated lab; there is no such program
 * on a real client.
 */
export const simload: Driver<Params> = {
  id: 'simload',
  title: 'simulated load',
  role: 'simulated',
  params,
  target: ({ target }) => target,
  series: ({ unit }) => [
    { metric: 'throughput', unit, decimals: 3 },
    { metric: 'latencyMeanMs', unit: 'ms', decimals: 3 },
    { metric: 'latencyP95Ms', unit: 'ms', decimals: 3 },
    { metric: 'latencyP99Ms', unit: 'ms', decimals: 3 },
    { metric: 'errorRate', unit: 'errors/s', decimals: 4 },
  ],
  async check(host, _params, signal) {
    const program = await checkProgram(
      host,
      'tilebench-simload',
      'tilebench-simload --version',
      'tilebench-simload',
      signal,
    );
    return program.ok
      ? program
      : {
          ok: false,
          version: null,
          problem: 'simulated loads exist in the simulated lab only',
          fix: 'Choose a real driver for this workload, or run the plan in the demo lab.',
        };
  },
  prepare: async () => undefined,
  command: (p, { durationS, intervalS }) =>
    'exec tilebench-simload ' +
    `${quote(p.kind)}${p.target ? ` --target ${quote(p.target)}` : ''}${p.users > 0 ? ` --users ${p.users}` : ''}${p.thinkMs >= 0 ? ` --think ${p.thinkMs}` : ''}${p.outstanding > 0 ? ` --outstanding ${p.outstanding}` : ''}${p.packetsPerS > 0 ? ` --packets ${p.packetsPerS}` : ''} ` +
    `--interval ${intervalS} --duration ${durationS}`,
  parser: (_params, options) =>
    createLineParser(
      options.resume,
      (text) => {
        const match = line.exec(text);
        if (!match) return text.startsWith('#') ? 'known' : 'bad';
        const tMs = options.startMs + num(match[1]) * 1_000;
        const rate = num(match[2]);
        options.emit('throughput', tMs, rate);
        for (const [metric, text] of [
          ['latencyMeanMs', match[3]],
          ['latencyP95Ms', match[4]],
          ['latencyP99Ms', match[5]],
        ] as const) {
          const latencyMs = latencyOf(rate, num(text));
          if (latencyMs !== null) options.emit(metric, tMs, latencyMs);
        }
        options.emit('errorRate', tMs, num(match[6]));
        return 'taken';
      },
      () => '',
    ),
  finalReport(_params, stdout) {
    const match = /^# total tp=([\d.]+) mean=([\d.]+) p95=([\d.]+)$/m.exec(stdout);
    return match
      ? {
          throughput: num(match[1]),
          latencyMeanMs: num(match[2]),
          latencyP95Ms: num(match[3]),
          text: match[0],
        }
      : null;
  },
  cleanup: async () => undefined,
};
