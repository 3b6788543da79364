import * as z from 'zod';

import type { SshHost } from '../deps/ssh.ts';
import type { Driver, DriverParser, FinalReport, ParserOptions } from './driver.ts';
import { noTarget, withGuest } from './guestTarget.ts';
import { createLineParser } from './lineParser.ts';
import { isPrintableLine } from './lines.ts';
import { quote } from './shell.ts';
import { checkProgram, num } from './tools.ts';
import { readH2loadReport } from './webReports.ts';
import { noPageFix, quotedUrl, urlOf, webParams } from './webTarget.ts';

const params = z.object({
  ...webParams,
  clients: z.number().int().min(1).max(10_000).default(10).describe('Connections'),
  threads: z.number().int().min(1).max(64).default(1).describe('Threads of h2load'),
  streams: z
    .number()
    .int()
    .min(1)
    .max(1_000)
    .default(1)
    .describe('Requests at once on one connection (HTTP/2)'),
  rate: z
    .number()
    .min(0)
    .max(10_000_000)
    .default(0)
    .describe('Requests per second of all connections to hold; 0 = as fast as it goes'),
  http1: z.boolean().default(false).describe('HTTP/1.1 in place of HTTP/2'),
});
type Params = z.infer<typeof params>;

/**
 * h2load logs each request (start in µs since 1970, status or −1, µs it took); this adds them up on
 * the client, a line an interval: end and length in µs, done, failed, sum and maximum of their µs.
 * Windows begin with the first request. One is closed an interval after its end: threads write a
 * little out of order. The last ends with the time that was asked for.
 */
const counting = `
function put(k, length_us) {
  printf "r %.0f %.0f %d %d %.0f %.0f\\n", origin + k * every + length_us, length_us, n[k], bad[k], sum[k], max[k]
  fflush()
  delete n[k]; delete bad[k]; delete sum[k]; delete max[k]
}
{
  end = $1 + $3
  if (origin == "") { origin = $1; next_k = 0 }
  k = int((end - origin) / every)
  if (k < next_k) k = next_k
  n[k]++; sum[k] += $3
  if ($2 < 0 || $2 > 399) bad[k]++
  if ($3 > max[k]) max[k] = $3
  if (end > last) last = end
  while (origin + (next_k + 2) * every <= end) { put(next_k, every); next_k++ }
}
END {
  if (origin != "" && last < origin + total) last = origin + total
  if (origin != "") for (; next_k * every < last - origin; next_k++) {
    rest = last - origin - next_k * every
    put(next_k, rest < every ? rest : every)
  }
}`;

/** mawk waits for a full buffer unless told not to; other awks do not know that option. */
const awk =
  'a=awk; if awk -W version 2>&1 </dev/null | grep -qi mawk; then a="awk -W interactive"; fi';

const h2load = (p: Params, what: string): string =>
  `h2load${p.http1 ? ' --h1' : ''} ${what} ${quotedUrl(p)}`;

const interval = /^r (\d+) (\d+) (\d+) (\d+) (\d+) (\d+)$/;
/** A last window shorter than this is too short for a rate. */
const shortest = 0.4;

/**
 * Requests that succeeded a second, failed ones a second, mean and maximum time from sending to the
 * whole answer. Times are the client's clock.
 */
function parser(options: ParserOptions): DriverParser {
  const thousandths = (value: number): number => Math.round(value * 1_000) / 1_000;
  return createLineParser(options.resume, (text) => {
    const found = interval.exec(text);
    if (!found) return !text.startsWith('r ') && isPrintableLine(text) ? 'known' : 'bad';
    const [end = 0, length = 0, done = 0, failed = 0, sum = 0, max = 0] = found.slice(1).map(num);
    if (length < options.intervalMs * 1_000 * shortest) return 'known';
    if (failed > done) return 'bad';
    const tMs = Math.round(end / 1_000);
    options.emit('throughput', tMs, thousandths(((done - failed) * 1e6) / length));
    options.emit('errorRate', tMs, thousandths((failed * 1e6) / length));
    if (done > 0) {
      options.emit('latencyMeanMs', tMs, thousandths(sum / done / 1_000));
      options.emit('latencyMaxMs', tMs, thousandths(max / 1_000));
    }
    return 'taken';
  });
}

function finalReport(stdout: string): FinalReport | null {
  const found = readH2loadReport(stdout);
  return (
    found && {
      throughput: found.succeeded / found.seconds,
      latencyMeanMs: null,
      latencyP95Ms: null,
      text: stdout.slice(stdout.search(/^finished in /m)).trim(),
    }
  );
}

/** Why the page does not come, in words; null = it does. */
async function refusalOf(host: SshHost, p: Params, signal?: AbortSignal): Promise<string | null> {
  const { code, stdout } = await host.exec(`timeout 10 ${h2load(p, '-n 1 -c 1 -t 1')} 2>&1`, {
    timeoutMs: 20_000,
    ...(signal ? { signal } : {}),
  });
  if (/ 1 succeeded/.test(stdout)) return null;
  const url = urlOf(p);
  if (code === 124) return `${url} did not answer within 10 s`;
  const name = /getaddrinfo\(\) failed: (.*)/.exec(stdout)?.[1];
  if (name !== undefined) return `the name ${p.target} is not known to the client: ${name}`;
  if (/ 1 done/.test(stdout)) return `${url} answers with an error status`;
  return p.http1
    ? `nobody answers at ${url}`
    : `nobody answers at ${url}, or it speaks no HTTP/2: http1 asks by HTTP/1.1`;
}

/** h2load of nghttp2: a web server by HTTP/2 or HTTP/1.1. */
export const h2loadDriver: Driver<Params> = {
  id: 'h2load',
  title: 'h2load',
  role: 'web',
  params,
  target: ({ target }) => target,
  withTarget: withGuest,
  series: () => [
    { metric: 'throughput', unit: 'requests/s', decimals: 3 },
    { metric: 'errorRate', unit: 'errors/s', decimals: 3 },
    { metric: 'latencyMeanMs', unit: 'ms', decimals: 3 },
    { metric: 'latencyMaxMs', unit: 'ms', decimals: 3 },
  ],
  async check(host, p, signal) {
    const found = await checkProgram(host, 'h2load', 'h2load --version', 'nghttp2-client', signal);
    if (!found.ok) return found;
    const help = await host.exec('h2load --help 2>&1', {
      timeoutMs: 20_000,
      ...(signal ? { signal } : {}),
    });
    const missing = ['--log-file', '--rps'].filter((option) => !help.stdout.includes(option));
    if (missing.length > 0)
      return {
        ...found,
        ok: false,
        problem: `this h2load is too old: it does not know ${missing.join(' and ')}`,
        fix: 'Install a newer nghttp2-client on the client.',
      };
    if (p.target === '') return { ...found, ...noTarget };
    const problem = await refusalOf(host, p, signal);
    return problem === null
      ? found
      : { ...found, ok: false, problem, blames: 'target', fix: noPageFix };
  },
  prepare: async () => undefined,
  // The pipe is held open by the shell until h2load has ended: nobody waits for the other to open.
  command: (p, { durationS, intervalS }) =>
    `${awk}; rm -f requests; mkfifo requests && exec 9<>requests || exit 1; ` +
    `$a -v every=${Math.max(1, Math.round(intervalS)) * 1_000_000} -v total=${Math.round(durationS * 1_000_000)} ${quote(counting)} ` +
    '<requests 9<&- & ' +
    `${h2load(
      p,
      `-c ${p.clients} -t ${Math.min(p.threads, p.clients)} -m ${p.streams} -D ${durationS}` +
        (p.rate > 0 ? ` --rps=${Number((p.rate / p.clients).toFixed(6))}` : '') +
        ' --log-file=requests',
    )} 9<&-; c=$?; exec 9<&-; wait; rm -f requests; exit $c`,
  parser: (_params, options) => parser(options),
  finalReport: (_params, stdout) => finalReport(stdout),
  cleanup: async () => undefined,
};
