import type { ProvisionJob } from '../../../../src/core/testbed/provision.ts';
import { layoutSchema, type Testbed } from '../../../../src/core/testbed/testbed.ts';
import { importOwn, sourceOf } from '../../../../src/wire/importOwn.ts';
import { createLabModel } from '../../simlab/model/model.ts';
import { createSimEngine, type SimEngine } from '../../simlab/testing/simEngine.ts';
import { smallLab, smallPlan } from '../../simlab/testing/smallLab.ts';

let sim: SimEngine;
beforeEach(async () => {
  sim = await createSimEngine({ createModel: createLabModel });
  sim.lab.control.load(smallLab);
});
afterEach(() => sim.close());

const until = (state: ProvisionJob['state']): Promise<ProvisionJob> =>
  new Promise((done, failed) => {
    const take = (job: ProvisionJob | null): void => {
      if (job?.state === state) done(job);
    };
    sim.on((event, payload) => {
      if (event === 'provision.changed') take(payload as ProvisionJob);
    });
    sim.call('provision.status', { testbedId: 'small-bed' }).then(take, failed);
  });

/** The plan's testbed with a third tile that has no VMs, saved. */
async function threeTiles(): Promise<Testbed> {
  await importOwn(sim, sourceOf(smallPlan()));
  const [stored] = await sim.call('testbed.list', {});
  const named = (name: string): { ref: string; name: string } => ({ ref: name, name });
  return sim.call('testbed.save', {
    ...stored!,
    layout: layoutSchema.parse({
      namePattern: 't{tile}-{workload}',
      templates: { java: named('t1-java'), mail: named('t1-mail') },
      network: { ref: 'network-1', name: 'VM Network' },
    }),
    tiles: [
      ...stored!.tiles,
      {
        index: 2,
        workloads: ['java', 'mail'].map((workloadId) => ({
          workloadId,
          vm: null,
          clientId: 'small-client1',
          params: { target: `t3-${workloadId}.small.sim` },
        })),
      },
    ],
  });
}

test('a third tile is made in the simulated lab, carries load in a run, and is removed again', async () => {
  await threeTiles();
  const plan = await sim.call('provision.plan', { testbedId: 'small-bed' });
  expect(plan.items.map(({ name, problem, needBytes }) => [name, problem, needBytes])).toEqual([
    ['t3-java', null, 14 * 2 ** 30],
    ['t3-mail', null, 14 * 2 ** 30],
  ]);
  await sim.call('provision.start', { testbedId: 'small-bed', options: { stagePauseS: 0 } });
  await until('done');
  const [bed] = await sim.call('testbed.list', {});
  expect(bed!.tiles[2]!.workloads.map(({ vm }) => vm?.name)).toEqual(['t3-java', 't3-mail']);
  const runId = await sim.launch({ ...smallPlan({ tiles: 3 }), testbed: bed! });
  // Nothing is removed under a run.
  await expect(sim.call('provision.cleanUp', { testbedId: 'small-bed' })).rejects.toMatchObject({
    kind: 'conflict',
    message: expect.stringContaining('uses testbed Small bed'),
  });
  const overview = await sim.ended(runId);
  expect(overview.state).toBe('passed');
  expect(overview.workloads.filter(({ tile }) => tile === 2).map(({ state }) => state)).toEqual([
    'ended',
    'ended',
  ]);
  await sim.call('provision.cleanUp', { testbedId: 'small-bed' });
  await until('cleaned');
  const { vms } = await sim.call('inventory.discover', { vcenterId: 'small' });
  expect(vms.map(({ name }) => name)).toEqual(['t1-java', 't1-mail', 't2-java', 't2-mail']);
});

test('the engine is restarted while it clones: the job ends, with one VM of each name', async () => {
  await threeTiles();
  await sim.call('provision.start', { testbedId: 'small-bed' });
  await sim.pass(5_000);
  await sim.restart();
  await until('done');
  const { vms } = await sim.call('inventory.discover', { vcenterId: 'small' });
  expect(vms.map(({ name }) => name)).toEqual([
    't1-java',
    't1-mail',
    't2-java',
    't2-mail',
    't3-java',
    't3-mail',
  ]);
});
