import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startEngineOnLab } from '../../../e2e/lab/engineOnLab.ts';
import { type LabNut, startNut } from '../../../e2e/lab/nut.ts';
import { type LabSnmpd, startSnmpd } from '../../../e2e/lab/snmpd.ts';
import { type LabSshd, startSshd } from '../../../e2e/lab/sshd.ts';
import { planFileSchema } from '../../../src/core/plan/plan.ts';
import type { RunRecord } from '../../../src/core/run/run.ts';
import { isEnd } from '../../../src/core/run/states.ts';
import { steadyWindow } from '../../../src/core/run/windows.ts';

let dir: string;
let nut: LabNut;
let snmpd: LabSnmpd;
let client: LabSshd;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'tb-idle-'));
  nut = await startNut({ dir, pollS: 1 });
  snmpd = await startSnmpd(join(dir, 'snmp'));
  client = await startSshd({ name: 'client1', dir: join(dir, 'client1') });
});
afterAll(async () => {
  await Promise.all([nut.stop(), snmpd.stop(), client.stop()]);
  rmSync(dir, { recursive: true, force: true });
});

const phases = { rampUpS: 5, staggerS: 0, steadyS: 20, periods: 1, rampDownS: 2 };

/** One light load with this source, its idle power measured for ten seconds before it. */
const planOf = (source: object) =>
  planFileSchema.parse({
    tilebenchPlan: 1,
    connections: [
      {
        kind: 'client',
        id: 'client1',
        name: 'client1',
        host: client.host,
        port: client.port,
        user: client.user,
        auth: { method: 'key', path: client.privateKeyPath },
        hostKeySha256: client.hostKeySha256,
      },
      { kind: 'power', id: 'meter', name: 'meter', source },
    ],
    profile: {
      schemaVersion: 1,
      id: 'idle',
      version: '1',
      name: 'Idle',
      description: 'For tests',
      workloads: [
        {
          id: 'beat',
          role: 'standby',
          name: 'Beat',
          driver: 'heartbeat',
          params: {},
          unit: 'beats/s',
          scored: true,
          reference: 1,
          referenceSource: 'test',
        },
      ],
      phases,
      scoring: { tile: 'geometricMean', total: 'sum', periods: 'median', source: 'test' },
    },
    testbed: {
      id: 'idle',
      name: 'Idle',
      profileId: 'idle',
      vcenterId: null,
      powerIds: ['meter'],
      idlePower: { by: 'measured', windowS: 10 },
      tiles: [
        {
          index: 0,
          workloads: [{ workloadId: 'beat', clientId: 'client1', vm: null, params: {} }],
        },
      ],
    },
    plan: { id: 'idle', name: 'Idle', testbedId: 'idle', profileId: 'idle', tiles: 1, phases },
  });

/** Runs it; `loaded` is called when the load begins. */
async function recordOf(source: object, loaded: () => void): Promise<RunRecord> {
  const on = await startEngineOnLab({ env: { METER: snmpd.community } });
  try {
    const id = await on.launch(planOf(source));
    await on.until(id, 'the ramp-up', ({ startedAtMs, state }) => {
      if (isEnd(state)) throw new Error(`The run ended as ${state}.`);
      return startedAtMs !== null;
    });
    loaded();
    await on.untilEnd(id);
    return await on.call('run.record', { id });
  } finally {
    await on.close();
  }
}

test('NUT: watts before the load are the idle baseline, those of the steady state its mean × time', async () => {
  await nut.setWatts(120);
  let changed = Promise.resolve();
  const { overview } = await recordOf(
    { type: 'nut', host: nut.host, port: nut.port, ups: nut.ups, periodMs: 1_000 },
    () => {
      changed = nut.setWatts(200);
    },
  );
  await changed;
  const { steady } = overview.score!.power!;
  expect(steady).toMatchObject({
    method: 'mean',
    uncertaintyW: null,
    idle: { by: 'measured', watts: 120 },
  });
  expect(steady!.meanW).toBeCloseTo(200, 0);
  expect(steady!.energyWh).toBeCloseTo((steady!.meanW * steady!.windowS) / 3_600, 6);
});

test('SNMP: a counter of energy is read at the edges of the steady state, and of idle', async () => {
  const oid = '1.3.6.1.4.1.318.9.1';
  const startMs = Date.now();
  const seen: { atMs: number; mWh: number }[] = [{ atMs: startMs, mWh: 1_000_000 }];
  let watts = 60;
  const move = (): void => {
    const last = seen.at(-1)!;
    const atMs = Date.now();
    seen.push({ atMs, mWh: last.mWh + (watts * (atMs - last.atMs)) / 3_600 });
    snmpd.put(oid, Math.floor(seen.at(-1)!.mWh));
  };
  const timer = setInterval(move, 200);
  try {
    const record = await recordOf(
      {
        type: 'snmp',
        host: '127.0.0.1',
        port: snmpd.port,
        version: 'v2c',
        password: { env: 'METER' },
        oids: oid,
        gives: 'energy',
        factor: 0.001,
        uncertaintyPct: 1,
        periodMs: 1_000,
      },
      () => {
        watts = 300;
      },
    );
    const { steady } = record.overview.score!.power!;
    const window = steadyWindow(record.overview)!;
    const at = (ms: number): number => seen.findLast(({ atMs }) => atMs <= ms)!.mWh;
    const counted = (at(window.endMs) - at(window.startMs)) / 1_000;
    expect(steady).toMatchObject({ method: 'counter', idle: { by: 'measured' } });
    // A step is a second of twenty, and a busy machine asks late.
    expect(Math.abs(steady!.energyWh / counted - 1)).toBeLessThan(0.03);
    expect(Math.abs(steady!.idle!.watts / 60 - 1)).toBeLessThan(0.05);
    expect(steady!.uncertaintyW! / steady!.meanW).toBeCloseTo(0.01, 6);
  } finally {
    clearInterval(timer);
  }
});
