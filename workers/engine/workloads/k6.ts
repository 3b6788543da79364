import * as z from 'zod';

import type { Driver, FinalReport } from './driver.ts';
import { targetParam, withGuest } from './guestTarget.ts';
import { isPrintableLine } from './lines.ts';
import { quote } from './shell.ts';
import { checkProgram, num } from './tools.ts';
import { createWindowParser, type LogReader } from './windowParser.ts';
import type { LoggedWork } from './windowSum.ts';

const params = z.object({
  script: z
    .string()
    .regex(/^\/[^\0\n]*$/, 'a path on the client that begins with /')
    .max(4_096)
    .default('/opt/tilebench/load.js')
    .describe('Script on the client; it may read __ENV.DURATION_S and __ENV.TARGET'),
  target: targetParam('What the script reads as TARGET'),
});

const point = z.object({
  type: z.literal('Point'),
  metric: z.string(),
  data: z.object({ time: z.string().max(40), value: z.number().max(1e9) }),
});

/** What a point counts: one iteration, failed requests, dropped iterations, or a request's time. */
export function k6Work(metric: string, value: number, endMs: number): LoggedWork | 'known' {
  if (metric === 'iterations') return { endMs, done: value };
  if (metric === 'dropped_iterations') return { endMs, failed: value };
  if (metric === 'http_req_failed') return value > 0 ? { endMs, failed: value } : 'known';
  return metric === 'http_req_duration' ? { endMs, tookMs: value } : 'known';
}

/** Points of k6's JSON lines; heads of metrics and the summary are known. */
export function readPoints(): LogReader {
  return {
    read(text) {
      if (!text.startsWith('{')) return isPrintableLine(text) ? 'known' : 'bad';
      let value: unknown;
      try {
        value = JSON.parse(text);
      } catch {
        return 'bad';
      }
      const found = point.safeParse(value);
      if (!found.success) return /"type":"Metric"/.test(text) ? 'known' : 'bad';
      const { metric, data } = found.data;
      const endMs = Date.parse(data.time);
      return Number.isFinite(endMs) && data.value >= 0 ? k6Work(metric, data.value, endMs) : 'bad';
    },
    state: () => '',
  };
}

/** Of the summary: `iterations.....: 1200 39.9/s`. */
function finalReport(stdout: string): FinalReport | null {
  const found = /^ {0,12}iterations\.{1,60}: (\d+) {1,12}([\d.]+)\/s/m.exec(stdout);
  return found
    ? { throughput: num(found[2]), latencyMeanMs: null, latencyP95Ms: null, text: found[0].trim() }
    : null;
}

/** Metrics that are read; k6 writes ten times as much for each request. */
const read = 'iterations|dropped_iterations|http_req_failed|http_req_duration';

/** k6 with a script of the user's own, as he installed it. */
export const k6: Driver<z.infer<typeof params>> = {
  id: 'k6',
  title: 'k6',
  role: 'custom',
  params,
  target: ({ target }) => target,
  withTarget: withGuest,
  series: () => [
    { metric: 'throughput', unit: 'iterations/s', decimals: 3 },
    { metric: 'errorRate', unit: 'errors/s', decimals: 3 },
    { metric: 'latencyMeanMs', unit: 'ms', decimals: 3 },
    { metric: 'latencyP95Ms', unit: 'ms', decimals: 3 },
    { metric: 'latencyP99Ms', unit: 'ms', decimals: 3 },
    { metric: 'latencyMaxMs', unit: 'ms', decimals: 3 },
  ],
  async check(host, { script }, signal) {
    const found = await checkProgram(host, 'k6', 'k6 version', 'k6', signal);
    if (!found.ok)
      return {
        ok: false,
        version: null,
        problem: 'k6 is not on the path of the client',
        fix: 'Install k6 on the client by its own instructions; Tilebench brings none.',
      };
    const there = await host.exec(`test -r ${quote(script)}`, signal ? { signal } : {});
    return there.code === 0
      ? found
      : {
          ...found,
          ok: false,
          problem: `the script ${script} cannot be read on the client`,
          blames: 'script',
          fix: 'Copy the script to the client, or correct its path.',
        };
  },
  prepare: async () => undefined,
  // What is not read stays on the client: points of other metrics are left out on the way.
  command: ({ script, target }, { durationS }) =>
    `DURATION_S=${durationS} TARGET=${quote(target)}; export DURATION_S TARGET; ` +
    'rm -f code; ' +
    `{ timeout -k 10 ${durationS + 60} k6 run --quiet --no-color --out json=/dev/stdout ` +
    `${quote(script)}; echo $? > code; } | ` +
    `grep --line-buffered -E '^[^{]|"metric":"(${read})"'; c=$(cat code); rm -f code; exit "$c"`,
  parser: (_params, options) => createWindowParser(options, readPoints),
  finalReport: (_params, stdout) => finalReport(stdout),
  cleanup: async () => undefined,
};
