import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startChild } from '../../../e2e/lab/child.ts';
import { startIperf3 } from '../../../e2e/lab/iperf3.ts';
import { startNginx } from '../../../e2e/lab/nginx.ts';
import { poll } from '../../../e2e/lab/poll.ts';
import { freePort } from '../../../e2e/lab/ports.ts';
import { startPostgres } from '../../../e2e/lab/postgres.ts';
import { findKit } from '../kit/findKit.ts';
import { runTool } from '../workloads/testing/runTool.ts';
import { lines, read, valuesOf } from './testing/readFile.ts';

/** What the tools that are drivers too print today is imported, and held against what they say. */

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'tb-driver-files-'));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

async function shell(command: string): Promise<string> {
  const { code, stdout, stderr } = await runTool(command, dir);
  if (code !== 0) throw new Error(`${command} ended with ${code}: ${stderr.slice(-400)}`);
  return stdout.toString();
}
const file = (start: string): string =>
  readFileSync(
    join(
      dir,
      readdirSync(dir).find((name) => name.startsWith(start))!,
    ),
    'utf8',
  );
const number = (text: string, pattern: RegExp): number => Number(pattern.exec(text)![1]);
/** How many of its lines an import says that it took. */
const taken = ({ notes }: ReturnType<typeof read>): number =>
  number(notes.join('\n'), /^(\d+) (?:transaction|request|answer|sample)s? of /m);

test('pgbench: each progress line, each transaction of its log, each interval', async () => {
  const database = await startPostgres({ password: 'secret' });
  try {
    const pgbench = (what: string): string =>
      'PATH="$PATH:$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1)"; export PATH; ' +
      `PGPASSWORD=secret pgbench -h ${database.host} -p ${database.port} -U ${database.user} ${what} ${database.database} 2>&1`;
    await shell(pgbench('-i -q -s 1'));
    const [printed] = await Promise.all([
      // A line for each second, which a busy machine may skip.
      poll('pgbench that printed every second', async () => {
        const text = await shell(pgbench('-n -S -T 4 -P 1 -R 50'));
        const at = lines(text, /^progress: (\d+)/gm).map(([, s]) => Number(s));
        return at.length > 1 && at.every((s, i) => s === i + 1) ? text : null;
      }),
      shell(`${pgbench('-n -S -T 3 -R 60 -L 2 --log --log-prefix=each')} >each-report`),
      shell(pgbench('-n -S -T 4 -R 60 --log --log-prefix=some --aggregate-interval=1')),
    ]);
    const found = read(printed);
    expect(found.leftOut).toEqual([]);
    expect(valuesOf(found, 'throughput')).toEqual(
      lines(printed, /^progress: .* s, ([\d.]+) tps/gm).map(([, tps]) => Number(tps)),
    );
    const report = file('each-report');
    const log = read(file('each.'));
    expect(log.leftOut).toEqual([]);
    expect(taken(log)).toBe(
      number(report, /actually processed: (\d+)/) + number(report, /skipped: (\d+)/),
    );
    expect(valuesOf(read(report), 'throughput')).toEqual([number(report, /^tps = ([\d.]+)/m)]);
    const intervals = file('some.');
    expect(valuesOf(read(intervals), 'throughput')).toEqual(
      lines(intervals, /^\d+ (\d+) /gm).map(([, done]) => Number(done)),
    );
  } finally {
    await database.stop();
  }
});

test('iperf3: JSON and text of one test are the same intervals; by UDP, both ways, many streams', async () => {
  const server = await startIperf3(dir);
  try {
    const client = `iperf3 -c ${server.host} -p ${server.port} -t 2 -b 20M`;
    for (const more of ['', '-P 3', '-u -R', '--bidir']) {
      const text = await shell(`${client} ${more}`);
      const json = await shell(`${client} -J ${more}`);
      const own = JSON.parse(json) as {
        intervals: { sum: { bits_per_second: number; seconds: number } }[];
      };
      const [asText, asJson] = [read(text), read(json)];
      expect([asText.leftOut, asJson.leftOut]).toEqual([[], []]);
      expect(asText.series.map((s) => [s.metric, s.unit, s.entity.name])).toEqual(
        asJson.series.map((s) => [s.metric, s.unit, s.entity.name]),
      );
      const name = more === '--bidir' ? 'iperf3, sent' : 'iperf3';
      expect(valuesOf(asJson, 'throughput', name)).toEqual(
        // What is left of an interval at the end gives no rate.
        own.intervals
          .filter(({ sum }) => sum.seconds > 0.4 * own.intervals[0]!.sum.seconds)
          .map(({ sum }) => sum.bits_per_second / 1e6),
      );
      // Both were held to one rate: figures in another unit are off by far more than twice.
      const rates = [asText, asJson].map((found) => valuesOf(found, 'throughput', name)[0]!);
      expect(rates[0]! / rates[1]!).toBeGreaterThan(0.5);
      expect(rates[0]! / rates[1]!).toBeLessThan(2);
    }
  } finally {
    await server.stop();
  }
});

test('sockperf: its log holds the observations of its report', async () => {
  const port = await freePort();
  const server = startChild(
    'sockperf',
    ['sr', '-i', '127.0.0.1', '-p', String(port)],
    join(dir, 'sr.log'),
  );
  try {
    const report = await poll('an answer of sockperf', async () => {
      const { code, stdout } = await runTool(
        `sockperf pp -i 127.0.0.1 -p ${port} -t 2 --mps=300 --full-rtt --full-log pp.csv 2>&1`,
        dir,
      );
      return code === 0 && /Round trip is/.test(stdout.toString()) ? stdout.toString() : null;
    });
    const log = read(file('pp.csv'));
    expect(log.leftOut).toEqual([]);
    expect(taken(log)).toBe(number(report, /Total (\d+) observations/));
    expect(valuesOf(read(report), 'latencyMeanMs')).toEqual([
      number(report, /Round trip is ([\d.]+) usec/) / 1_000,
    ]);
    expect(log.notes.join()).toContain('whole round trips');
  } finally {
    await server.stop();
  }
});

test('h2load, wrk and tilekit: logs hold the requests of their reports, a missing page is no throughput', async () => {
  const server = await startNginx({ dir });
  try {
    const report = await shell(
      `h2load --h1 -c 4 -D 2 --rps=50 --log-file=h2load.log ${server.url}/page.html`,
    );
    const log = read(file('h2load.log'));
    expect(log.leftOut).toEqual([]);
    expect(taken(log)).toBe(lines(file('h2load.log'), /\n/g).length);
    expect(taken(log)).toBe(number(report, /^requests: .* (\d+) done/m));
    expect(valuesOf(read(report), 'latencyMeanMs')).toHaveLength(1);

    const own = await shell(`wrk -c 2 -t 2 -d 1s --latency ${server.url}/page.html`);
    // wrk cuts its time to hundredths.
    expect(
      valuesOf(read(own), 'throughput')[0]! / number(own, /Requests\/sec: +([\d.]+)/),
    ).toBeCloseTo(1, 1);
    expect(valuesOf(read(own), 'latencyP99Ms')).toHaveLength(1);
    const missing = await shell(`wrk -c 2 -t 1 -d 1s ${server.url}/none`);
    expect(valuesOf(read(missing), 'throughput')).toEqual([0]);

    const kit = await findKit({
      sourceDir: 'kit',
      cacheDir: '.cache',
      carriedDir: 'resources/kit',
    });
    const job = {
      schema: 1,
      scenario: 'web',
      seed: 1,
      durationS: 3,
      users: 8,
      mode: 'open',
      // Others may load this machine for seconds.
      latenessLimitMs: 60_000,
      arrivals: { kind: 'constant', rate: [{ atS: 0, perS: 40 }] },
      web: {
        target: server.url,
        pages: 'paths',
        paths: [{ op: 'page', path: '/page.html', weight: 1 }],
      },
    };
    const output = await shell(
      `printf %s '${JSON.stringify(job)}' >job.json && "${kit.path}" run --job job.json`,
    );
    const found = read(output);
    expect(found.leftOut).toEqual([]);
    expect(valuesOf(found, 'throughput')).toEqual(
      lines(output, /"op":"\*","lengthS":([\d.]+),.*?"done":(\d+)/g)
        .filter(([, s]) => Number(s) >= 0.5)
        .map(([, s, done]) => Number(done) / Number(s)),
    );
  } finally {
    await server.stop();
  }
});
