import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type LabNginx, startNginx } from '../../../e2e/lab/nginx.ts';
import { getDriver } from './index.ts';
import { againstReport, expectResumable, repeats } from './testing/againstReport.ts';
import { localHost } from './testing/localHost.ts';

const driver = getDriver('k6');
const missing = spawnSync('k6', ['version']).error !== undefined;

/** 60 iterations a second, each a page; three users, so that a server that stands still drops some. */
const scriptOf = (port: number): string => `import http from 'k6/http';
export const options = { scenarios: { pages: { executor: 'constant-arrival-rate', rate: 60,
  timeUnit: '1s', duration: __ENV.DURATION_S + 's', preAllocatedVUs: 3, maxVUs: 3 } } };
export default function () { http.get('http://' + __ENV.TARGET + ':${port}/page.html'); }
`;
/** A figure of its report at the end. */
const reported = (name: string, text: string): number =>
  Number(new RegExp(`^ *${name}\\.+: (\\d+) `, 'm').exec(text)?.[1] ?? 0);

if (missing)
  test.skip('k6 against its own report: it is not installed, and building it takes minutes', () =>
    undefined);
else
  describe('k6', () => {
    let dir: string;
    let server: LabNginx;
    const at = () => ({ script: join(dir, 'load.js'), target: '127.0.0.1' });
    beforeAll(async () => {
      dir = mkdtempSync(join(tmpdir(), 'tb-k6-'));
      server = await startNginx({ dir });
      writeFileSync(join(dir, 'load.js'), scriptOf(server.port));
    });
    afterAll(async () => {
      await server.stop();
      rmSync(dir, { recursive: true, force: true });
    });

    test("its intervals hold each sample of its own report and each request of the server's log within 1 %, and a fresh parser goes on from any byte", async () => {
      expect(await driver.check(localHost(), driver.params.parse(at()))).toMatchObject({
        ok: true,
        version: expect.stringMatching(/^k6 v?\d/),
      });
      for (let i = 0; i < repeats; i += 1) {
        const before = server.answered();
        const ran = await againstReport('k6', at(), dir, undefined, 5);
        const answered = server.answered() - before;
        expect(ran.badLines).toEqual([]);
        const told = ran.samples.filter(({ metric }) => metric === 'throughput');
        // What ended after the last interval, too short for a rate, by its own words.
        const counted = told.reduce(
          (sum, { tMs, value }, n) =>
            sum + (value * (n === 0 ? 1_000 : tMs - told[n - 1]!.tMs)) / 1_000,
          0,
        );
        const text = ran.stdout.toString();
        const all = reported('iterations', text);
        const endsMs = [...text.matchAll(/"metric":"iterations".*?"time":"(.*?)"/g)].map(
          ([, time = '']) => Date.parse(time),
        );
        const tail = endsMs.filter((endMs) => endMs > told.at(-1)!.tMs).length;
        expect(tail).toBeLessThan(all / 5);
        expect(Math.abs(answered / all - 1)).toBeLessThan(0.01);
        expect(Math.abs((counted + tail) / all - 1)).toBeLessThan(0.01);
        if (i === 0) expectResumable('k6', at(), ran);
      }
    });
  });
