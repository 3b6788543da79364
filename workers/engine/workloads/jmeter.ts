import * as z from 'zod';

import type { Driver } from './driver.ts';
import { targetParam, withGuest } from './guestTarget.ts';
import { isWholeHead, jmeterHead, jmeterRow } from './jmeterFormat.ts';
import { isPrintableLine } from './lines.ts';
import { quote } from './shell.ts';
import { checkProgram, num } from './tools.ts';
import { createWindowParser, type LogReader } from './windowParser.ts';

const params = z.object({
  plan: z
    .string()
    .regex(/^\/[^\0\n]*\.jmx$/, 'a path on the client that begins with / and ends with .jmx')
    .max(4_096)
    .default('/opt/tilebench/plan.jmx')
    .describe('Test plan on the client; it may read ${__P(durationS)} and ${__P(target)}'),
  target: targetParam('What the plan reads as target'),
});

/** Columns that are logged, in JMeter's order; a log with a head may hold more. */
const logged = ['timeStamp', 'elapsed', 'success'] as const;

/** Rows of JMeter's CSV by the names of its head; summaries and messages between them are known. */
function readRows(state: string): LogReader {
  let head: string[] = state === '' ? [...logged] : state.split(',');
  return {
    read(text) {
      if (text.startsWith('timeStamp,')) {
        head = jmeterHead(text);
        return isWholeHead(head) ? 'known' : 'bad';
      }
      if (!/^\d{13},/.test(text)) return isPrintableLine(text) ? 'known' : 'bad';
      return jmeterRow(head, text)?.work ?? 'bad';
    },
    state: () => head.join(','),
  };
}

/**
 * What is not logged, so that a row is what `logged` says: JMeter writes no head into a file that is
 * there, as its own output is.
 */
const leftOut = [
  'label',
  'response_code',
  'response_message',
  'thread_name',
  'data_type',
  'assertion_results_failure_message',
  'bytes',
  'sent_bytes',
  'thread_counts',
  'url',
  'filename',
  'latency',
  'encoding',
  'sample_count',
  'hostname',
  'idle_time',
  'connect_time',
];

/** JMeter with a plan of the user's own: each sample from its CSV. */
export const jmeter: Driver<z.infer<typeof params>> = {
  id: 'jmeter',
  title: 'JMeter',
  role: 'custom',
  params,
  minimumVersion: { version: '3.0', reason: 'older ones name the columns of their CSV otherwise' },
  target: ({ target }) => target,
  withTarget: withGuest,
  series: () => [
    { metric: 'throughput', unit: 'samples/s', decimals: 3 },
    { metric: 'errorRate', unit: 'errors/s', decimals: 3 },
    { metric: 'latencyMeanMs', unit: 'ms', decimals: 3 },
    { metric: 'latencyP95Ms', unit: 'ms', decimals: 3 },
    { metric: 'latencyP99Ms', unit: 'ms', decimals: 3 },
    { metric: 'latencyMaxMs', unit: 'ms', decimals: 3 },
  ],
  async check(host, { plan }, signal) {
    const found = await checkProgram(
      host,
      'jmeter',
      "jmeter --version -j /dev/null 2>/dev/null | grep -Eo '[0-9]+[.][0-9]+([.][0-9]+)?'",
      'jmeter',
      signal,
    );
    if (!found.ok)
      return {
        ok: false,
        version: null,
        problem: 'jmeter is not on the path of the client',
        fix: 'Install Apache JMeter 5 and Java on the client, and link its bin/jmeter into /usr/local/bin.',
      };
    const there = await host.exec(`test -r ${quote(plan)}`, signal ? { signal } : {});
    return there.code === 0
      ? found
      : {
          ...found,
          ok: false,
          problem: `the test plan ${plan} cannot be read on the client`,
          blames: 'plan',
          fix: 'Copy the plan to the client, or correct its path.',
        };
  },
  prepare: async () => undefined,
  // The plan ends by the duration it reads; a limit ends one that does not. Through a pipe, since
  // JMeter opens its log anew: a file would be cut.
  command: ({ plan, target }, { durationS }) =>
    'rm -f code; ' +
    `{ timeout -k 10 ${durationS + 60} jmeter -n -t ${quote(plan)} -l /dev/stdout ` +
    `-j jmeter.log -JdurationS=${durationS} -Jtarget=${quote(target)} ` +
    '-Jjmeter.save.saveservice.output_format=csv -Jjmeter.save.saveservice.timestamp_format=ms ' +
    '-Jjmeter.save.saveservice.time=true -Jjmeter.save.saveservice.successful=true ' +
    '-Jjmeter.save.saveservice.autoflush=true ' +
    leftOut.map((name) => `-Jjmeter.save.saveservice.${name}=false`).join(' ') +
    '; echo $? > code; } | cat; c=$(cat code); rm -f code; exit "$c"',
  parser: (_params, options) => createWindowParser(options, readRows),
  finalReport(_params, stdout) {
    // `summary =    240 in 00:00:03 =   80.0/s Avg:     1 Min:     0 Max:     8 Err:     0 (0.00%)`
    const found = [
      ...stdout.matchAll(
        /^summary = {1,12}(\d+) in [\d:.]{1,12}s? = {1,12}([\d.]+)\/s Avg: {1,12}(\d+) .{0,60}Err: {1,12}(\d+) /gm,
      ),
    ].at(-1);
    const total = num(found?.[1]);
    return found && total > 0
      ? {
          throughput: num(found[2]) * (1 - num(found[4]) / total),
          latencyMeanMs: num(found[3]),
          latencyP95Ms: null,
          text: found[0],
        }
      : null;
  },
  cleanup: async () => undefined,
};
