import type { CheckProgress } from '../../../../src/core/plan/plan.ts';
import { isEnd } from '../../../../src/core/run/states.ts';
import { importOwn, sourceOf } from '../../../../src/wire/importOwn.ts';
import { createHarness, type Harness, testPlanFile } from '../../testing/engineHarness.ts';

let harness: Harness;
beforeEach(async () => {
  harness = await createHarness();
  await importOwn(harness, sourceOf(testPlanFile()));
});
afterEach(() => harness.close());
const id = 'plan';
const progress = (): CheckProgress[] =>
  harness.events.flatMap(({ event, payload }) =>
    event === 'check.changed' && (payload as CheckProgress).planId === id
      ? [payload as CheckProgress]
      : [],
  );
async function ended(runId: string): Promise<void> {
  while (!isEnd((await harness.overview(runId)).state)) await harness.clock.advance(5_000);
}

test('a check tells how far it is, ends with its report, and is kept until the plan is edited', async () => {
  const report = await harness.call('plan.check', { id });
  const told = progress();
  expect(told[0]).toMatchObject({ done: 0, report: null });
  expect(told[0]!.running).toHaveLength(told[0]!.total);
  expect(told.at(-1)).toMatchObject({
    done: told[0]!.total,
    running: [],
    report: { hash: report.hash },
  });
  expect(told.every(({ rev }, i) => i === 0 || rev > told[i - 1]!.rev)).toBe(true);
  expect(await harness.call('plan.report', { id })).toEqual({ ...report, stale: false });
  await harness.call('plan.save', testPlanFile({ notes: 'edited' }).plan);
  expect(await harness.call('plan.report', { id })).toMatchObject({
    hash: report.hash,
    stale: true,
  });
  await expect(harness.call('plan.checkOne', { id, checkId: 'host.ready' })).rejects.toMatchObject({
    kind: 'conflict',
  });
});

test('vCenter away is one block, and what could not be checked says so', async () => {
  harness.lab.setVcenter(false);
  const { ready, findings } = await harness.call('plan.check', { id });
  expect(ready).toBe(false);
  expect(
    findings.filter((finding) => finding.severity === 'block').map((finding) => finding.id),
  ).toEqual(['vcenter.answers']);
  expect(
    findings
      .filter((finding) => finding.evidence.startsWith('Not checked: '))
      .map((finding) => finding.id),
  ).toEqual(expect.arrayContaining(['vm.present', 'host.ready', 'telemetry.series']));
  // The reason itself stands in the block alone.
  const { evidence, subject } = findings.find(({ severity }) => severity === 'block')!;
  expect(findings.filter((finding) => finding.evidence.includes(evidence))).toHaveLength(1);
  expect(findings.find(({ id: one }) => one === 'host.ready')?.evidence).toBe(
    `Not checked: ${subject} has to be mended first.`,
  );
  harness.lab.setVcenter(true);
});

test('a testbed with too few tiles is one block that cannot be waived', async () => {
  await harness.call('plan.save', testPlanFile({ tiles: 3 }).plan);
  const { findings } = await harness.call('plan.check', { id });
  expect(findings).toEqual([
    expect.objectContaining({ id: 'plan.testbed', severity: 'block', waivable: false }),
  ]);
  await expect(
    harness.call('plan.waive', { id, keys: ['plan.testbed testbed'], reason: 'I know' }),
  ).rejects.toMatchObject({ kind: 'invalidInput' });
});

test('a launch needs a check of this engine', async () => {
  const { hash } = await harness.call('plan.check', { id });
  await harness.restart();
  await expect(harness.call('run.start', { planId: id, checkedHash: hash })).rejects.toMatchObject({
    kind: 'conflict',
    message: 'This engine has not checked the plan as it is now.',
  });
});

test('a change of a jump host un-validates too', async () => {
  const [c1] = (await harness.call('connection.list', {})).filter((one) => one.kind === 'client');
  if (c1?.kind !== 'client') throw new Error('no client');
  const jump = { ...c1, id: 'jump', name: 'jump' };
  await harness.call('connection.save', { connection: jump });
  await harness.call('connection.save', { connection: { ...c1, jumpId: 'jump' } });
  const { hash } = await harness.call('plan.check', { id });
  await harness.call('connection.save', { connection: { ...jump, host: 'elsewhere' } });
  await expect(harness.call('run.start', { planId: id, checkedHash: hash })).rejects.toMatchObject({
    kind: 'conflict',
  });
});

test('a smoke run is a real run of one tile, marked, and the next check tells of it', async () => {
  const before = await harness.call('plan.check', { id });
  expect(before.findings.find((finding) => finding.id === 'smoke.run')).toMatchObject({
    severity: 'info',
  });
  const { runId } = await harness.call('plan.smoke', { id });
  await ended(runId);
  const record = await harness.call('run.record', { id: runId });
  expect(record).toMatchObject({
    plan: { tiles: 1, smoke: { planId: id } },
    overview: { state: 'passed', name: 'Plan smoke run' },
  });
  expect(record.overview.findings).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        id: 'smoke',
        text: expect.stringContaining('It is no result') as string,
      }),
    ]),
  );
  const after = await harness.call('plan.check', { id });
  expect(after.findings.find((finding) => finding.id === 'smoke.run')).toMatchObject({
    severity: 'ok',
    runId,
  });
});

test('a smoke run that the check forbids is refused with its reason', async () => {
  harness.lab.inventory.vms[0]!.powerState = 'poweredOff';
  await expect(harness.call('plan.smoke', { id })).rejects.toMatchObject({
    kind: 'conflict',
    message: expect.stringContaining('VM vm0') as string,
  });
});

test('a waiver survives a new check and can be taken back', async () => {
  harness.lab.inventory.vms[0]!.powerState = 'poweredOff';
  const key = 'vm.poweredOff vm0';
  expect((await harness.call('plan.check', { id })).ready).toBe(false);
  expect(
    (await harness.call('plan.waive', { id, keys: [key], reason: 'off on purpose' })).report?.ready,
  ).toBe(true);
  const again = await harness.call('plan.check', { id });
  expect({
    ready: again.ready,
    waived: again.findings.filter((finding) => finding.waived).map((finding) => finding.id),
  }).toEqual({ ready: true, waived: ['vm.poweredOff'] });
  expect((await harness.call('plan.waive', { id, keys: [key], reason: null })).report?.ready).toBe(
    false,
  );
});

test('a VM that is off is powered on by one command, and off again; the check follows', async () => {
  harness.lab.inventory.vms[0]!.powerState = 'poweredOff';
  const before = await harness.call('plan.check', { id });
  const off = before.findings.find((finding) => finding.id === 'vm.poweredOff')?.off;
  expect(off).toEqual({ ref: 'vm-0', name: 'vm0' });
  const { testbedId } = testPlanFile().plan;
  const power = async (on: boolean, vmRefs = [off!.ref]): Promise<void> => {
    const done = harness.call('testbed.power', { id: testbedId, vmRefs, on });
    let over = false;
    const end = (): void => void (over = true);
    done.then(end, end);
    await harness.clock.advanceUntil(() => over, 60_000);
    await done;
  };
  await power(true);
  expect((await harness.call('plan.check', { id })).ready).toBe(true);
  await power(false);
  expect((await harness.call('plan.check', { id })).ready).toBe(false);
  await expect(power(true, ['vm-of-somebody-else'])).rejects.toMatchObject({
    kind: 'invalidInput',
  });
});

test('no VM goes off under a run', async () => {
  const { hash } = await harness.call('plan.check', { id });
  const { runId } = await harness.call('run.start', { planId: id, checkedHash: hash });
  const { ref } = harness.lab.inventory.vms[0]!;
  await expect(
    harness.call('testbed.power', { id: testPlanFile().plan.testbedId, vmRefs: [ref], on: false }),
  ).rejects.toMatchObject({ kind: 'conflict', message: 'Plan #1 uses the testbed.' });
  await harness.call('run.abort', { id: runId, hard: true });
  await ended(runId);
});

test('a parameter that its driver refuses is named with its place', async () => {
  const file = testPlanFile();
  const [tile] = file.testbed.tiles;
  const saved = await harness.call('testbed.save', {
    ...file.testbed,
    version: 1,
    tiles: [
      {
        ...tile!,
        workloads: tile!.workloads.map((one) => ({ ...one, params: { threads: 0 } })),
      },
      ...file.testbed.tiles.slice(1),
    ],
  });
  expect(saved.tiles[0]!.workloads[0]!.params).toEqual({ threads: 0 });
  const { findings } = await harness.call('plan.check', { id });
  expect(findings[0]).toMatchObject({
    id: 'plan.testbed',
    at: { tile: 0, workloadId: 'java', parameter: 'threads' },
  });
});
