import { toAppError } from '../base/errors.ts';
import { kindOf, knownColumns } from './columns.ts';
import { readRows } from './rows.ts';
import type { Table } from './table.ts';

const table = (columns: string[], cells: string[][], more: Partial<Table> = {}): Table => ({
  file: 'lab.xlsx',
  sheet: 'vHost',
  columns,
  rows: cells.map((row, i) => ({ number: i + 2, cells: row })),
  separator: null,
  ...more,
});
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

test('columns of RVTools are known by old and new names, with the units of their heads', () => {
  const heads = ['Host', 'CPU Model', 'Speed', '# CPU', 'Cores per CPU', '# Memory', 'Notes'];
  expect(knownColumns('hosts', heads)).toEqual({
    name: { column: 0 },
    cpuModel: { column: 1 },
    ghz: { column: 2, unit: 'MHz' },
    sockets: { column: 3 },
    coresPerSocket: { column: 4 },
    memoryGb: { column: 5, unit: 'MB' },
  });
  for (const [head, unit] of [
    ['Capacity MiB', 'MB'],
    ['Capacity MB', 'MB'],
    ['Capacity (GB)', 'GB'],
    ['capacity', 'MB'],
  ])
    expect(knownColumns('datastores', ['Name', head!])).toMatchObject({
      capacityGb: { column: 1, unit },
    });
});

test.each([
  [{ sheet: 'vInfo' }, 'vms'],
  [{ sheet: 'tabvHost' }, 'hosts'],
  [{ sheet: null, file: 'RVTools_tabvDatastore.csv' }, 'datastores'],
  [{ sheet: 'Sheet1', columns: ['Host', 'Speed', '# CPU', 'Site'] }, 'hosts'],
  [{ sheet: 'Sheet1', columns: ['VM', 'Powerstate', 'CPUs'] }, 'vms'],
  [{ sheet: 'Sheet1', columns: ['Name', 'Colour'] }, null],
])('%j is a table of %s', (more, kind) => {
  expect(kindOf(table([], [], more))).toBe(kind);
});

test('figures come in the unit that is kept; what is empty or zero is not said', () => {
  const heads = [
    'Host',
    'Speed',
    '# CPU',
    '# Memory',
    'HT Active',
    '# NICs',
    'in Maintenance Mode',
  ];
  const { hosts } = readRows(
    table(heads, [
      ['esx1', '2933', '2', '98294', 'True', '4', 'False'],
      ['esx2', '', '', '0', '', '', 'True'],
      ['', '1', '1', '1', '', ''],
    ]),
    'hosts',
    knownColumns('hosts', heads),
  );
  expect(hosts).toHaveLength(2);
  expect(hosts[0]).toMatchObject({
    ghz: 2.933,
    sockets: 2,
    hyperThreads: true,
    uplinks: 4,
    maintenance: false,
  });
  expect(hosts[0]!.memoryGb).toBeCloseTo(95.99, 2);
  expect(hosts[1]).toMatchObject({
    ghz: null,
    sockets: null,
    memoryGb: null,
    hyperThreads: null,
    maintenance: true,
  });
});

test.each([
  ['12', ',', 12],
  ['12.5', ',', 12.5],
  ['262,144', ',', 262_144],
  ['262 144', ',', 262_144],
  ['2,4', ';', 2.4],
  ['1.5E3', null, 1_500],
] as const)('%s between %s is %d', (said, separator, value) => {
  const read = readRows(
    table(['Name', 'Capacity GB'], [['a', said]], { separator }),
    'datastores',
    knownColumns('datastores', ['Name', 'Capacity GB']),
  );
  expect(read.datastores[0]!.capacityGb).toBe(value);
});

test.each([
  ['2,933', ';', '“2,933” may be read in two ways.'],
  ['2.933', ';', '“2.933” may be read in two ways.'],
  ['=B2*2', null, '“=B2*2” is a formula, which is not computed.'],
  ['fast', null, '“fast” is no figure.'],
  ['-3', null, '“-3” is no figure.'],
  ['1e308', null, 'Clock cannot be 1e308.'],
] as const)('%s for a clock is refused with its cell', (said, separator, words) => {
  const work = () =>
    readRows(
      table(['Host', 'Speed'], [['esx1', said]], { separator }),
      'hosts',
      knownColumns('hosts', ['Host', 'Speed']),
    );
  expect(refusal(work)).toContain(`lab.xlsx, vHost!B2: ${words}`);
});

test('text that turns or hides what stands beside it is refused; half a core is too', () => {
  const columns = knownColumns('hosts', ['Host', '# CPU']);
  expect(
    refusal(() => readRows(table(['Host', '# CPU'], [['esx\u202e1', '2']]), 'hosts', columns)),
  ).toContain('lab.xlsx, vHost!A2: a control character');
  expect(
    refusal(() => readRows(table(['Host', '# CPU'], [['esx1', '1.5']]), 'hosts', columns)),
  ).toContain('lab.xlsx, vHost!B2: Sockets is a whole number, not 1.5.');
});

test('a table without its name column says which it has', () => {
  expect(refusal(() => readRows(table(['Site'], [['x']]), 'hosts', {}))).toContain(
    'lab.xlsx, vHost: no column is Host. Choose the column that holds it. It has Site.',
  );
});
