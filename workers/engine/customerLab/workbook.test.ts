import fc from 'fast-check';

import { toAppError } from '../../../src/core/base/errors.ts';
import { makeXlsx, rvtools, xlsxParts, zipOf } from './testing/makeXlsx.ts';
import { readWorkbook } from './workbook.ts';

const refusal = async (bytes: Uint8Array): Promise<string> => {
  try {
    await readWorkbook('lab.xlsx', bytes);
  } catch (thrown) {
    const { kind, message } = toAppError(thrown);
    expect(kind).toBe('invalidInput');
    return message;
  }
  throw new Error('It was taken.');
};
/** The workbook of RVTools with one of its parts made otherwise. */
const changed = async (part: string, edit: (text: string) => string): Promise<Uint8Array> => {
  const parts = xlsxParts(rvtools());
  parts.set(part, edit(parts.get(part) ?? ''));
  return zipOf(parts);
};
const sheet2 = 'xl/worksheets/sheet2.xml';

test('sheets come with their heads, rows and row numbers; others beside those of RVTools stay unread', async () => {
  const bytes = await makeXlsx([...rvtools(), { name: 'vLicense', rows: [['Key'], ['secret']] }]);
  const tables = await readWorkbook('lab.xlsx', bytes);
  expect(tables.map(({ sheet, rows }) => [sheet, rows.length])).toEqual([
    ['vInfo', 9],
    ['vHost', 4],
    ['vDatastore', 3],
  ]);
  expect(tables[1]!.columns.slice(3, 6)).toEqual(['CPU Model', 'Speed', 'HT Active']);
  expect(tables[1]!.rows[0]).toMatchObject({
    number: 2,
    cells: [
      'esx01.example.com',
      'Berlin',
      'Production',
      expect.stringContaining('X5570'),
      '2933',
      'TRUE',
      '2',
      '4',
      '8',
      '98294',
      '4',
      '2',
      expect.any(String),
      'HP',
      'ProLiant DL380 G6',
    ],
  });
});

test('whatever stands in cells is read as it was written', async () => {
  const cell: fc.Arbitrary<string | number | boolean | null> = fc.oneof(
    fc.string({ unit: fc.constantFrom('a', 'Z', '7', ' ', '<', '&', '"', '\n', 'ü', '東', '😀') }),
    fc.integer({ min: 0, max: 1e9 }),
    fc.boolean(),
    fc.constant(null),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(cell, { minLength: 1, maxLength: 30 }), { minLength: 1, maxLength: 12 }),
      async (rows) => {
        const bytes = await makeXlsx([{ name: 'Any', rows: [['head'], ...rows] }]);
        const [table] = await readWorkbook('any.xlsx', bytes);
        const text = (value: string | number | boolean | null): string =>
          value === null
            ? ''
            : typeof value === 'boolean'
              ? String(value).toUpperCase()
              : String(value);
        const bare = (cells: readonly string[]): string =>
          JSON.stringify(cells)
            .replace(/(,"")+\]$/, ']')
            .replace(/^\[""\]$/, '[]');
        expect(table!.rows.map((row) => bare(row.cells))).toEqual(
          rows
            .map((row) => row.map(text))
            .filter((row) => row.some((one) => one.trim() !== ''))
            .map(bare),
        );
      },
    ),
    { numRuns: 60 },
  );
});

test('a formula is its text, not what was stored beside it', async () => {
  const bytes = await makeXlsx([
    {
      name: 'vHost',
      rows: [
        ['Host', 'Speed'],
        ['esx1', { formula: 'WEBSERVICE("x")', stored: '2933' }],
      ],
    },
  ]);
  const [table] = await readWorkbook('lab.xlsx', bytes);
  expect(table!.rows[0]!.cells).toEqual(['esx1', '=WEBSERVICE("x")']);
});

test('what unpacks to more than any honest file is refused before it is unpacked', async () => {
  const bomb = await changed(sheet2, (text) =>
    text.replace('<sheetData>', `<sheetData>${'<row/>'.repeat(2_000_000)}`),
  );
  expect(bomb.length).toBeLessThan(200_000);
  expect(await refusal(bomb)).toMatch(/unpacks to \d+ bytes from \d+: no honest file does\./);
});

test('a document type, wherever it stands, is refused', async () => {
  const declared = await changed(sheet2, (text) =>
    text.replace('?>', '?><!DOCTYPE x [<!ENTITY a "b">]>'),
  );
  expect(await refusal(declared)).toBe(
    'xl/worksheets/sheet2.xml of lab.xlsx declares a document type: no spreadsheet does.',
  );
});

test.each<[string, string, (text: string) => string, RegExp]>([
  [
    'a text that is not there',
    sheet2,
    (text) => text.replace(/t="s"><v>\d+</, 't="s"><v>99999<'),
    /vHost!A1: the cell points at a text that the file has not/,
  ],
  [
    'a column far out',
    sheet2,
    (text) => text.replace('r="B2"', 'r="ZZZ2"'),
    /vHost!ZZZ2: a table has at most 400 columns/,
  ],
  [
    'rows that go back',
    sheet2,
    (text) => text.replace('<row r="3">', '<row r="1">'),
    /vHost: row 1 follows row 2/,
  ],
  ['torn XML', sheet2, (text) => text.slice(0, 900), /sheet2\.xml of lab\.xlsx is damaged/],
  [
    'no relations',
    'xl/_rels/workbook.xml.rels',
    () => '<Relationships/>',
    /lab\.xlsx has no sheet with cells/,
  ],
  [
    'a sheet outside the workbook',
    'xl/_rels/workbook.xml.rels',
    (text) => text.replaceAll('worksheets/', '../../etc/'),
    /has no sheet with cells/,
  ],
])('%s is refused with its place', async (_, part, edit, words) => {
  expect(await refusal(await changed(part, edit))).toMatch(words);
});

test('what is no archive is refused', async () => {
  expect(await refusal(new TextEncoder().encode('PK but no more'))).toMatch(
    /lab\.xlsx is no XLSX file, or its end is missing/,
  );
});
