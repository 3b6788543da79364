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
import type { PlanFile } from '../../../../src/core/plan/plan.ts';
import type { Inventory } from '../../../../src/core/testbed/inventory.ts';
import { importOwn, sourceOf } from '../../../../src/wire/importOwn.ts';

let dir: string;
let lab: Lab;
let engine: EngineOnLab;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'tb-'));
  lab = await startLab({ dir, tiles: 1, taskDelayMs: 300 });
  engine = await startEngineOnLab({ limits: { retryPauseMs: 500 } });
});
afterAll(async () => {
  await engine.close();
  await lab.stop();
  rmSync(dir, { recursive: true, force: true });
});

const where = (inventory: Inventory): unknown =>
  inventory.vms.map(({ name, datastoreRefs }) => ({ name, datastoreRefs }));

/**
 * vMotion, Storage vMotion and deploy on the practice lab: the VM of the I/O role is the template.
 */
async function plan(): Promise<PlanFile> {
  const base = faultPlan(lab.plan, {
    // Every operation ends in each period, on a machine five times slower too.
    phases: { rampUpS: 2, steadyS: 60, periods: 2, rampDownS: 4 },
  });
  await importOwn(engine, sourceOf(base));
  const inventory = await engine.call('inventory.discover', { vcenterId: 'lab-vcenter' });
  const vm = (name: string): Inventory['vms'][number] =>
    inventory.vms.find((one) => one.name === name)!;
  const other = inventory.datastores.find((d) => !vm('tile1-java').datastoreRefs.includes(d.ref))!;
  const operations = ['vmotion', 'storageVmotion', 'deploy'].map((id) => ({
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
          hostsPerLoop: 2,
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
        storageVmotion: { vmRefs: [vm('tile1-file').ref], datastoreRef: other.ref },
        xvmotion: null,
        deploy: { templateRef: vm('tile1-io').ref, datastoreRef: other.ref },
        snapshotVmRefs: [],
        pauseS: 0,
      },
    },
  };
}

test('against the vCenter simulator: operations are counted, faults are told and survived, and nothing is left', async () => {
  const file = await plan();
  const before = await engine.call('inventory.discover', { vcenterId: 'lab-vcenter' });
  const id = await engine.launch(file);
  await engine.until(id, 'steady state', (o) => o.state === 'steady');
  await lab.vcenter.control.fault({
    method: 'RelocateVM_Task',
    type: 'resourceInUse',
    message: 'The VM is in use.',
    count: 2,
  });
  const end = await engine.untilEnd(id);
  expect(end.findings.filter((f) => f.severity === 'block')).toEqual([]);
  expect(end.state).toBe('passed');
  for (const operation of ['vmotion', 'storageVmotion', 'deploy']) {
    expect(end.findings.find((f) => f.id === `infra.${operation}`)?.text).toMatch(
      /: [1-9]\d* done in 2 loops/,
    );
  }
  expect(
    end.events.filter((e) => e.kind === 'fault' && e.entityId?.startsWith('infra.')).length,
  ).toBe(2);
  const { infrastructure, application, total } = end.score!;
  expect(total).toBeCloseTo(0.8 * application! + 0.2 * infrastructure!, 6);
  const after = await engine.call('inventory.discover', { vcenterId: 'lab-vcenter' });
  expect(where(after)).toEqual(where(before));
});
