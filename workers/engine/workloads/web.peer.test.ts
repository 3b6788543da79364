import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type LabNginx, startNginx } from '../../../e2e/lab/nginx.ts';
import { poll } from '../../../e2e/lab/poll.ts';
import { freePort } from '../../../e2e/lab/ports.ts';
import { getDriver } from './index.ts';
import { againstReport, expectResumable, repeats } from './testing/againstReport.ts';
import { localHost } from './testing/localHost.ts';
import { parseAll } from './testing/parse.ts';
import { runTool } from './testing/runTool.ts';

let dir: string;
let server: LabNginx;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'tb-web-'));
  server = await startNginx({ dir });
});
afterAll(async () => {
  await server.stop();
  rmSync(dir, { recursive: true, force: true });
});
/** A folder of its own for each job, as on a client. */
const jobFolder = (): string => mkdtempSync(join(dir, 'job-'));

const at = (more: Record<string, unknown>) => ({
  target: '127.0.0.1',
  port: server.port,
  path: '/page.html',
  ...more,
});
const loads = [
  { id: 'h2load', name: 'at a rate', more: { http1: true, clients: 4, rate: 200 } },
  { id: 'h2load', name: 'two threads as fast as they go', more: { http1: true, threads: 2 } },
  { id: 'wrk', name: 'one thread', more: { connections: 2 } },
  { id: 'wrk', name: 'three threads', more: { connections: 6, threads: 3 } },
] as const;

test.each(loads)(
  "$id, $name: the sum of the intervals is the tool's own report within 1 %, a fresh parser goes on from any byte, nothing is left",
  async ({ id, more }) => {
    const driver = getDriver(id);
    expect(await driver.check(localHost(), driver.params.parse(at(more)))).toMatchObject({
      ok: true,
    });
    for (let i = 0; i < repeats; i += 1) {
      const folder = jobFolder();
      const ran = await againstReport(id, at(more), folder);
      expect(ran.badLines).toEqual([]);
      expect(countedBy(ran.stdout.toString())).toEqual(reportedBy(ran.stdout.toString()));
      expect(readdirSync(folder).filter((name) => name !== 'count.lua')).toEqual([]);
      if (i === 0) expectResumable(id, at(more), ran);
    }
  },
);

/** Requests in the lines of the intervals, by their form and not by the parser. */
const countedBy = (text: string): number =>
  [...text.matchAll(/^r \d+ \d+ (\d+) |^w \d+ \d+ \d+ (\d+) /gm)].reduce(
    (sum, [, one, other]) => sum + Number(one ?? other),
    0,
  );
/** Requests in the report at the end. */
const reportedBy = (text: string): number =>
  Number(/^requests: .* (\d+) done/m.exec(text)?.[1] ?? /(\d+) requests in /.exec(text)?.[1]);

test('answers with an error status are errors, not throughput', async () => {
  for (const id of ['h2load', 'wrk']) {
    const driver = getDriver(id);
    const parsed = driver.params.parse(
      at({ path: '/none', ...(id === 'h2load' ? { http1: true, rate: 100 } : {}) }),
    );
    expect(await driver.check(localHost(), parsed)).toMatchObject({
      ok: false,
      problem: expect.stringContaining('answers with an error status'),
    });
    const ran = await runTool(driver.command(parsed, { durationS: 2, intervalS: 1 }), jobFolder());
    const { samples } = parseAll(driver, parsed, ran.stdout, { startMs: ran.startMs });
    const of = (metric: string) => samples.filter((s) => s.metric === metric).map((s) => s.value);
    expect(Math.max(...of('throughput'))).toBe(0);
    expect(Math.max(...of('errorRate'))).toBeGreaterThan(0);
  }
});

test.each([
  { id: 'h2load', more: { http1: true, rate: 100, clients: 2 } },
  { id: 'wrk', more: { connections: 2 } },
])('$id: while the server stands still its intervals say 0', async ({ id, more }) => {
  // One of its own, whose log is short: it tells when the load has begun.
  const own = await startNginx({ dir: jobFolder() });
  const driver = getDriver(id);
  const parsed = driver.params.parse({ ...at(more), port: own.port });
  const running = runTool(driver.command(parsed, { durationS: 6, intervalS: 1 }), jobFolder());
  await poll('the load has begun', () => own.answered() > 0);
  own.freeze();
  // Longer than two intervals: one of them lies in it whole.
  await new Promise((resolve) => setTimeout(resolve, 2_200));
  own.thaw();
  const { stdout, startMs } = await running;
  await own.stop();
  const { samples } = parseAll(driver, parsed, stdout, { startMs });
  expect(samples.filter((s) => s.metric === 'throughput').map((s) => s.value)).toContain(0);
});

test.each(['h2load', 'wrk'])('%s: what stands in the way of a run is said in words', async (id) => {
  const driver = getDriver(id);
  const checked = (more: Record<string, unknown>) =>
    driver.check(
      localHost(),
      driver.params.parse(at({ ...(id === 'h2load' ? { http1: true } : {}), ...more })),
    );
  expect(await checked({ port: await freePort() })).toMatchObject({ ok: false, blames: 'target' });
  expect(await checked({ target: 'nowhere.invalid' })).toMatchObject({
    ok: false,
    problem: expect.stringContaining('nowhere.invalid'),
  });
  expect(await checked({ target: '' })).toMatchObject({ ok: false, blames: 'target' });
});

test.each(['h2load', 'wrk'])('%s: ended in the middle, nothing of it goes on', async (id) => {
  const driver = getDriver(id);
  const parsed = driver.params.parse(at(id === 'h2load' ? { http1: true, rate: 20 } : {}));
  const child = spawn('/bin/sh', ['-c', driver.command(parsed, { durationS: 600, intervalS: 1 })], {
    cwd: jobFolder(),
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => (text += part));
  await poll('an interval while it runs', () => /^[rw] \d+/m.test(text));
  process.kill(-child.pid!, 'SIGTERM');
  await poll('its whole group is gone', () => groupOf(child.pid!) === '');
});
/** Commands of a process group that still live. */
function groupOf(pgid: number): string {
  return execFileSync('ps', ['-e', '-o', 'pgid=,stat=,comm='], { encoding: 'utf8' })
    .split('\n')
    .filter((one) => Number(one.trim().split(/\s+/)[0]) === pgid && !/^\s*\d+\s+Z/.test(one))
    .join();
}
