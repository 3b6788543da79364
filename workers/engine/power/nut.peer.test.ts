import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type LabNut, startNut } from '../../../e2e/lab/nut.ts';
import { poll } from '../../../e2e/lab/poll.ts';
import type { PowerConnection } from '../../../src/core/testbed/connection.ts';
import { silentLog } from '../deps.ts';
import { createPowerEdge } from './edge.ts';

const log = silentLog;
const edge = createPowerEdge({
  clock: { now: () => Date.now(), sleep: () => Promise.resolve() },
  log,
});
const keys = { secret: () => Promise.reject(new Error('NUT has no login')), measuredMs: null };
let dir: string;
let nut: LabNut;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'tb-nut-'));
  nut = await startNut({ dir });
});
afterAll(async () => {
  await nut.stop();
  rmSync(dir, { recursive: true, force: true });
});
const at = (
  change: { ups?: string; variable?: string; port?: number; host?: string } = {},
): PowerConnection => ({
  kind: 'power',
  id: 'p',
  name: 'meter',
  source: {
    type: 'nut',
    host: change.host ?? '127.0.0.1',
    port: change.port ?? nut.port,
    ups: change.ups ?? nut.ups,
    variable: change.variable ?? 'ups.realpower',
    periodMs: 1_000,
  },
});

test('a real NUT server gives watts that move', async () => {
  const meter = edge.open(at(), keys);
  const seen = new Set<number>();
  await poll('two different readings', async () => {
    for (const { watts } of await meter.read()) seen.add(watts);
    return seen.size >= 2;
  });
  expect([...seen].every((watts) => watts > 100 && watts < 260)).toBe(true);
  await meter.close();
});

test('what the server repeats until its driver has asked the device again is one reading', async () => {
  await nut.setWatts(222);
  let nowMs = 1_000_000;
  const slow = createPowerEdge({
    clock: { now: () => nowMs, sleep: () => Promise.resolve() },
    log,
  });
  const meter = slow.open(at(), keys);
  const { updateMs } = await meter.about!();
  expect(updateMs).toBeGreaterThanOrEqual(1_000);
  const taken: number[] = [];
  // Ten questions while the device measures once, then ten more.
  for (let ask = 0; ask < 20; ask += 1) {
    for (const { watts } of await meter.read()) taken.push(watts);
    nowMs += updateMs! / 10;
  }
  expect(taken).toEqual([222, 222]);
  await meter.close();
});

test.each([
  [{ ups: 'nobody' }, 'permission', 'The NUT server has no UPS nobody.', 'It has: host1.'],
  [
    { variable: 'ups.colour' },
    'permission',
    'host1 has no variable ups.colour.',
    'ups.realpower is in watts',
  ],
  [{ port: 1 }, 'port', 'Nothing listens at 127.0.0.1:1.', 'Start upsd there'],
  [{ host: 'no-such-host.invalid' }, 'name', 'is not known', 'Correct the address'],
] as const)('a test of %j fails at %s, in words', async (change, step, detail, fix) => {
  const report = await edge.test(at(change), null);
  expect(report.ok).toBe(false);
  expect(report.steps.find((s) => !s.ok)).toMatchObject({
    step,
    detail: expect.stringContaining(detail),
    fix: expect.stringContaining(fix),
  });
});

test('a server that dies and comes back is read again by the same meter', async () => {
  const meter = edge.open(at(), keys);
  await meter.read();
  await nut.kill();
  await expect(meter.read()).rejects.toMatchObject({ kind: 'unreachable' });
  await nut.restart();
  expect((await meter.read())[0]!.watts).toBeGreaterThan(100);
  await meter.close();
});
