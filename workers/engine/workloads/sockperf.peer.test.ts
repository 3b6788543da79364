import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startChild } from '../../../e2e/lab/child.ts';
import { freePort } from '../../../e2e/lab/ports.ts';
import { getDriver } from './index.ts';
import { localHost } from './testing/localHost.ts';
import { parseAll, parseResumed } from './testing/parse.ts';
import { runTool } from './testing/runTool.ts';

const driver = getDriver('sockperf');
let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'tb-sockperf-'));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

test.each(['udp', 'tcp'])(
  'over %s every run of sockperf is an interval; a server that is gone is told, before and during a run',
  async (protocol) => {
    const port = await freePort();
    const parsed = driver.params.parse({ target: '127.0.0.1', port, protocol });
    expect(await driver.check(localHost(), parsed)).toMatchObject({
      ok: false,
      problem: expect.stringContaining('no sockperf server answers'),
      fix: expect.stringContaining('sockperf sr'),
    });
    const server = startChild(
      'sockperf',
      ['sr', '-i', '127.0.0.1', '-p', String(port), ...(protocol === 'tcp' ? ['--tcp'] : [])],
      join(dir, `${protocol}.log`),
    );
    while (!(await driver.check(localHost(), parsed)).ok)
      if (server.ended()) throw new Error(server.log());
    const command = driver.command(parsed, { durationS: 6, intervalS: 1 });
    const { stdout, startMs } = await runTool(command, dir);
    const { samples, parser } = parseAll(driver, parsed, stdout, { startMs });
    expect(parser.badExamples).toEqual([]);
    const of = (metric: string) => samples.filter((s) => s.metric === metric).map((s) => s.value);
    expect(of('throughput').some((value) => value > 0)).toBe(true);
    // Of one message at a time, the round trips fill the time: what is between them is small.
    of('latencyMeanMs').forEach((mean, i) =>
      expect(mean).toBeLessThanOrEqual(of('latencyMaxMs')[i]!),
    );
    for (let upTo = 0; upTo <= stdout.length; upTo += 7)
      expect(parseResumed(driver, parsed, stdout, upTo, startMs)).toEqual(samples);
    await server.stop();
    const gone = await runTool(driver.command(parsed, { durationS: 4, intervalS: 1 }), dir);
    expect(
      parseAll(driver, parsed, gone.stdout).samples.map(({ metric, value }) => [metric, value]),
    ).toContainEqual(['throughput', 0]);
  },
);
