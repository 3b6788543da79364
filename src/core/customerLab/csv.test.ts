import fc from 'fast-check';

import { toAppError } from '../base/errors.ts';
import { readCsv } from './csv.ts';
import { tableLimits } from './table.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const refusal = (work: () => unknown): string => {
  try {
    work();
  } catch (thrown) {
    const { kind, message, hint } = toAppError(thrown);
    expect(kind).toBe('invalidInput');
    return [message, hint].join(' ');
  }
  throw new Error('It was taken.');
};

test.each([
  [',', ','],
  [';', ';'],
  ['tab', '\t'],
])('a table with %s between its cells is read as it was written', (_, separator) => {
  const cell = fc.string({ unit: fc.constantFrom('a', '1', ' ', '"', ',', ';', '\t', '\n', 'ü') });
  fc.assert(
    fc.property(
      fc.array(fc.array(cell, { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 8 }),
      (rows) => {
        const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
        const text = [['Host', 'Speed', 'Model'], ...rows]
          .map((row) => row.map(quoted).join(separator))
          .join('\r\n');
        const table = readCsv('hosts.csv', bytes(text));
        expect(table.columns).toEqual(['Host', 'Speed', 'Model']);
        expect(table.separator).toBe(separator);
        expect(table.rows.map((row) => row.cells)).toEqual(
          rows.filter((row) => row.some((one) => one.trim() !== '')),
        );
      },
    ),
  );
});

test('rows keep the numbers a spreadsheet shows, over empty rows and lines inside a cell', () => {
  const table = readCsv('hosts.csv', bytes('Host,Note\n\nesx1,"two\nlines"\nesx2,x\n'));
  expect(table.rows.map(({ number }) => number)).toEqual([3, 4]);
});

test('a byte order mark is no part of the first head; UTF-16 is named', () => {
  expect(readCsv('a.csv', bytes('\ufeffHost,Speed\nesx1,1')).columns).toEqual(['Host', 'Speed']);
  const utf16 = new Uint8Array([0xff, 0xfe, 0x48, 0, 0x6f, 0]);
  expect(refusal(() => readCsv('a.csv', utf16))).toContain('a.csv is UTF-16 text; UTF-8 is read.');
});

test('an open quote, a cell too long, too many columns and rows are refused with their place', () => {
  expect(refusal(() => readCsv('a.csv', bytes('Host,Speed\nesx1,"29')))).toContain(
    'a.csv, B2: a quote is opened and never closed.',
  );
  const long = 'x'.repeat(tableLimits.cell + 1);
  expect(refusal(() => readCsv('a.csv', bytes(`Host,Note\nesx1,${long}`)))).toContain(
    'a.csv, B2: the cell is longer than 32767 characters.',
  );
  const wide = Array.from({ length: 500 }, (_, i) => `c${i}`).join(',');
  expect(refusal(() => readCsv('a.csv', bytes(wide)))).toContain(
    'a.csv, OK1: a table has at most 400 columns.',
  );
  const many = `Host\n${'esx\n'.repeat(tableLimits.rows + 1)}`;
  expect(refusal(() => readCsv('a.csv', bytes(many)))).toContain('row 50002');
});
