import fc from 'fast-check';

import { demoRun } from '../../ui/pages/runs/testing/records.ts';
import { type RunRecord, runRecord } from '../run/run.ts';
import { cpuSince } from '../testing/cpuSince.ts';
import { createRedactor } from './redactor.ts';
import { runRedactor } from './runRedactor.ts';

const base = demoRun({ id: 'run-a', name: 'Acme before upgrade' }).record;
const record = (): RunRecord => {
  const copy = structuredClone(base);
  copy.testbed.name = 'Acme rack 7';
  copy.clients = [
    {
      id: 'client-7f',
      name: 'loadgen01',
      clockOffsetMs: 0,
      facts: { kernel: 'Linux 6.1', hostname: 'loadgen01.acme.example' },
    },
  ];
  copy.testbed.tiles[0]!.workloads[0]!.params = {
    host: 'db.acme.example',
    user: 'jdoe',
    threads: 2,
    script: 'oltp_read_write',
  };
  copy.inventoryBefore!.hosts[0]!.name = 'esx1.acme.example';
  copy.inventoryBefore!.datastores[0]!.name = 'LUN 01 gold';
  return copy;
};

test('who did something in vCenter leaves as nobody, however it is written', () => {
  const redactor = runRedactor([record()]);
  expect(
    redactor.text('vm was moved by LAB\\mallory and by bob@vsphere.local; C:\\file stays'),
  ).toBe('vm was moved by redacted-person-2 and by redacted-person-1; C:\\file stays');
});

test('names, addresses and people go; the same name gets the same pseudonym everywhere; the record stays a record', () => {
  const redactor = runRedactor([record()]);
  const leaving = redactor.value(runRecord, record());
  expect(runRecord.safeParse(leaving).success).toBe(true);
  const text = JSON.stringify(leaving);
  for (const name of [
    'Acme',
    'loadgen01',
    'client-7f',
    'esx1',
    'LUN 01 gold',
    'db.acme.example',
    'jdoe',
  ])
    expect(text.toLowerCase()).not.toContain(name.toLowerCase());
  expect(text).toContain('oltp_read_write');
  expect(leaving.overview.series.length).toBe(base.overview.series.length);
  expect(leaving.overview.score).toEqual(base.overview.score);
  expect(leaving.inventoryBefore!.hosts[0]!.name).toBe(redactor.text('esx1.acme.example'));
});

test.each([
  ['esx1 was slow', false],
  ['on ESX1.acme.example:443', false],
  ['esx10 stays', false],
  ['/vmfs/volumes/LUN 01 gold/x.vmdk', false],
  ['lun 01 golden stays', false],
  ['lun 01 gold stays', false],
  ['ramp-up of 60 s, 95 % at 12.5 ms, p95 of 3 tiles', true],
  ['from 10.1.2.3 port 22', false],
  ['version 8.0.3.2', false],
  ['fe80::1:2 and aa:bb:cc:dd:ee:ff', false],
  ['jane.doe@acme.example', false],
  ['naa.600508b1001c', false],
  ['t10.ATA_____SAMSUNG0SSD', false],
  ['t10.nvme____intel0p4510', false],
  ['t10.SanDisk00Ultra', false],
  ['t10.database', true],
  ['loadgen01_fio.log', false],
])('%s', (text, kept) => {
  const out = runRedactor([record()]).text(text);
  if (kept) expect(out).toBe(text);
  else expect(out).toContain('redacted-');
});

test('whatever surrounds a name, it is gone', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('loadgen01', 'esx1.acme.example', 'LUN 01 gold', '10.20.30.40'),
      fc.constantFrom(' ', ',', '"', '/', ':', '(', ')', '\n', '=', '[', ']', ';', '<', '>'),
      fc.constantFrom(' ', ',', '"', '/', ')', '\n', ';', '<', ''),
      (name, before, after) => {
        expect(
          runRedactor([record()]).text(`x${before}${name}${after}`).toLowerCase(),
        ).not.toContain(name.toLowerCase());
      },
    ),
  );
});

test('the preview says what was replaced and how often', () => {
  const redactor = runRedactor([record()]);
  redactor.text('loadgen01 and loadgen01 and 10.1.1.1');
  expect(redactor.replacements().find((r) => r.from === 'loadgen01')).toMatchObject({
    kind: 'client',
    count: 2,
  });
  expect(redactor.replacements().find((r) => r.from === '10.1.1.1')).toMatchObject({
    kind: 'address',
    count: 1,
  });
});

test('ten megabytes of log with a thousand names take no minutes', () => {
  const many = record();
  const vm = many.inventoryBefore!.vms[0]!;
  many.inventoryBefore!.vms = Array.from({ length: 1_000 }, (_, i) => ({
    ...vm,
    ref: `vm-${i}`,
    name: `acme prod vm ${i}`,
  }));
  const line =
    '[ 12s ] thds: 2 tps: 20.01 qps: 400.22 acme prod vm 12 lat (ms,95%): 3.43 err/s: 0.00\n';
  const cpuMs = cpuSince();
  const out = runRedactor([many]).text(line.repeat(20_000));
  expect(out).not.toContain('acme');
  expect(cpuMs()).toBeLessThan(15_000);
});

test('with the names of a run given, a text leaves as it does in the bundle of that run; what is new has a number of its own', () => {
  const bundle = runRedactor([record()]);
  bundle.value(runRecord, record());
  const known = bundle.replacements().filter((one) => one.count > 0);
  const picture = createRedactor([], { known });
  for (const text of [
    'esx1.acme.example CPU in %',
    'Tile 1 on esx1, LUN 01 gold',
    'sysbench on loadgen01',
    'loadgen01.acme.example and db.acme.example',
  ])
    expect(picture.text(text)).toBe(bundle.text(text));
  const before = new Set(known.map((one) => one.to));
  const strange = picture.text('10.77.3.4 LAB\\mallory zorgon');
  for (const word of strange.split(' ')) {
    expect(word).toMatch(/^redacted-[a-z]+-\d+$/);
    expect(before.has(word)).toBe(false);
  }
});
