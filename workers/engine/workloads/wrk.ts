import * as z from 'zod';

import type { SshHost } from '../deps/ssh.ts';
import type { Driver, DriverParser, FinalReport, ParserOptions } from './driver.ts';
import { noTarget, withGuest } from './guestTarget.ts';
import { createLineParser } from './lineParser.ts';
import { isPrintableLine } from './lines.ts';
import { quote } from './shell.ts';
import { checkProgram, num } from './tools.ts';
import { readWrkReport } from './webReports.ts';
import { noPageFix, quotedUrl, urlOf, webParams } from './webTarget.ts';

const params = z.object({
  ...webParams,
  connections: z.number().int().min(1).max(10_000).default(10).describe('Connections'),
  threads: z.number().int().min(1).max(64).default(1).describe('Threads of wrk'),
});
type Params = z.infer<typeof params>;

/**
 * wrk prints nothing before its end; this script counts answers in each of its threads and prints a
 * line an interval and thread: number of the interval, its end in µs since 1970, its length in µs,
 * answers, those with a status of 400 and more. What is open at the end is printed then.
 */
const script = `
local ffi = require("ffi")
ffi.cdef[[
  typedef struct { long s; long us; } tilebench_time;
  int gettimeofday(tilebench_time *at, void *zone);
]]
local at = ffi.new("tilebench_time")
local function time_us()
  ffi.C.gettimeofday(at, nil)
  return tonumber(at.s) * 1000000 + tonumber(at.us)
end
threads = {}
began = 0
function setup(thread)
  if began == 0 then began = time_us() end
  thread:set("began", began)
  thread:set("every", every)
  threads[#threads + 1] = thread
end
function init(args)
  k, n, bad = 0, 0, 0
end
local function put(number, length, count, failed)
  io.write(string.format("w %d %.0f %.0f %d %d\\n", number, began + number * every + length, length, count, failed))
  io.flush()
end
function response(status)
  local now = math.floor((time_us() - began) / every)
  while now > k do
    put(k, every, n, bad)
    k, n, bad = k + 1, 0, 0
  end
  n = n + 1
  if status > 399 then bad = bad + 1 end
end
function done()
  local over = time_us() - began
  for _, thread in ipairs(threads) do
    local number, count, failed = thread:get("k"), thread:get("n"), thread:get("bad")
    while (number + 1) * every < over do
      put(number, every, count, failed)
      number, count, failed = number + 1, 0, 0
    end
    put(number, over - number * every, count, failed)
  end
end
`;

const luaOf = (everyS: number): string => `every = ${everyS * 1_000_000}\n${script}`;

const line = /^w (\d+) (\d+) (\d+) (\d+) (\d+)$/;
const shortest = 0.4;
/** Intervals that may wait for the line of a thread; one more, and the oldest is told without it. */
const mostOpen = 60;

/** An interval whose lines have not all come: number, end and length in µs, answers, bad, lines. */
type Open = [
  number: number,
  endUs: number,
  lengthUs: number,
  done: number,
  bad: number,
  seen: number,
];

/** Answers without an error a second, and errors a second, of all threads together. */
function parser(threads: number, options: ParserOptions): DriverParser {
  const open: Open[] = options.resume?.state ? (JSON.parse(options.resume.state) as Open[]) : [];
  const rate = (count: number, us: number): number => Math.round((count * 1e9) / us) / 1_000;
  const tell = ([, endUs, lengthUs, done, bad]: Open): void => {
    if (lengthUs < options.intervalMs * 1_000 * shortest) return;
    const tMs = Math.round(endUs / 1_000);
    options.emit('throughput', tMs, rate(done - bad, lengthUs));
    options.emit('errorRate', tMs, rate(bad, lengthUs));
  };
  return createLineParser(
    options.resume,
    (text) => {
      const found = line.exec(text);
      if (!found) return !text.startsWith('w ') && isPrintableLine(text) ? 'known' : 'bad';
      const [number = 0, endUs = 0, lengthUs = 0, done = 0, bad = 0] = found.slice(1).map(num);
      if (bad > done || lengthUs === 0) return bad > done ? 'bad' : 'known';
      const known = open.find(([one]) => one === number);
      const window: Open = known ?? [number, endUs, lengthUs, 0, 0, 0];
      if (!known) open.push(window);
      window[3] += done;
      window[4] += bad;
      window[5] += 1;
      open.sort(([a], [b]) => a - b);
      while (open[0] && (open[0][5] >= threads || open.length > mostOpen)) tell(open.shift()!);
      return 'taken';
    },
    () => JSON.stringify(open),
  );
}

function finalReport(stdout: string): FinalReport | null {
  const found = readWrkReport(stdout);
  return (
    found && {
      throughput: found.succeeded / found.seconds,
      latencyMeanMs: null,
      latencyP95Ms: null,
      text: stdout.slice(Math.max(0, stdout.indexOf('Thread Stats'))).trim(),
    }
  );
}

/** One second with the script: whether the page comes, and whether this wrk knows what it needs. */
async function refusalOf(
  host: SshHost,
  p: Params,
  signal?: AbortSignal,
): Promise<{ problem: string; old?: true } | null> {
  const { code, stdout } = await host.exec(
    `f=$(mktemp) && printf %s ${quote(luaOf(1))} > "$f" && ` +
      `timeout 15 wrk -s "$f" -c 1 -t 1 -d 1 ${quotedUrl(p)} 2>&1; c=$?; rm -f "$f"; exit $c`,
    { timeoutMs: 25_000, ...(signal ? { signal } : {}) },
  );
  const url = urlOf(p);
  const refused = /^unable to (?:connect|resolve).*$/m.exec(stdout)?.[0];
  if (refused !== undefined) return { problem: `${url}: ${refused}` };
  if (/\.lua:|\.lua: |attempt to|tmp\.\w+:\d+:/.test(stdout) || !/^w /m.test(stdout))
    return { problem: 'this wrk does not run the script that counts its answers', old: true };
  const report = finalReport(stdout);
  if (code !== 0 || report === null) return { problem: `${url} did not answer within 15 s` };
  if (report.throughput === 0)
    return {
      problem: /Non-2xx/.test(stdout)
        ? `${url} answers with an error status`
        : `${url} did not answer within a second`,
    };
  return null;
}

/** wrk: a web server by HTTP/1.1, as fast as its connections go. */
export const wrk: Driver<Params> = {
  id: 'wrk',
  title: 'wrk',
  role: 'web',
  params,
  target: ({ target }) => target,
  withTarget: withGuest,
  series: () => [
    { metric: 'throughput', unit: 'requests/s', decimals: 3 },
    { metric: 'errorRate', unit: 'errors/s', decimals: 3 },
  ],
  async check(host, p, signal) {
    const found = await checkProgram(host, 'wrk', 'wrk -v', 'wrk', signal);
    if (!found.ok) return found;
    if (p.target === '') return { ...found, ...noTarget };
    const refusal = await refusalOf(host, p, signal);
    if (refusal === null) return found;
    return refusal.old
      ? { ...found, ok: false, problem: refusal.problem, fix: 'Install wrk 4.1 on the client.' }
      : { ...found, ok: false, problem: refusal.problem, blames: 'target', fix: noPageFix };
  },
  prepare: async () => undefined,
  command: (p, { durationS, intervalS }) =>
    `printf %s ${quote(luaOf(Math.max(1, Math.round(intervalS))))} > count.lua && ` +
    `exec wrk --latency -s count.lua -c ${Math.max(p.connections, p.threads)} -t ${p.threads} ` +
    `-d ${durationS}s ${quotedUrl(p)}`,
  parser: ({ threads }, options) => parser(threads, options),
  finalReport: (_params, stdout) => finalReport(stdout),
  cleanup: async () => undefined,
};
