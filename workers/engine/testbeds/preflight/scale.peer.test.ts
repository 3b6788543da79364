import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type EngineOnLab, startEngineOnLab } from '../../../../e2e/lab/engineOnLab.ts';
import { nightly } from '../../../../e2e/lab/nightly.ts';
import { type LabSshd, startSshd } from '../../../../e2e/lab/sshd.ts';
import { startVcsim, type Vcsim } from '../../../../e2e/lab/vcsim.ts';
import { type PlanFile, planFileSchema } from '../../../../src/core/plan/plan.ts';
import { importOwn, sourceOf } from '../../../../src/wire/importOwn.ts';
import {
  clientConnection,
  plantedProfile,
  statProgram,
  versionProgram,
} from './testing/plantedBed.ts';

/**
 * The whole size is of the nightly run: a check that gets no answer in 30 s says so, and a busy
 * machine may not answer.
 */
const size = nightly
  ? { hosts: 64, vms: 1_000, datastores: 100, clients: 40, tiles: 20 }
  : { hosts: 8, vms: 100, datastores: 12, clients: 8, tiles: 4 };
/** The budget is of an idle machine. */
const limitMs = nightly ? 30_000 : Infinity;

let dir: string;
let vcenter: Vcsim;
let clients: LabSshd[];
let engine: EngineOnLab;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'tb-scale-'));
  vcenter = await startVcsim({ hosts: size.hosts, vms: size.vms, datastores: size.datastores });
  clients = await Promise.all(
    [1, 2].map((i) =>
      startSshd({
        name: `machine${i}`,
        dir: join(dir, `machine${i}`),
        programs: {
          cat: statProgram(join(dir, `machine${i}`, 'home'), 3),
          fio: versionProgram('fio-3.33'),
          sysbench: versionProgram('sysbench 1.0.20'),
        },
      }),
    ),
  );
  engine = await startEngineOnLab();
});
afterAll(async () => {
  await engine?.close();
  for (const client of clients ?? []) await client.stop();
  await vcenter?.stop();
  rmSync(dir, { recursive: true, force: true });
});

async function bigPlan(): Promise<PlanFile> {
  const passwordFile = join(dir, 'password');
  writeFileSync(passwordFile, vcenter.password, { mode: 0o600 });
  const connection = {
    kind: 'vcenter' as const,
    id: 'vc',
    name: 'vc',
    host: vcenter.host,
    port: vcenter.port,
    user: vcenter.user,
    password: { file: passwordFile },
    fingerprint256: vcenter.fingerprint256,
  };
  await engine.call('connection.save', { connection, allowSecret: true });
  const { vms, hosts, datastores } = await engine.call('inventory.discover', { vcenterId: 'vc' });
  expect([hosts.length, vms.length >= size.vms, datastores.length]).toEqual([
    size.hosts,
    true,
    size.datastores,
  ]);
  return planFileSchema.parse({
    tilebenchPlan: 1,
    profile: plantedProfile,
    connections: [
      connection,
      ...Array.from({ length: size.clients }, (_, i) =>
        clientConnection(clients[i % clients.length]!, `client${i + 1}`),
      ),
    ],
    testbed: {
      id: 'big',
      name: 'Big',
      profileId: plantedProfile.id,
      vcenterId: 'vc',
      layout: {
        hosts: hosts.map(({ ref, name }) => ({ ref, name })),
        datastores: datastores.map(({ ref, name }) => ({ ref, name })),
        excludedVms: vms.map(({ ref, name }) => ({ ref, name })),
      },
      infrastructure: { vmotionVmRefs: [vms[0]!.ref] },
      tiles: Array.from({ length: size.tiles }, (_, tile) => ({
        index: tile,
        workloads: plantedProfile.workloads.map(({ id }, slot) => ({
          workloadId: id,
          vm: { ref: vms[tile * 2 + slot]!.ref, name: vms[tile * 2 + slot]!.name },
          clientId: `client${tile * 2 + slot + 1}`,
          params: {},
        })),
      })),
    },
    plan: {
      id: 'big-plan',
      name: 'Big',
      testbedId: 'big',
      profileId: plantedProfile.id,
      tiles: size.tiles,
      phases: plantedProfile.phases,
    },
  });
}

test(`the whole check of ${size.hosts} hosts, ${size.datastores} LUNs and ${size.clients} clients stays under its limit and reads the inventory once`, async () => {
  const file = await bigPlan();
  await importOwn(engine, sourceOf(file));
  const before = await vcenter.control.calls();
  const startedMs = performance.now();
  const report = await engine.call('plan.check', { id: file.plan.id });
  const tookMs = performance.now() - startedMs;
  const after = await vcenter.control.calls();
  const slowest = [...(report.checks ?? [])]
    .sort((a, b) => b.tookMs - a.tookMs)
    .slice(0, 3)
    .map(({ id, tookMs: ms }) => `${id} ${Math.round(ms)} ms`);
  process.stderr.write(
    `check of ${size.hosts} hosts, ${size.datastores} datastores, ${size.vms} VMs, ${size.clients} clients: ${(tookMs / 1_000).toFixed(1)} s; slowest ${slowest.join(', ')}\n`,
  );
  expect(tookMs).toBeLessThan(limitMs);
  expect(
    report.findings.filter(
      (finding) => finding.id === 'client.reachable' && finding.severity === 'ok',
    ),
  ).toHaveLength(size.clients);
  expect(
    report.findings.filter((finding) => /no answer|Not checked/i.test(finding.evidence)),
  ).toEqual([]);
  // One view for the inventory and one for the privileges, whatever the number of checks.
  expect(
    (after['CreateContainerView'] ?? 0) - (before['CreateContainerView'] ?? 0),
  ).toBeLessThanOrEqual(2);
});

test('a cancelled check ends at once and leaves no report', async () => {
  const stop = new AbortController();
  const checking = engine.engine.handlers['plan.check']({ id: 'big-plan' }, stop.signal);
  stop.abort();
  await expect(checking).rejects.toMatchObject({ kind: 'aborted' });
});
