import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { poll } from '../../../../e2e/lab/poll.ts';
import { type LabSnmpd, startSnmpd } from '../../../../e2e/lab/snmpd.ts';
import { startSnmpsim } from '../../../../e2e/lab/snmpsim.ts';
import { toAppError } from '../../../../src/core/base/errors.ts';
import type { PowerConnection } from '../../../../src/core/testbed/connection.ts';
import { snmp } from '../../../../src/core/testbed/power/snmp.ts';
import { silentLog } from '../../deps.ts';
import type { PowerMeter } from '../../deps/power.ts';
import { createPowerEdge } from '../edge.ts';

const device = '1.3.6.1.4.1.318.1.1.12.1.16.0';
const outlet = (n: number): string => `1.3.6.1.4.1.318.1.1.99.${n}`;
let nowMs = 1_000_000;
let onWait = (): void => undefined;
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

let dir: string;
let agent: LabSnmpd;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'tb-snmp-'));
  agent = await startSnmpd(dir);
});
afterAll(async () => {
  await agent.stop();
  rmSync(dir, { recursive: true, force: true });
});
const open: PowerMeter[] = [];
beforeEach(() => {
  onWait = () => undefined;
  agent.put(device, 212);
  for (const n of [1, 2]) agent.put(outlet(n), 100 + n);
});
afterEach(async () => {
  for (const meter of open.splice(0)) await meter.close();
});

const at = (change: Record<string, unknown> = {}): PowerConnection => ({
  kind: 'power',
  id: 'p',
  name: 'PDU 1',
  source: snmp.schema.parse({
    type: 'snmp',
    host: '127.0.0.1',
    port: agent.port,
    version: 'v2c',
    password: { keychain: 'p' },
    oids: device,
    ...change,
  }),
});
const v3 = { version: 'v3', user: 'meter', auth: 'sha256', privacy: 'aes' };
const bothPhrases = 'authentication phrase / privacy phrase';
function meterAt(change = {}, secret = agent.community): PowerMeter {
  const meter = edge.open(at(change), { secret: async () => secret, measuredMs: 1_000 });
  open.push(meter);
  return meter;
}
const failedAt = async (
  change: Record<string, unknown>,
  secret = agent.community,
): Promise<{ step: string; detail: string } | undefined> =>
  (await edge.test(at(change), secret)).steps.find(({ ok }) => !ok);

test.each<[string, Record<string, unknown>, () => string]>([
  ['v2c', {}, () => agent.community],
  ['v3 with privacy', v3, () => bothPhrases],
])(
  '%s: tested, watched and read; outlets of one machine are added up in one question',
  async (_, change, secret) => {
    let turn = 0;
    const startMs = nowMs;
    onWait = () => {
      turn = Math.floor((nowMs - startMs) / 3_000);
      agent.put(device, 212 + turn);
    };
    const report = await edge.test(at({ ...change, scope: 'rack 7' }), secret());
    expect(report.steps.map(({ step, ok, detail }) => (ok ? step : detail))).toEqual([
      ...['name', 'authentication', 'reading', 'refresh'],
    ]);
    expect(report.steps[2]!.detail).toBe('212 W of rack 7. Uncertainty: not stated.');
    expect(report.updateMs).toBe(3_000);
    const both = meterAt({ ...change, oids: `${outlet(1)}, .${outlet(2)}`, factor: 0.1 }, secret());
    expect((await both.read())[0]!.watts).toBe(20.3);
  },
);

test('a community or passphrase that is wrong is told, as far as an agent tells', async () => {
  expect(await failedAt({}, 'wrong')).toMatchObject({
    step: 'authentication',
    detail: expect.stringContaining('does not answer') as string,
  });
  expect(await failedAt({ ...v3, user: 'nobody' }, bothPhrases)).toMatchObject({
    step: 'authentication',
    detail: expect.stringContaining('refuses nobody') as string,
  });
  expect(await failedAt(v3, 'wrong phrase / privacy phrase')).toMatchObject({
    step: 'authentication',
    detail: expect.stringContaining('refuses meter') as string,
  });
});

test('an object that is not there, stands for nothing or is below 0 is an error, never 0', async () => {
  expect(await failedAt({ oids: outlet(77) })).toMatchObject({
    step: 'reading',
    detail: expect.stringContaining(`has no object ${outlet(77)}`) as string,
  });
  const strict = meterAt({ invalid: '0' });
  agent.put(device, 0);
  await expect(strict.read()).rejects.toMatchObject({ kind: 'notFound' });
  expect((await meterAt().read())[0]!.watts).toBe(0);
  agent.put(device, 7);
  expect((await strict.read())[0]!.watts).toBe(7);
});

test('a counter that starts anew with its PDU leaves a gap; an agent that was away is read again', async () => {
  const meter = meterAt({ gives: 'energy', factor: 0.1 });
  const taken: number[] = [];
  const ask = async (tenthsOfWh: number): Promise<void> => {
    agent.put(device, tenthsOfWh);
    for (const { watts } of await meter.read()) taken.push(watts);
    nowMs += 1_000;
  };
  for (const value of [9_000, 9_001, 9_002, 9_003]) await ask(value);
  await agent.stop();
  await expect(meter.read()).rejects.toMatchObject({ kind: 'timedOut' });
  await agent.restart();
  await poll('the agent', () =>
    meter.read().then(
      () => true,
      () => false,
    ),
  );
  for (const value of [1, 2, 3]) await ask(value);
  expect(taken).toHaveLength(3);
  for (const watts of taken) expect(watts).toBeCloseTo(360, 3);
});

/** What a meter reads; null = its agent, which is slow on a busy machine, did not answer in time. */
const answered = (meter: PowerMeter): Promise<Awaited<ReturnType<PowerMeter['read']>> | null> =>
  meter.read().catch((thrown: unknown) => {
    if (toAppError(thrown).kind === 'unreachable') return null;
    throw thrown;
  });

test('snmpsim: PDUs as their presets read them, by community, with a value that moves', async () => {
  const enterprises = '1.3.6.1.4.1';
  const home = mkdtempSync(join(tmpdir(), 'tb-snmpsim-'));
  const sim = await startSnmpsim(home, {
    sentry: [`${enterprises}.1718.4.1.3.3.1.3.1.1|2|1701`],
    apc: [`${enterprises}.318.1.1.26.4.3.1.5.1|2|31`],
    raritan: [
      `${enterprises}.13742.6.5.2.3.1.4.1.1.5|66|412`,
      `${enterprises}.13742.6.5.2.3.1.4.1.1.8|66:numeric|rate=400,initial=5000,cumulative=1`,
    ],
    moving: [`${device}|2:numeric|function=sin,scale=40,offset=140,rate=1,deviation=3`],
  });
  const filled = (device: string): object => {
    const [first] = snmp.rows;
    const members = (first as readonly { fills?: Record<string, object> }[])[0]!.fills![device]!;
    // As the form leaves out what is empty.
    return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== ''));
  };
  try {
    for (const [preset, community, watts] of [
      ['sentry4', 'sentry', 1_701],
      ['apcRpdu2', 'apc', 310],
      ['raritanInlet', 'raritan', 412],
    ] as const) {
      const meter = meterAt({ port: sim.port, ...filled(preset) }, community);
      const [reading] = await poll(`an answer of ${preset}`, () => answered(meter));
      expect(reading!.watts).toBe(watts);
    }
    const seen = new Set<number>();
    const meter = meterAt({ port: sim.port }, 'moving');
    await poll('two different readings', async () => {
      nowMs += 1_000;
      for (const { watts } of (await answered(meter)) ?? []) seen.add(watts);
      return seen.size >= 2;
    });
    const counter = meterAt({ port: sim.port, ...filled('raritanEnergy') }, 'raritan');
    const means: number[] = [];
    await poll('a mean between two steps of a counter', async () => {
      nowMs += 1_000;
      for (const { watts } of (await answered(counter)) ?? []) means.push(watts);
      return means.length > 0;
    });
    expect(means[0]).toBeGreaterThan(0);
  } finally {
    await sim.stop();
    rmSync(home, { recursive: true, force: true });
  }
});

test('what the form fills in are objects, but for the unit and outlet that are asked for', () => {
  const [first] = snmp.rows;
  const fills = (first as readonly { fills?: Record<string, { oids?: string }> }[])[0]!.fills!;
  const { oids } = snmp.schema.shape;
  for (const { oids: filled } of Object.values(fills))
    if (filled !== undefined)
      expect([filled, oids.safeParse(filled).success]).toEqual([filled, !/[UN]/.test(filled)]);
});
