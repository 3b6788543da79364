import { draftOf } from '../../../src/core/customerLab/fromRows.ts';
import { gapsOf, withAllOffers, withTyped } from '../../../src/core/customerLab/gaps.ts';
import { createLabModel } from '../simlab/model/model.ts';
import { createSimEngine, type SimEngine } from '../simlab/testing/simEngine.ts';
import { createHarness } from '../testing/engineHarness.ts';
import { makeXlsx, rvtools } from './testing/makeXlsx.ts';

let sim: SimEngine;
beforeAll(async () => {
  sim = await createSimEngine({ createModel: createLabModel });
});
afterAll(() => sim.close());

const draftFrom = async (bytes: Buffer) => {
  const parts = await sim.call('customerLab.parts', {});
  const read = await sim.call('customerLab.tables', { name: 'lab.xlsx', bytes });
  expect(read.faults).toEqual([]);
  const { draft } = draftOf(read.rows, 'Production', { name: 'Berlin', origin: 'lab.xlsx', parts });
  return { draft, parts };
};

test('a table of RVTools becomes a lab whose tiles run, marked as what it is', async () => {
  const { draft, parts } = await draftFrom(await makeXlsx(rvtools()));
  expect(gapsOf(draft, parts).map(({ path }) => path)).toEqual([
    'groups.0.uplinkGbps',
    'groups.0.idleW',
    'groups.0.busyW',
    'hypervisor',
    'array',
    'arrayPorts',
    'adapter',
    'disk',
    'disks',
    'raid',
    'keepVms',
    'drs',
    'tiles',
  ]);
  await expect(sim.call('customerLab.make', draft)).rejects.toThrow(
    '13 figures of the lab are missing',
  );
  const whole = withTyped(
    withTyped(withAllOffers(draft, parts), { path: 'tiles', label: 'Most tiles' }, 2),
    { path: 'keepVms', label: 'VMs that are there' },
    true,
  );
  const { studyId } = await sim.call('customerLab.make', whole);
  const { lab } = await sim.call('study.lab', { id: studyId });
  expect(lab.hosts.map(({ id }) => id)).toEqual([1, 2, 3, 4].map((i) => `esx0${i}.example.com`));
  expect(lab.hosts[0]).toMatchObject({ sockets: 2, coresPerSocket: 4, ghz: 2.93, memoryGb: 96 });
  expect(lab.vms).toHaveLength(2 * 6 + 4);
  expect(lab.note).toContain('Simulated. Not calibrated');
  expect(lab.note).toContain('Power when idle of HP ProLiant DL380 G6: 160 W');

  await sim.call('study.start', { id: studyId });
  let overview = await sim.call('study.overview', { id: studyId });
  while (overview.points.some(({ state }) => state === 'pending' || state === 'running')) {
    await sim.pass(60_000);
    overview = await sim.call('study.overview', { id: studyId });
  }
  expect(overview.points.map(({ state }) => state)).toEqual(['passed', 'passed']);
  expect(
    overview.points[1]!.measures['score']! / overview.points[0]!.measures['score']!,
  ).toBeCloseTo(2, 1);
});

test('hosts and datastores keep the names of the table, whatever letters they have', async () => {
  const { draft, parts } = await draftFrom(await makeXlsx(rvtools({ hosts: 4 })));
  const names = ['esx-größe-02', '主机三.werk.example', 'مضيف-٤.werk.example', 'ESX-GRÖSSE-02'];
  const named = {
    ...draft,
    groups: draft.groups.map((group) => ({ ...group, names: [...names] })),
    datastores: [{ name: '数据存储-02', capacityGb: 500 }],
  };
  const whole = withTyped(withAllOffers(named, parts), { path: 'tiles', label: 'Most tiles' }, 1);
  const { studyId } = await sim.call('customerLab.make', whole);
  const { lab } = await sim.call('study.lab', { id: studyId });
  expect(new Set(lab.hosts.map(({ id }) => id)).size).toBe(4);
  const inventory = await sim.call('inventory.discover', { vcenterId: lab.id });
  expect(inventory.hosts.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
  expect(inventory.datastores.map(({ name }) => name)).toEqual(['数据存储-02']);
  const { targets } = (await sim.call('lab.status', {})).labs.find(({ id }) => id === lab.id)!;
  expect(targets.filter(({ kind }) => kind === 'host').map(({ name }) => name)).toEqual(
    lab.hosts.map(({ id, name }) => name ?? id),
  );
});

test('two labs of one customer stand beside each other; the real workspace makes none', async () => {
  const { draft, parts } = await draftFrom(await makeXlsx(rvtools({ hosts: 2 })));
  const whole = withTyped(withAllOffers(draft, parts), { path: 'tiles', label: 'Most tiles' }, 1);
  const first = await sim.call('customerLab.make', whole);
  const second = await sim.call('customerLab.make', whole);
  expect(second.studyId).not.toBe(first.studyId);
  const real = await createHarness();
  try {
    await expect(real.call('customerLab.make', whole)).rejects.toThrow('is made in the demo lab');
  } finally {
    await real.close();
  }
});

test('a cell that is no figure is told, and the other sheets are read', async () => {
  const sheets = rvtools();
  const rows = sheets[1]!.rows.map((row, i) =>
    row.map((cell, j) => (i === 2 && j === 4 ? 'fast' : cell)),
  );
  const read = await sim.call('customerLab.tables', {
    name: 'lab.xlsx',
    bytes: await makeXlsx([sheets[0]!, { name: 'vHost', rows }, sheets[2]!]),
  });
  expect(read.faults).toEqual([
    'lab.xlsx, vHost!E3: “fast” is no figure. Mend the cell, or choose another column.',
  ]);
  expect([read.rows.hosts.length, read.rows.vms.length]).toEqual([0, 9]);
});

test('a made lab is removed whole, not while it is in use; its runs stay', async () => {
  const { draft, parts } = await draftFrom(await makeXlsx(rvtools({ hosts: 2 })));
  const whole = withTyped(withAllOffers(draft, parts), { path: 'tiles', label: 'Most tiles' }, 1);
  const { studyId } = await sim.call('customerLab.make', whole);
  const made = async () =>
    (await sim.call('customerLab.list', {})).find((lab) => lab.studyId === studyId);
  const lab = (await made())!;
  expect(lab).toMatchObject({ hosts: 2, run: null, testbeds: ['Berlin'] });
  const [plan] = (await sim.call('plan.list', {})).filter(({ id }) => id.startsWith(lab.id));
  await sim.call('study.start', { id: studyId });
  await expect(sim.call('customerLab.remove', { id: lab.id })).rejects.toMatchObject({
    kind: 'conflict',
  });
  expect(await made()).toMatchObject({ studies: lab.studies, connections: lab.connections });
  while ((await sim.call('study.overview', { id: studyId })).state === 'running')
    await sim.pass(60_000);
  const runs = (await sim.call('run.list', {})).length;
  await sim.call('customerLab.remove', { id: lab.id });

  expect(await made()).toBeUndefined();
  for (const method of [
    'connection.list',
    'testbed.list',
    'plan.list',
    'study.list',
    'profile.list',
  ] as const)
    expect((await sim.call(method, {})).filter(({ id }) => id.startsWith(lab.id))).toEqual([]);
  expect((await sim.call('lab.status', {})).labs.map(({ id }) => id)).not.toContain(lab.id);
  expect(await sim.call('run.list', {})).toHaveLength(runs);
  await expect(sim.call('plan.check', { id: plan!.id })).rejects.toMatchObject({
    kind: 'notFound',
  });
  await expect(sim.call('customerLab.remove', { id: lab.id })).rejects.toMatchObject({
    kind: 'notFound',
  });
  await expect(sim.call('customerLab.remove', { id: 'e01' })).rejects.toMatchObject({
    kind: 'notFound',
  });
});
