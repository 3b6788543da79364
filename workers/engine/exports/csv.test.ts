import fc from 'fast-check';

import { demoRecord } from '../../../bench/demoRecord.ts';
import type { SeriesDef } from '../../../src/core/metric/metric.ts';
import type { Database } from '../db/types.ts';
import { csvHeader, csvOfAll, csvText } from './csv.ts';
import { csvWideHeader, csvWideRows } from './csvWide.ts';
import { createExporter } from './page.ts';

const def = (decimals: number, name = 'Tile 1 Database'): SeriesDef => ({
  id: 0,
  metric: 'throughput',
  unit: 'tps',
  source: 'sysbench on client1',
  periodMs: 1_000,
  decimals,
  lagMs: 0,
  entity: { kind: 'workload', id: 't0.database', name, tile: 0 },
});
const record = demoRecord('r', [], 1_700_000_000_000, 100);
const rows = (series: SeriesDef, t: number[], v: number[]): string[][] =>
  csvOfAll(
    record,
    [series],
    [{ seriesId: 0, tMs: Float64Array.from(t), value: Float64Array.from(v) }],
  )
    .toString()
    .split('\r\n')
    .slice(0, -1)
    .map((row) => row.split(','));

test('a row says when, where, what and in which unit', () => {
  expect(csvHeader.trim().split(',')).toEqual([
    't_ms',
    'elapsed_s',
    'phase',
    'tile',
    'entity',
    'entity_kind',
    'metric',
    'unit',
    'value',
    'source',
  ]);
  expect(rows(def(2), [1_700_000_001_000, 1_700_000_002_500], [20.05, 21])).toEqual([
    [
      '1700000001000',
      '1',
      'steady',
      '1',
      'Tile 1 Database',
      'workload',
      'throughput',
      'tps',
      '20.05',
      'sysbench on client1',
    ],
    [
      '1700000002500',
      '2.5',
      'steady',
      '1',
      'Tile 1 Database',
      'workload',
      'throughput',
      'tps',
      '21',
      'sysbench on client1',
    ],
  ]);
});

test('every number is printed so that it reads back as itself', () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), {
        minLength: 1,
        maxLength: 40,
      }),
      fc.integer({ min: 0, max: 6 }),
      (values, decimals) => {
        const t = values.map((_, i) => 1_700_000_000_000 + i);
        expect(rows(def(decimals), t, values).map((row) => Number(row[8]) + 0)).toEqual(
          values.map((v) => v + 0),
        );
      },
    ),
  );
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: -1e9, max: 1e9 }), { minLength: 1, maxLength: 40 }),
      (values) => {
        const two = values.map((v) => v / 100);
        expect(
          rows(
            def(2),
            two.map((_, i) => 1_700_000_000_000 + i),
            two,
          ).map((row) => row[8]),
        ).toEqual(two.map((v) => String(v + 0)));
      },
    ),
  );
});

test.each([
  ['plain', 'plain'],
  ['a,b', '"a,b"'],
  ['say "x"', '"say ""x"""'],
  ['=1+1', "'=1+1"],
  ['@cmd', "'@cmd"],
  ['-2', "'-2"],
  ['line\nbreak', '"line\nbreak"'],
])('text %j becomes %j', (text, expected) => {
  expect(csvText(text)).toBe(expected);
});

describe('the wide form', () => {
  const two: SeriesDef[] = [
    def(2),
    {
      ...def(0, 'a,b'),
      id: 1,
      metric: 'powerW',
      unit: 'W',
      entity: { kind: 'power', id: 'p', name: 'a,b' },
    },
  ];
  const wide = demoRecord('r', two, 1_700_000_000_000, 100);
  const data = (id: number, t: number[], v: number[]) => ({
    seriesId: id,
    tMs: Float64Array.from(t),
    value: Float64Array.from(v),
  });

  test('a row a second, a column a series, empty where nothing was measured', () => {
    expect(csvWideHeader(wide)).toBe(
      't_s,elapsed_s,phase,Tile 1 Database Throughput (tps),"a,b Power (W)"\r\n',
    );
    const start = 1_700_000_000_000;
    expect(
      csvWideRows(
        wide,
        [
          data(0, [start + 1_010, start + 1_900, start + 3_000], [20.05, 21.5, 22]),
          data(1, [start + 3_500], [300]),
        ],
        start,
        0,
        10,
      ).split('\r\n'),
    ).toEqual(['1700000001,1,steady,21.5,', '1700000003,3,steady,22,300', '']);
  });

  test('pages joined hold every second once', () => {
    const start = wide.overview.startedAtMs!;
    const all = data(
      0,
      Array.from({ length: 1_500 }, (_, i) => start + i * 1_000),
      Array.from({ length: 1_500 }, (_, i) => i),
    );
    const long = {
      ...wide,
      overview: { ...wide.overview, series: [two[0]!], endedAtMs: start + 1_500_000 },
    };
    const samples = {
      read: (_run: string, ids: readonly number[], { fromMs = -Infinity, toMs = Infinity }) =>
        ids.map(() => {
          const keep = [...all.tMs.keys()].filter(
            (i) => all.tMs[i]! >= fromMs && all.tMs[i]! <= toMs,
          );
          return data(
            0,
            keep.map((i) => all.tMs[i]!),
            keep.map((i) => all.value[i]!),
          );
        }),
    } as unknown as Database['samples'];
    let text = '';
    const exporter = createExporter({ samples });
    for (let cursor: string | null = null; ;) {
      const page: { bytes: Uint8Array; cursor: string | null } = exporter.page(
        long,
        'csv-wide',
        cursor,
      );
      text += Buffer.from(page.bytes).toString();
      if (page.cursor === null) break;
      cursor = page.cursor;
    }
    expect(
      text
        .split('\r\n')
        .slice(1, -1)
        .map((row) => Number(row.split(',')[3])),
    ).toEqual([...all.value]);
  });
});
