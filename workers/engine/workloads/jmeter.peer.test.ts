import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type LabNginx, startNginx } from '../../../e2e/lab/nginx.ts';
import { getDriver } from './index.ts';
import { againstReport, expectResumable, repeats } from './testing/againstReport.ts';
import { localHost } from './testing/localHost.ts';

const driver = getDriver('jmeter');
const missing = spawnSync('jmeter', ['--version', '-j', '/dev/null']).error !== undefined;

/** Four users who ask for a page each 20 ms, under a name with a comma and quotes. */
const planOf = (port: number): string => `<?xml version="1.0" encoding="UTF-8"?>
<jmeterTestPlan version="1.2" properties="5.0"><hashTree>
<TestPlan guiclass="TestPlanGui" testclass="TestPlan" testname="Plan"/><hashTree>
<ThreadGroup guiclass="ThreadGroupGui" testclass="ThreadGroup" testname="Users">
<stringProp name="ThreadGroup.on_sample_error">continue</stringProp>
<elementProp name="ThreadGroup.main_controller" elementType="LoopController"><intProp name="LoopController.loops">-1</intProp></elementProp>
<stringProp name="ThreadGroup.num_threads">4</stringProp>
<stringProp name="ThreadGroup.ramp_time">0</stringProp>
<boolProp name="ThreadGroup.scheduler">true</boolProp>
<stringProp name="ThreadGroup.duration">\${__P(durationS)}</stringProp>
</ThreadGroup><hashTree>
<HTTPSamplerProxy guiclass="HttpTestSampleGui" testclass="HTTPSamplerProxy" testname="Page, &quot;first&quot;">
<elementProp name="HTTPsampler.Arguments" elementType="Arguments"><collectionProp name="Arguments.arguments"/></elementProp>
<stringProp name="HTTPSampler.domain">\${__P(target)}</stringProp>
<stringProp name="HTTPSampler.port">${port}</stringProp>
<stringProp name="HTTPSampler.protocol">http</stringProp>
<stringProp name="HTTPSampler.path">/page.html</stringProp>
<stringProp name="HTTPSampler.method">GET</stringProp>
<boolProp name="HTTPSampler.use_keepalive">true</boolProp>
</HTTPSamplerProxy><hashTree/>
<ConstantTimer guiclass="ConstantTimerGui" testclass="ConstantTimer" testname="Pause"><stringProp name="ConstantTimer.delay">20</stringProp></ConstantTimer><hashTree/>
</hashTree></hashTree></hashTree></jmeterTestPlan>
`;

if (missing)
  test.skip('JMeter against its own report: it is not installed, and Debian has 2.13 only', () =>
    undefined);
else
  describe('JMeter', () => {
    let dir: string;
    let server: LabNginx;
    const at = () => ({ plan: join(dir, 'plan.jmx'), target: '127.0.0.1' });
    beforeAll(async () => {
      dir = mkdtempSync(join(tmpdir(), 'tb-jmeter-'));
      server = await startNginx({ dir });
      writeFileSync(join(dir, 'plan.jmx'), planOf(server.port));
    });
    afterAll(async () => {
      await server.stop();
      rmSync(dir, { recursive: true, force: true });
    });

    test("its intervals hold each sample of its own report and each request of the server's log within 1 %, and a fresh parser goes on from any byte", async () => {
      expect(await driver.check(localHost(), driver.params.parse(at()))).toMatchObject({
        ok: true,
        version: expect.stringMatching(/^\d/),
      });
      for (let i = 0; i < repeats; i += 1) {
        const before = server.answered();
        const ran = await againstReport('jmeter', at(), dir, undefined, 5);
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
        const all = Number([...text.matchAll(/^summary = +(\d+) in /gm)].at(-1)?.[1]);
        const endsMs = [...text.matchAll(/^(\d{13}),(\d+),/gm)].map(
          ([, start, elapsed]) => Number(start) + Number(elapsed),
        );
        const tail = endsMs.filter((endMs) => endMs > told.at(-1)!.tMs).length;
        expect(tail).toBeLessThan(all / 5);
        expect(Math.abs(answered / all - 1)).toBeLessThan(0.01);
        expect(Math.abs((counted + tail) / all - 1)).toBeLessThan(0.01);
        if (i === 0) expectResumable('jmeter', at(), ran);
      }
    });
  });
