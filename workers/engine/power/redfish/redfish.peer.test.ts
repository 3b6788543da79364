import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type LabBmc, startBmc } from '../../../../e2e/lab/bmc.ts';
import { poll } from '../../../../e2e/lab/poll.ts';
import { type LabSushy, startSushy } from '../../../../e2e/lab/sushy.ts';
import type { PowerConnection } from '../../../../src/core/testbed/connection.ts';
import { silentLog } from '../../deps.ts';
import type { PowerMeter } from '../../deps/power.ts';
import { createPowerEdge } from '../edge.ts';

/** Time of the test's own making: a wait is over at once, and an hour of polling too. */
let nowMs: number;
let onWait: () => void;
const edge = createPowerEdge({
  clock: {
    now: () => nowMs,
    sleep: async (ms) => {
      nowMs += ms;
      onWait();
    },
  },
  log: silentLog,
});
const chassis = '/redfish/v1/Chassis';
/** Controllers of several makers, by what was recorded of them: each the part that is read. */
const tree = {
  '/redfish/v1/': { Chassis: { '@odata.id': chassis } },
  [chassis]: {
    Members: [{ '@odata.id': `${chassis}/Rack` }, { '@odata.id': `${chassis}/1` }],
  },
  [`${chassis}/Rack`]: {
    Id: 'Rack',
    Name: 'Enclosure',
    Power: { '@odata.id': `${chassis}/Rack/Power` },
  },
  [`${chassis}/Rack/Power`]: {
    PowerControl: [{ MemberId: '0', Name: 'Chassis Power Control', PowerConsumedWatts: 4_000 }],
  },
  [`${chassis}/1`]: {
    Id: '1',
    Name: 'Computer System Chassis',
    Links: { ComputerSystems: [{ '@odata.id': '/redfish/v1/Systems/1' }] },
    Power: { '@odata.id': `${chassis}/1/Power` },
  },
};
const powerOf = (...controls: Record<string, unknown>[]): Record<string, unknown> => ({
  Name: 'Power',
  PowerControl: controls.map((control, index) => ({ MemberId: String(index), ...control })),
  // Each of the supplies says the whole, as on a machine with four: a sum is four times too much.
  PowerSupplies: [{ PowerInputWatts: 312 }, { PowerInputWatts: 312 }],
});
const lenovo = powerOf(
  { Name: 'Server Power Control', PowerConsumedWatts: 312 },
  { Name: 'CPU Sub-system Power', PowerConsumedWatts: 170 },
  { Name: 'Memory Sub-system Power', PowerConsumedWatts: 40 },
);

let dir: string;
let bmc: LabBmc;
let open: PowerMeter[];
beforeEach(async () => {
  nowMs = Date.now();
  onWait = () => undefined;
  open = [];
  dir = mkdtempSync(join(tmpdir(), 'tb-bmc-'));
  bmc = await startBmc(dir, { ...tree, [`${chassis}/1/Power`]: lenovo });
});
afterEach(async () => {
  for (const meter of open) await meter.close();
  await bmc.stop();
  rmSync(dir, { recursive: true, force: true });
});

const at = (change: Record<string, unknown> = {}): PowerConnection => ({
  kind: 'power',
  id: 'p',
  name: 'node1',
  source: {
    type: 'redfish',
    host: '127.0.0.1',
    port: bmc.port,
    user: bmc.user,
    password: { keychain: 'p' },
    fingerprint256: bmc.fingerprint256(),
    periodMs: 1_000,
    ...change,
  },
});
function meterAt(change = {}, measuredMs: number | null = null): PowerMeter {
  const meter = edge.open(at(change), { secret: async () => bmc.password, measuredMs });
  open.push(meter);
  return meter;
}
const put = (...controls: Record<string, unknown>[]): unknown =>
  bmc.tree.set(`${chassis}/1/Power`, powerOf(...controls));
const failedAt = async (
  change: Record<string, unknown>,
  secret = bmc.password,
): Promise<{ step: string; detail: string; fix?: string | undefined } | undefined> =>
  (await edge.test(at(change), secret)).steps.find(({ ok }) => !ok);

test('the machine is read, never a sum; parts and other enclosures are offered', async () => {
  let watts = 312;
  onWait = () => {
    // A new value every five seconds.
    watts = 312 + Math.floor(nowMs / 5_000) * 2 - Math.floor(startMs / 5_000) * 2;
    put(
      { Name: 'Server Power Control', PowerConsumedWatts: watts },
      { Name: 'CPU Sub-system Power', PowerConsumedWatts: 170 },
    );
  };
  const startMs = nowMs;
  const report = await edge.test(at(), bmc.password);
  expect(report.ok).toBe(true);
  expect(report.steps.map(({ step }) => step)).toEqual([
    ...['name', 'port', 'tls', 'pin', 'authentication', 'reading', 'refresh'],
  ]);
  expect(report.steps.find(({ step }) => step === 'reading')!.detail).toContain(
    '312 W of Computer System Chassis: Server Power Control',
  );
  expect(report.updateMs).toBe(5_000);
  expect(report.readings).toEqual([
    {
      reading: `${chassis}/1/Power#/PowerControl/0/PowerConsumedWatts`,
      label: 'Computer System Chassis: Server Power Control',
      watts: 312,
      chosen: true,
    },
    expect.objectContaining({ watts: 4_000, chosen: false }) as unknown,
    expect.objectContaining({ watts: 170, chosen: false }) as unknown,
    expect.objectContaining({ watts: 40, chosen: false }) as unknown,
  ]);
  // Controllers allow few sessions: none is left.
  expect(bmc.sessions()).toBe(0);
  const cpu = meterAt({ reading: `${chassis}/1/Power#/PowerControl/1/PowerConsumedWatts` });
  expect((await cpu.read())[0]!.watts).toBe(170);
});

test('watts of environment metrics come first, text is a number, 0 is no meter', async () => {
  bmc.tree.set(`${chassis}/1`, {
    ...(bmc.tree.get(`${chassis}/1`) as object),
    EnvironmentMetrics: { '@odata.id': `${chassis}/1/EnvironmentMetrics` },
  });
  bmc.tree.set(`${chassis}/1/EnvironmentMetrics`, { PowerWatts: { Reading: 1349.3 } });
  expect((await meterAt().read())[0]!.watts).toBe(1349.3);
  bmc.tree.set(`${chassis}/1/EnvironmentMetrics`, { PowerWatts: { Reading: null } });
  put({ PowerConsumedWatts: '431' });
  expect((await meterAt().read())[0]!.watts).toBe(431);
  put({ PowerConsumedWatts: 0, PowerMetrics: { IntervalInMin: 5 } });
  await expect(meterAt().read()).rejects.toMatchObject({
    kind: 'notFound',
    message:
      'The management controller node1 says 0 W or nothing: the server has no power meter, or is off.',
  });
  expect(await failedAt({})).toMatchObject({ step: 'reading' });
});

test('a value that is repeated is no new sample, and one zero is none', async () => {
  const meter = meterAt({}, 10_000);
  const taken: number[] = [];
  for (let second = 0; second < 30; second += 1) {
    put({ Name: 'System', PowerConsumedWatts: 300 + Math.floor(second / 10) });
    for (const { watts } of await meter.read()) taken.push(watts);
    nowMs += 1_000;
  }
  expect(taken).toEqual([300, 301, 302]);
  put({ Name: 'System', PowerConsumedWatts: 0 });
  await expect(meter.read()).rejects.toMatchObject({ kind: 'unreachable' });
  put({ Name: 'System', PowerConsumedWatts: 280 });
  expect((await meter.read())[0]!.watts).toBe(280);
});

test('one session is kept, opened anew when it ended, and closed', async () => {
  const meter = meterAt({}, 1_000);
  for (let second = 0; second < 5; second += 1) {
    await meter.read();
    nowMs += 1_000;
  }
  expect([bmc.opened(), bmc.sessions()]).toEqual([1, 1]);
  bmc.endSessions();
  expect(await meter.read()).toHaveLength(1);
  expect(bmc.opened()).toBe(2);
  await meter.close();
  expect(bmc.sessions()).toBe(0);
  expect(bmc.calls.at(-1)).toBe('DELETE /redfish/v1/SessionService/Sessions/2');
});

test('a refused password is said, and not tried again for a minute', async () => {
  expect(await failedAt({}, 'wrong')).toMatchObject({
    step: 'authentication',
    detail: expect.stringContaining('The user name or password is wrong.') as string,
  });
  const meter = edge.open(at(), { secret: async () => 'wrong', measuredMs: null });
  const before = bmc.calls.length;
  await expect(meter.read()).rejects.toMatchObject({ kind: 'authFailed' });
  await expect(meter.read()).rejects.toMatchObject({ kind: 'authFailed' });
  expect(bmc.calls.length).toBe(before + 1);
  nowMs += 61_000;
  await expect(meter.read()).rejects.toMatchObject({ kind: 'authFailed' });
  expect(bmc.calls.length).toBe(before + 2);
  await meter.close();
});

test('a busy controller is left alone for as long as it says, a silent one is a gap', async () => {
  const meter = meterAt({}, 1_000);
  await meter.read();
  bmc.answer = 'busy';
  const before = bmc.calls.length;
  await expect(meter.read()).rejects.toMatchObject({ kind: 'unreachable' });
  await expect(meter.read()).rejects.toMatchObject({
    message: expect.stringContaining('is busy') as string,
  });
  expect(bmc.calls.length).toBe(before + 1);
  nowMs += 2_100;
  bmc.answer = 'well';
  expect(await meter.read()).toHaveLength(1);
  bmc.answer = 'not';
  const patience = AbortSignal.timeout(500);
  await expect(meter.read(patience)).rejects.toMatchObject({ kind: 'aborted' });
  bmc.answer = 'well';
  nowMs += 1_000;
  expect(await meter.read()).toHaveLength(1);
});

test('a certificate is shown before anything is sent, and one that changed is refused', async () => {
  const { fingerprint256: _none, ...unpinned } = at().source as { fingerprint256: string };
  const connection = { ...at(), source: unpinned as PowerConnection['source'] };
  const report = await edge.test(connection, bmc.password);
  expect(report.steps.at(-1)).toMatchObject({ step: 'pin', ok: false });
  expect(await edge.identify(connection)).toMatchObject({
    kind: 'certificate',
    fingerprint: bmc.fingerprint256(),
    subject: 'bmc.lab',
    trust: 'unknown',
  });
  expect(bmc.calls).toEqual([]);
  const pinned = at();
  const meter = meterAt({}, 1_000);
  await meter.read();
  const seen = bmc.calls.length;
  await bmc.changeCertificate();
  nowMs += 1_000;
  await expect(meter.read()).rejects.toMatchObject({ kind: 'untrusted' });
  expect(await edge.identify(pinned)).toMatchObject({ trust: 'changed' });
  expect(bmc.calls.length).toBe(seen);
});

test('a history is read with its own times, and fills a gap', async () => {
  const start = Math.floor(Date.now() / 10_000) * 10_000;
  const entries = (): unknown => ({
    PowerDetail: Array.from({ length: 120 }, (_, i) => {
      const tMs = Math.floor(nowMs / 10_000) * 10_000 - (119 - i) * 10_000;
      return { Time: new Date(tMs).toISOString(), Average: 200 + (tMs - start) / 10_000 };
    }),
  });
  // The controller's `Date` is the real clock's: the test's clock goes with it, but for what it waits.
  bmc.tree.set(`${chassis}/1/Power`, {
    ...powerOf({ PowerConsumedWatts: 97 }),
    Oem: { Hpe: { Links: { FastPowerMeter: { '@odata.id': `${chassis}/1/Power/Fast` } } } },
  });
  bmc.tree.set(`${chassis}/1/Power/Fast`, entries);
  const meter = meterAt();
  expect(await meter.about!()).toMatchObject({ updateMs: 10_000, windowMs: 10_000, lagMs: 40_000 });
  const sinceMs = nowMs - 600_000;
  const readings = await meter.read(undefined, sinceMs);
  expect(readings.length).toBeGreaterThanOrEqual(58);
  expect(readings.length).toBeLessThanOrEqual(61);
  const steps = readings.slice(1).map(({ tMs }, i) => tMs - readings[i]!.tMs);
  expect(new Set(steps)).toEqual(new Set([10_000]));
  expect(readings.every(({ watts }, i) => i === 0 || watts === readings[i - 1]!.watts + 1)).toBe(
    true,
  );
  // Not asked again at once; at the end it gives what is left, and nothing twice.
  expect(await meter.read(undefined, readings.at(-1)!.tMs)).toEqual([]);
  expect(await meter.flush!(readings.at(-1)!.tMs)).toEqual([]);
});

describe('sushy-static', () => {
  let sushy: LabSushy;
  beforeEach(async () => {
    sushy = await startSushy(dir, { ...tree, [`${chassis}/1/Power`]: lenovo });
  });
  afterEach(() => sushy.stop());

  test('gives no session: known with each call, and read', async () => {
    const place = { port: sushy.port, fingerprint256: sushy.fingerprint256 };
    let watts = 300;
    onWait = () => {
      watts += 1;
      sushy.put(`${chassis}/1/Power`, powerOf({ Name: 'System', PowerConsumedWatts: watts }));
    };
    const report = await edge.test(at(place), 'any');
    expect(report.steps.map(({ step, ok, detail }) => (ok ? step : detail))).toEqual([
      ...['name', 'port', 'tls', 'pin', 'authentication', 'reading', 'refresh'],
    ]);
    expect(report.steps[4]!.detail).toContain('gives no session');
    expect(report.updateMs).toBe(1_000);
    const meter = meterAt(place, 1_000);
    const seen = new Set<number>();
    await poll('two different readings', async () => {
      onWait();
      nowMs += 1_000;
      for (const one of await meter.read()) seen.add(one.watts);
      return seen.size >= 2;
    });
    await sushy.stop();
    await expect(meter.read()).rejects.toMatchObject({ kind: 'unreachable' });
  });
});
