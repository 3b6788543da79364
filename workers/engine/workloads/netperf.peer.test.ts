import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startChild } from '../../../e2e/lab/child.ts';
import { poll } from '../../../e2e/lab/poll.ts';
import { freePort } from '../../../e2e/lab/ports.ts';
import { getDriver } from './index.ts';
import { againstReport, expectResumable, repeats } from './testing/againstReport.ts';
import { localHost } from './testing/localHost.ts';

const driver = getDriver('netperf');
const missing = spawnSync('netperf', ['-V']).error !== undefined;

/** Results that netperf printed, by their keys and not by the parser. */
function printedBy(stdout: string): { rate: number; seconds: number }[] {
  const of = (key: string): number[] =>
    [...stdout.matchAll(new RegExp(`^NETPERF_${key}\\[\\d+\\]=(.*)$`, 'gm'))].map(([, value]) =>
      Number(value),
    );
  const seconds = of('INTERVAL');
  return of('INTERIM_RESULT').map((rate, i) => ({ rate, seconds: seconds[i]! }));
}
const reported = (stdout: string, key: string): number =>
  Number(new RegExp(`^${key}=(.*)$`, 'm').exec(stdout)?.[1]);

if (missing)
  test.skip('netperf against its own report: it is not installed, and Debian main has no package of it', () =>
    undefined);
else
  describe('netperf', () => {
    let dir: string;
    let port: number;
    let server: ReturnType<typeof startChild>;
    const at = (more: Record<string, unknown> = {}) => ({ target: '127.0.0.1', port, ...more });
    const checked = (more: Record<string, unknown> = {}) =>
      driver.check(localHost(), driver.params.parse(at(more)));
    beforeAll(async () => {
      dir = mkdtempSync(join(tmpdir(), 'tb-netperf-'));
      port = await freePort();
      server = startChild(
        'netserver',
        ['-D', '-L', '127.0.0.1', '-p', String(port)],
        join(dir, 'log'),
      );
      await poll('netserver answers', async () => {
        if (server.ended()) throw new Error(server.log());
        return (await checked()).ok;
      });
    });
    afterAll(async () => {
      await server.stop();
      rmSync(dir, { recursive: true, force: true });
    });

    test.each([
      { name: 'answers by TCP', more: { requestBytes: 100, responseBytes: 200 }, timed: true },
      { name: 'answers by UDP', more: { test: 'UDP_RR' }, timed: true },
      { name: 'connections', more: { test: 'TCP_CRR' }, timed: true },
      { name: 'a stream sent', more: { test: 'TCP_STREAM', writeBytes: 8_192 }, timed: false },
      {
        name: 'a stream received',
        more: { test: 'TCP_MAERTS', writeBytes: 8_192 },
        timed: false,
      },
    ])(
      "$name: the sum of the intervals is the tool's own report within 1 %, and a fresh parser goes on from any byte",
      async ({ more, timed }) => {
        expect(await checked(more)).toMatchObject({
          ok: true,
          version: expect.stringContaining('2.'),
        });
        for (let i = 0; i < repeats; i += 1) {
          const ran = await againstReport('netperf', at(more), dir, undefined, 3);
          const text = ran.stdout.toString();
          const printed = printedBy(text);
          expect(ran.badLines).toEqual([]);
          // One that lasted longer than an interval stands in each that it covers.
          const told = ran.samples.filter(({ metric }) => metric === 'throughput');
          expect([...new Set(told.map(({ value }) => value))]).toEqual([
            ...new Set(printed.flatMap(({ rate, seconds }) => (seconds < 0.4 ? [] : [rate]))),
          ]);
          // Work by work: its time of a stream goes on until the other side has read all of it.
          const done = printed.reduce((sum, { rate, seconds }) => sum + rate * seconds, 0);
          const all = reported(text, 'THROUGHPUT') * reported(text, 'ELAPSED_TIME');
          expect(Math.abs(done / all - 1)).toBeLessThan(0.01);
          expect(ran.samples.some(({ metric }) => metric === 'latencyMeanMs')).toBe(timed);
          if (i === 0) expectResumable('netperf', at(more), ran);
        }
      },
    );

    test('what stands in the way of a run is said in words, with the parameter it is about', async () => {
      const nobody = await freePort();
      expect(await checked({ port: nobody })).toMatchObject({
        ok: false,
        problem: `no netserver listens on 127.0.0.1 port ${nobody}`,
        blames: 'port',
      });
      expect(await checked({ target: 'nowhere.invalid' })).toMatchObject({
        ok: false,
        problem: 'the name nowhere.invalid is not known to the client',
        blames: 'target',
      });
      expect(await checked({ target: '' })).toMatchObject({ ok: false, blames: 'target' });
      const other = createServer((socket) => socket.resume());
      await new Promise<void>((resolve) => {
        other.listen(0, '127.0.0.1', () => resolve());
      });
      expect(await checked({ port: (other.address() as { port: number }).port })).toMatchObject({
        ok: false,
        problem: expect.stringContaining('did not answer as a netserver'),
      });
      other.close();
    });
  });
