import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type LabIperf3, startIperf3 } from '../../../e2e/lab/iperf3.ts';
import { freePort } from '../../../e2e/lab/ports.ts';
import { getDriver } from './index.ts';
import { againstReport, expectResumable, repeats } from './testing/againstReport.ts';
import { localHost } from './testing/localHost.ts';
import { runTool } from './testing/runTool.ts';

let dir: string;
let server: LabIperf3;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'tb-iperf3-'));
  server = await startIperf3(dir);
});
afterAll(async () => {
  await server.stop();
  rmSync(dir, { recursive: true, force: true });
});

const driver = getDriver('iperf3');
const at = (more: Record<string, unknown> = {}) => ({
  target: server.host,
  port: server.port,
  bitrateMbps: 20,
  ...more,
});
/** The last interval, of the sum where there are streams, where it lasts less than 0.4 s. */
function tailOf(stdout: string): { lengthMs: number; rate: number } | null {
  const lines = [
    ...stdout.matchAll(/^\[ *(\d+|SUM)\] +([\d.]+)-([\d.]+) +sec .* ([\d.]+) Kbits\/sec(.*)$/gm),
  ].filter(([, , , , , rest = '']) => !/sender|receiver/.test(rest));
  const last = lines.at(-1);
  const lengthMs = (Number(last?.[3]) - Number(last?.[2])) * 1_000;
  return lengthMs < 400 ? { lengthMs, rate: Number(last?.[4]) / 1_000 } : null;
}
const metricsOf = (samples: readonly { metric: string }[]): string[] =>
  [...new Set(samples.map(({ metric }) => metric))].sort();

const loads = [
  { name: 'TCP sent', more: {}, metrics: ['retransmitRate', 'throughput'] },
  { name: 'TCP received', more: { direction: 'receive' }, metrics: ['throughput'] },
  {
    name: 'TCP sent in three streams',
    more: { streams: 3 },
    metrics: ['retransmitRate', 'throughput'],
  },
  {
    name: 'UDP received in two streams',
    more: { protocol: 'udp', direction: 'receive', streams: 2 },
    metrics: ['jitterMs', 'lossPct', 'throughput'],
  },
] as const;

test.each(loads)(
  "$name: the sum of the intervals is the tool's own report within 1 %, and a fresh parser goes on from any byte",
  async ({ more, metrics }) => {
    expect(await driver.check(localHost(), driver.params.parse(at(more)))).toMatchObject({
      ok: true,
    });
    for (let i = 0; i < repeats; i += 1) {
      const ran = await againstReport('iperf3', at(more), dir, tailOf);
      expect(ran.badLines).toEqual([]);
      expect(Math.abs(ran.offPct)).toBeLessThan(1);
      expect(metricsOf(ran.samples)).toEqual(metrics);
      if (i === 0) expectResumable('iperf3', at(more), ran);
    }
  },
);

test('what UDP sends is shown as sent; the report tells what arrived, and the check says so', async () => {
  const parsed = driver.params.parse(at({ protocol: 'udp', lengthBytes: 1_000 }));
  expect(await driver.check(localHost(), parsed)).toMatchObject({
    ok: true,
    warning: expect.stringContaining('what was sent'),
  });
  const { stdout, startMs } = await runTool(
    driver.command(parsed, { durationS: 1, intervalS: 1 }),
    dir,
  );
  expect(driver.finalReport(parsed, stdout.toString())!.text).toContain('receiver');
  expect(startMs).toBeGreaterThan(0);
});

test('what stands in the way of a run is said in words, with the parameter it is about', async () => {
  const checked = (more: Record<string, unknown>) =>
    driver.check(localHost(), driver.params.parse(at(more)));
  const nobody = await freePort();
  expect(await checked({ port: nobody })).toMatchObject({
    ok: false,
    problem: `no iperf3 server listens on 127.0.0.1 port ${nobody}`,
    blames: 'port',
    fix: expect.stringContaining('iperf3 -s'),
  });
  expect(await checked({ target: 'nowhere.invalid' })).toMatchObject({
    ok: false,
    blames: 'target',
  });
  expect(await checked({ target: '' })).toMatchObject({ ok: false, blames: 'target' });
  const other = createServer((socket) => socket.resume());
  await new Promise<void>((resolve) => {
    other.listen(0, '127.0.0.1', () => resolve());
  });
  const { port } = other.address() as { port: number };
  expect(await checked({ port })).toMatchObject({
    ok: false,
    problem: expect.stringContaining('did not answer as an iperf3 server'),
  });
  other.close();
});

test('a server that is busy with another test is said before the run', async () => {
  const parsed = driver.params.parse(at());
  const busy = runTool(driver.command(parsed, { durationS: 5, intervalS: 1 }), dir);
  const answers: (string | undefined)[] = [];
  const over = busy.then(() => true);
  // The other test may not have begun yet, or be over on a machine that stood still.
  while (!answers.some((one) => one?.includes('busy'))) {
    const done = await Promise.race([over, Promise.resolve(false)]);
    if (done) break;
    answers.push((await driver.check(localHost(), parsed)).problem);
  }
  await busy;
  expect(answers.join()).toContain('is busy with another test');
});
