import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type CheckFinding, type CheckReport, findingKey } from '../../src/core/plan/plan.ts';
import { type PlantedBed, plantedBed } from '../engine/testbeds/preflight/testing/plantedBed.ts';
import { plantedFaults } from '../engine/testbeds/preflight/testing/plantedFaults.ts';
import { runHere } from './testing/runHere.ts';

let dir: string;
let bed: PlantedBed;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'tb-planted-'));
  bed = await plantedBed(dir);
});
afterAll(async () => {
  await bed?.stop();
  rmSync(dir, { recursive: true, force: true });
});

const bad = (report: CheckReport): CheckFinding[] =>
  report.findings.filter((finding) => finding.severity === 'block' || finding.severity === 'warn');
const said = (finding: CheckFinding): string =>
  `${finding.severity} ${finding.id} of ${finding.subject ?? '?'} by ${finding.checkId ?? '?'}: ${finding.evidence}`;

test('a healthy testbed: nothing blocks, nothing warns, every finding is complete', async () => {
  const report = await bed.check();
  expect(bad(report).map(said)).toEqual([]);
  expect(report.ready).toBe(true);
  expect(
    report.findings.filter(
      (finding) =>
        ![finding.id, finding.checkId, finding.subject, finding.source].every(
          (text) => typeof text === 'string' && text !== '',
        ),
    ),
  ).toEqual([]);
  expect(new Set(report.findings.map(findingKey)).size).toBe(report.findings.length);
});

/** Filled by the tests below, judged by the last. */
const tally = { found: 0, missed: [] as string[], extra: [] as string[] };

test.each(plantedFaults)(
  '$name is found by $check',
  async ({ name, check, id, subject, plant, alongside = [] }) => {
    const mend = await plant(bed);
    try {
      const report = await bed.check();
      const hit = bad(report).find(
        (finding) =>
          finding.id === id && finding.checkId === check && finding.subject === subject(bed),
      );
      const others = bad(report)
        .filter((finding) => finding !== hit && !alongside.includes(finding.id))
        .map(said);
      if (hit) tally.found += 1;
      else tally.missed.push(name);
      tally.extra.push(...others.map((text) => `${name}: ${text}`));
      expect({ hit: hit?.id, others }).toEqual({ hit: id, others: [] });
      expect(hit?.evidence).not.toBe('');
      expect(hit?.fix).not.toBe(undefined);
    } finally {
      await mend();
    }
  },
);

test('precision and recall over the planted faults', async () => {
  const { found, missed, extra } = tally;
  process.stderr.write(
    `planted faults: ${plantedFaults.length}, found ${found}: recall ${(found / plantedFaults.length).toFixed(3)}, precision ${(found / Math.max(1, found + extra.length)).toFixed(3)}\n`,
  );
  expect({ missed, extra }).toEqual({ missed: [], extra: [] });
  expect(bad(await bed.check()).map(said)).toEqual([]);
});

test('the command line finds the same, by the same keys', async () => {
  await bed.control.change({ type: 'HostSystem', name: bed.hosts[0]!.name, build: '1' });
  try {
    const report = await bed.check();
    const { code, out } = await runHere(
      'check',
      bed.planPath,
      '--trust',
      '--json',
      '--data',
      join(dir, 'cli'),
    );
    const keys = (findings: readonly CheckFinding[]): string[] =>
      findings.map((finding) => `${finding.severity} ${findingKey(finding)}`).sort();
    expect(code).toBe(0);
    expect(keys((JSON.parse(out) as CheckReport).findings)).toEqual(keys(report.findings));
  } finally {
    await bed.heal();
  }
});

describe('what was checked is what is launched', () => {
  afterEach(() => bed.heal());

  test('a VM that went off after the check un-validates it, and is named', async () => {
    const report = await bed.check();
    await bed.session.power(bed.vms[0]!.ref, false);
    await expect(
      bed.call('run.start', { planId: bed.file.plan.id, checkedHash: report.hash }),
    ).rejects.toMatchObject({
      kind: 'conflict',
      message: expect.stringContaining(
        `power state of VM ${bed.vms[0]!.name}: poweredOn, now poweredOff`,
      ) as string,
    });
  });

  test('a block forbids the launch until it is waived; the reason stays in the run; another edit un-validates again', async () => {
    await bed.control.change({ type: 'Datastore', name: bed.datastores[0]!.name, freeBytes: 0 });
    const blocked = await bed.check();
    await expect(
      bed.call('run.start', { planId: bed.file.plan.id, checkedHash: blocked.hash }),
    ).rejects.toMatchObject({
      kind: 'conflict',
      message: expect.stringContaining(bed.datastores[0]!.name) as string,
    });
    const key = findingKey(blocked.findings.find((finding) => finding.id === 'datastore.free')!);
    const { plan, report } = await bed.call('plan.waive', {
      id: bed.file.plan.id,
      keys: [key],
      reason: 'thick disks, nothing grows',
    });
    expect({
      ready: report?.ready,
      changed: report?.hash !== blocked.hash,
      waivers: plan.waivers?.length,
    }).toEqual({ ready: true, changed: true, waivers: 1 });
    await bed.call('plan.save', { ...plan, notes: 'edited' });
    await expect(
      bed.call('run.start', { planId: plan.id, checkedHash: report!.hash }),
    ).rejects.toMatchObject({ kind: 'conflict' });
    const again = await bed.call('plan.check', { id: plan.id });
    const { runId } = await bed.call('run.start', { planId: plan.id, checkedHash: again.hash });
    await bed.call('run.abort', { id: runId, hard: true });
    const record = await bed.call('run.record', { id: runId });
    expect(record.plan.waivers).toEqual([
      expect.objectContaining({ key, reason: 'thick disks, nothing grows' }),
    ]);
    expect(record.overview.findings.map((finding) => finding.text)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^Waived: .*thick disks, nothing grows$/)]),
    );
    await bed.ended(runId);
  });

  test('one check is made again and its findings replace the old ones', async () => {
    await bed.control.change({ type: 'HostSystem', name: bed.hosts[0]!.name, maintenance: true });
    const before = await bed.check();
    expect(before.ready).toBe(false);
    await bed.control.change({ type: 'HostSystem', name: bed.hosts[0]!.name, maintenance: false });
    const after = await bed.call('plan.checkOne', { id: bed.file.plan.id, checkId: 'host.ready' });
    expect({
      ready: after.ready,
      hash: after.hash === before.hash,
      found: after.findings.some((finding) => finding.id === 'host.maintenance'),
    }).toEqual({ ready: true, hash: true, found: false });
    await expect(
      bed.call('plan.checkOne', { id: bed.file.plan.id, checkId: 'nothing' }),
    ).rejects.toMatchObject({ kind: 'notFound' });
  });

  test('an unreachable client cannot be waived', async () => {
    const report = await bed.check((file) => ({
      ...file,
      connections: file.connections.map((one) =>
        one.kind === 'client' && one.id === 'client2' ? { ...one, port: 1 } : one,
      ),
    }));
    const finding = report.findings.find(
      (one) => one.id === 'client.reachable' && one.severity === 'block',
    )!;
    await expect(
      bed.call('plan.waive', {
        id: bed.file.plan.id,
        keys: [findingKey(finding)],
        reason: 'does not matter',
      }),
    ).rejects.toMatchObject({ kind: 'invalidInput' });
  });
});
