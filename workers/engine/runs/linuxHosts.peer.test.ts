import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startEngineOnLab } from '../../../e2e/lab/engineOnLab.ts';
import { type LabSshd, startSshd } from '../../../e2e/lab/sshd.ts';
import { planFileSchema } from '../../../src/core/plan/plan.ts';

let dir: string;
let client: LabSshd;
let host: LabSshd;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'tb-linux-host-'));
  client = await startSshd({ name: 'client1', dir: join(dir, 'client1') });
  host = await startSshd({ name: 'kvm1', dir: join(dir, 'kvm1') });
});
afterAll(async () => {
  await Promise.all([client.stop(), host.stop()]);
  rmSync(dir, { recursive: true, force: true });
});

const phases = { rampUpS: 2, staggerS: 0, steadyS: 18, periods: 1, rampDownS: 1 };

const connectionTo = ({ name, ...sshd }: LabSshd) => ({
  kind: 'client',
  id: name,
  name,
  host: sshd.host,
  port: sshd.port,
  user: sshd.user,
  auth: { method: 'key', path: sshd.privateKeyPath },
  hostKeySha256: sshd.hostKeySha256,
});
/** A heartbeat beside a Linux host under test, without a vCenter. */
const plan = () =>
  planFileSchema.parse({
    tilebenchPlan: 1,
    connections: [connectionTo(client), connectionTo(host)],
    profile: {
      schemaVersion: 1,
      id: 'beat',
      version: '1',
      name: 'Beat',
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
      id: 'kvm',
      name: 'KVM',
      profileId: 'beat',
      vcenterId: null,
      hostLogins: [{ system: 'linux', connectionId: 'kvm1' }],
      tiles: [
        {
          index: 0,
          workloads: [{ workloadId: 'beat', clientId: 'client1', vm: null, params: {} }],
        },
      ],
    },
    plan: {
      id: 'kvm',
      name: 'KVM',
      testbedId: 'kvm',
      profileId: 'beat',
      tiles: 1,
      phases,
      sampling: { workloadMs: 1_000, vcenterMs: 20_000 },
    },
  });

test('a Linux host is read every second beside its clients; one that is lost is a finding and a gap, and is read on', async () => {
  const on = await startEngineOnLab();
  try {
    const id = await on.launch(plan());
    const report = await on.call('plan.check', { id: 'kvm' });
    expect(report.findings.find((one) => one.id === 'host.login')).toMatchObject({
      severity: 'ok',
      subject: 'kvm1',
    });
    const { series } = await on.until(id, 'figures of the host', (o) => o.state === 'steady');
    const own = series.filter(({ entity }) => entity.kind === 'host');
    expect(own.map(({ metric }) => metric)).toEqual(
      expect.arrayContaining(['cpuPct', 'memoryPct', 'netKbps']),
    );
    expect(own[0]).toMatchObject({
      source: '/proc/stat of kvm1',
      periodMs: 1_000,
      entity: { id: 'host/kvm1', name: 'kvm1' },
    });
    const cpuOf = async (): Promise<number[]> => {
      const { id: seriesId } = own.find(({ metric }) => metric === 'cpuPct')!;
      const [data] = await on.call('run.samples', {
        runId: id,
        seriesIds: [seriesId],
        maxPoints: 0,
      });
      return [...(data?.value ?? [])];
    };
    await on.until(id, 'the host lost', (o) => o.state === 'steady');
    await host.kill();
    await on.until(id, 'the finding about it', (o) =>
      o.findings.some((one) => one.id === 'outage.kvm1'),
    );
    const before = (await cpuOf()).length;
    await host.restart();
    const back = await on.until(id, 'its return', (o) =>
      o.events.some((one) => one.kind === 'recovered' && one.entityId === 'kvm1'),
    );
    expect(back.findings.find((one) => one.id === 'outage.kvm1')?.text).toMatch(
      /^Host kvm1 did not answer/,
    );
    const end = await on.untilEnd(id);
    const values = await cpuOf();
    expect(values.length).toBeGreaterThan(before);
    for (const value of values) {
      expect(value).toBeGreaterThanOrEqual(0);
      expect(value).toBeLessThanOrEqual(100);
    }
    // What stands beside the load does not end it.
    expect(end.state).toBe('passed');
  } finally {
    await on.close();
  }
});
