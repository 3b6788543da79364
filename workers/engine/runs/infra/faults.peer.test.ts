import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import {
  type EngineOnLab,
  faultPlan,
  faultProfile,
  startEngineOnLab,
} from '../../../../e2e/lab/engineOnLab.ts';
import { type Lab, startLab } from '../../../../e2e/lab/lab.ts';
import { startTcpProxy, type TcpProxy } from '../../../../e2e/lab/tcpProxy.ts';
import type { PlanFile } from '../../../../src/core/plan/plan.ts';
import type { RunOverview } from '../../../../src/core/run/run.ts';
import type { Inventory } from '../../../../src/core/testbed/inventory.ts';
import { importOwn, sourceOf } from '../../../../src/wire/importOwn.ts';

let dir: string;
let lab: Lab;
let proxy: TcpProxy;
let engine: EngineOnLab;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'tb-'));
  lab = await startLab({ dir, tiles: 1, taskDelayMs: 400 });
  proxy = await startTcpProxy(lab.vcenter.port);
  engine = await startEngineOnLab({ limits: { stuckTaskMs: 3_000, retryPauseMs: 300 } });
});
afterAll(async () => {
  await engine.close();
  await proxy.stop();
  await lab.stop();
  rmSync(dir, { recursive: true, force: true });
});

const discover = (): Promise<Inventory> =>
  engine.call('inventory.discover', { vcenterId: 'lab-vcenter' });
const where = (inventory: Inventory): unknown =>
  inventory.vms.map(({ name, datastoreRefs, powerState }) => ({ name, datastoreRefs, powerState }));
const text = (overview: RunOverview, id: string): string =>
  overview.findings.find((f) => f.id.startsWith(id))?.text ??
  `no finding ${id}; there are ${overview.findings.map((f) => f.id).join(', ')}`;

/** vMotion and deploy on the practice lab, reached through the proxy. */
async function plan(): Promise<PlanFile> {
  const connections = lab.plan.connections.map((one) =>
    one.kind === 'vcenter' ? { ...one, port: proxy.port } : one,
  );
  const base = faultPlan(lab.plan, {
    connections,
    // All that happens below must fit in, on a machine five times slower too: it takes half a
    // minute.
    phases: { rampUpS: 2, steadyS: 150, periods: 2, rampDownS: 5 },
  });
  await importOwn(engine, sourceOf(base));
  const inventory = await discover();
  const vm = (name: string): Inventory['vms'][number] =>
    inventory.vms.find((one) => one.name === name)!;
  const other = inventory.datastores.find((d) => !vm('tile1-java').datastoreRefs.includes(d.ref))!;
  const operations = ['vmotion', 'deploy'].map((id) => ({
    id,
    name: id,
    reference: 100,
    referenceSource: 'test',
  }));
  return {
    ...base,
    profile: {
      ...faultProfile,
      scoring: {
        ...faultProfile.scoring,
        infrastructure: {
          combine: 'geometricMean',
          hostsPerLoop: 4,
          hostsPerLoopSource: 'test',
          source: 'test',
          operations,
        },
        overall: { application: 0.8, infrastructure: 0.2, source: 'test' },
      },
    },
    testbed: {
      ...base.testbed,
      infrastructure: {
        vmotionVmRefs: [vm('tile1-java').ref, vm('tile1-standby').ref],
        storageVmotion: null,
        xvmotion: null,
        deploy: { templateRef: vm('tile1-io').ref, datastoreRef: other.ref },
        snapshotVmRefs: [],
        pauseS: 1,
      },
    },
  };
}

test('against the vCenter simulator: refused, expired, cut and stuck; the loops go on, the count is right, nothing is left', async () => {
  const file = await plan();
  const before = await discover();
  const { control } = lab.vcenter;
  const id = await engine.launch(file);
  const until = (what: string, holds: (overview: RunOverview) => boolean): Promise<RunOverview> =>
    engine.until(id, what, holds);
  const done = (overview: RunOverview): number =>
    overview.events.filter((e) => e.operation?.ok && e.operation.id === 'vmotion').length;
  await until('the first vMotion', (o) => done(o) >= 1);
  await control.fault({ method: 'RelocateVM_Task', type: 'resourceInUse', count: 1 });
  await control.fault({ method: 'RelocateVM_Task', type: 'invalidState', count: 1 });
  await until('two refusals', (o) => o.events.filter((e) => e.operation?.ok === false).length >= 2);
  await control.clearFaults();
  await control.fault({ method: 'RelocateVM_Task', type: 'notAuthenticated', count: 1 });
  const met = done(await until('a vMotion after them', (o) => done(o) >= 2));
  await control.clearFaults();
  await control.expireSessions();
  await until('a vMotion in a new session', (o) => done(o) > met);
  proxy.cut();
  await until('the lost answer', (o) => o.findings.some((f) => f.id.startsWith('infra.unknown.')));
  proxy.heal();
  await until('the VM that was cut off takes part again', (o) =>
    text(o, 'infra.unknown.').includes('takes part again'),
  );
  await control.delay({ taskMethodMs: { RelocateVm: 8_000 } });
  await until('the stuck task', (o) => o.findings.some((f) => f.id.startsWith('infra.stuck.')));
  await control.delay({ taskMethodMs: {} });
  const stuckAt = done(await engine.call('run.overview', { id }));
  await until('a vMotion after the stuck one', (o) => done(o) > stuckAt);
  const end = await engine.untilEnd(id);

  expect(end.findings.filter((f) => f.severity === 'block')).toEqual([]);
  expect(end.state).toBe('passed');
  expect(text(end, 'infra.stuck.')).toMatch(/no progress for 0\.1 min, cancelled/);
  expect(text(end, 'infra.vmotion')).toMatch(
    new RegExp(`: ${done(end)} done in 1 loop over 2 periods.*; \\d failed, [23] tries repeated`),
  );
  expect(text(end, 'infra.deploy')).toMatch(/: [1-9]\d* done/);
  // vCenter's own times come with every operation.
  expect(
    end.events
      .filter((e) => e.operation?.ok && e.operation.id === 'vmotion')
      .every((e) => e.operation!.ranMs! >= 350),
  ).toBe(true);
  // What we did is never told as somebody else's.
  expect(end.events.filter((e) => e.by === 'other').map((e) => e.text)).toEqual([]);
  expect(end.placement!.moves.filter((m) => m.by === 'run').length).toBeGreaterThan(2);
  expect(end.findings.map((f) => f.id)).not.toContain('infra.restore');
  expect(where(await discover())).toEqual(where(before));
});
