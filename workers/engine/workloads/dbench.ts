import * as z from 'zod';

import type { Driver, DriverParser, ParserOptions } from './driver.ts';
import { createLineParser } from './lineParser.ts';
import { isPrintableLine } from './lines.ts';
import { testDirectory } from './ownFile.ts';
import { quote } from './shell.ts';
import { checkProgram, num } from './tools.ts';

const params = z.object({
  clients: z.number().int().min(1).max(1_000).default(2).describe('Simulated file server clients'),
  directory: testDirectory("Directory on the file server's disk; empty = the job's own"),
  loadFile: z.string().default('/usr/share/dbench/client.txt').describe('Load file of dbench'),
  targetRate: z
    .number()
    .min(0)
    .default(0)
    .describe('MB/s a client to hold; 0 = as fast as it goes'),
});
type Params = z.infer<typeof params>;

/**
 * `   4     90944   999.36 MB/sec  execute   1 sec  latency 8.579 ms`; version 3 prints no latency.
 */
const interval =
  /^\s*\d+\s+\d+\s+([\d.]+) MB\/sec\s+(warmup|execute)\s+(\d+) sec\s*(?:latency ([\d.]+) ms\s*)?$/;
const known =
  /^(dbench version|Running for|\s*\d+ of \d+ processes|releasing clients|\s*\d+\s+cleanup|\s*Operation|\s*-{5,}|\s+[A-Z][A-Za-z0-9]+\s+\d+|Throughput|failed to create barrier|\s*$)/;

/**
 * dbench prints a mean since its phase began. Megabytes moved since then are mean × seconds; the
 * interval's rate is their difference over the seconds between. Warm-up and execution count from 0
 * each: the length of the warm-up comes from the header line.
 */
function parser(options: ParserOptions): DriverParser {
  const state = options.resume?.state
    ? (JSON.parse(options.resume.state) as State)
    : { phase: 'warmup', warmS: 0, seconds: 0, megabytes: 0 };
  return createLineParser(
    options.resume,
    (text) => {
      const header = /minimum warmup (\d+) secs/.exec(text);
      if (header) {
        state.warmS = num(header[1]);
        return 'known';
      }
      const match = interval.exec(text);
      if (!match) return known.test(text) && isPrintableLine(text) ? 'known' : 'bad';
      const seconds = num(match[3]);
      if (match[2] !== state.phase) {
        state.phase = match[2] as State['phase'];
        state.seconds = 0;
        state.megabytes = 0;
      }
      if (seconds <= state.seconds) return 'known';
      const megabytes = num(match[1]) * seconds;
      const tMs =
        options.startMs + (seconds + (state.phase === 'execute' ? state.warmS : 0)) * 1_000;
      options.emit(
        'throughput',
        tMs,
        round((megabytes - state.megabytes) / (seconds - state.seconds)),
      );
      if (match[4] !== undefined) options.emit('latencyMaxMs', tMs, num(match[4]));
      state.seconds = seconds;
      state.megabytes = megabytes;
      return 'taken';
    },
    () => JSON.stringify(state),
  );
}
interface State {
  phase: 'warmup' | 'execute';
  warmS: number;
  seconds: number;
  megabytes: number;
}

/**
 * dbench clears `clients` below what it is given: a folder of its own, so that nobody else's is
 * meant.
 */
const workFolder = (directory: string): string =>
  quote(directory ? `${directory.replace(/\/+$/, '')}/tilebench-dbench` : 'data');

/**
 * The printed mean has two decimals; over n seconds the difference is good to about n hundredths,
 * kept to four.
 */
const round = (value: number): number => Math.max(0, Math.round(value * 10_000) / 10_000);

/** dbench: the file server role, with the original tool. */
export const dbench: Driver<Params> = {
  minimumVersion: { version: '4.0', reason: 'older ones print no latency in their lines' },
  id: 'dbench',
  title: 'dbench',
  role: 'file',
  params,
  series: () => [
    { metric: 'throughput', unit: 'MB/s', decimals: 4 },
    { metric: 'latencyMaxMs', unit: 'ms', decimals: 3 },
  ],
  async check(host, { loadFile }, signal) {
    const program = await checkProgram(host, 'dbench', 'dbench --version', 'dbench', signal);
    if (!program.ok) return program;
    const load = await host.exec(`test -r ${quote(loadFile)}`, signal ? { signal } : {});
    return load.code === 0
      ? program
      : {
          ok: false,
          version: program.version,
          problem: `the load file ${loadFile} cannot be read`,
          blames: 'loadFile',
          fix: 'Give the path of client.txt of the dbench package.',
        };
  },
  prepare: async () => undefined,
  // dbench adds a warm-up of a fifth of its time limit in front; both together are the asked
  // duration.
  command: ({ clients, directory, loadFile, targetRate }, { durationS }) =>
    `mkdir -p ${workFolder(directory)} && exec dbench -c ${quote(loadFile)} -D ` +
    `${workFolder(directory)}${targetRate > 0 ? ` -R ${targetRate}` : ''} -t ` +
    `${Math.max(1, Math.floor((durationS * 5) / 6))} ${clients}`,
  parser: (_params, options) => parser(options),
  finalReport(_params, stdout) {
    const match = /^Throughput ([\d.]+) MB\/sec.*max_latency=([\d.]+) ms/m.exec(stdout);
    if (!match) return null;
    const warm = /minimum warmup (\d+) secs/.exec(stdout);
    return {
      throughput: num(match[1]),
      latencyMeanMs: null,
      latencyP95Ms: null,
      fromS: warm ? num(warm[1]) : 0,
      text: match[0],
    };
  },
  cleanup: async () => undefined,
};
