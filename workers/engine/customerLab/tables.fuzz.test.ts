import fc from 'fast-check';

import { createHarness, type Harness } from '../testing/engineHarness.ts';
import { damagedBytes } from '../testing/fuzz/bytes.ts';
import { fuzz } from '../testing/fuzz/fuzz.ts';
import { rvtools, xlsxParts, zipOf } from './testing/makeXlsx.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

const shown = (bytes: Uint8Array): string => Buffer.from(bytes.subarray(0, 400)).toString('latin1');
const read = async (name: string, bytes: Uint8Array): Promise<void> => {
  const found = await harness.call('customerLab.tables', { name, bytes });
  // What was taken can be mapped otherwise, or it must not have been taken.
  await harness.call('customerLab.tables', {
    name,
    bytes,
    choices: found.sheets.map(({ columns }) => ({
      kind: 'hosts',
      columns: columns.length === 0 ? {} : { name: { column: columns.length - 1 } },
    })),
  });
};

const csv = 'Host;Speed;# CPU;# Memory\r\nesx1;2933;2;98304\r\n"esx 2";"2400";4;"1 024"\r\n';
fuzz({
  name: 'tables of an inventory as CSV',
  cases: 200,
  inputs: damagedBytes([csv, csv.replaceAll(';', ',')]),
  print: shown,
  take: (bytes) => read('hosts.csv', bytes),
});

const parts = xlsxParts(rvtools({ hosts: 2 }));
fuzz({
  name: 'tables of an inventory as XLSX, damaged inside',
  cases: 200,
  inputs: fc
    .constantFrom(...parts.keys())
    .chain((name) => damagedBytes([parts.get(name)!]).map((bytes) => ({ name, bytes }))),
  print: ({ name, bytes }) => `${name}: ${shown(bytes)}`,
  take: async ({ name, bytes }) =>
    read('lab.xlsx', await zipOf(new Map([...parts, [name, Buffer.from(bytes).toString('utf8')]]))),
});

let whole: Uint8Array = new Uint8Array(0);
beforeAll(async () => {
  whole = await zipOf(parts);
});
fuzz({
  name: 'tables of an inventory as XLSX, damaged outside',
  cases: 200,
  inputs: fc.array(
    fc.tuple(fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }), fc.nat(255)),
    {
      minLength: 1,
      maxLength: 12,
    },
  ),
  async take(changes) {
    const bytes = Uint8Array.from(whole);
    for (const [where, byte] of changes) bytes[Math.floor(where * bytes.length)] = byte;
    await read('lab.xlsx', bytes);
  },
});
