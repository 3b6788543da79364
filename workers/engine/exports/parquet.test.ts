import { parquetMetadata, parquetReadObjects } from 'hyparquet';

import { demoRecord } from '../../../bench/demoRecord.ts';
import type { SeriesDef } from '../../../src/core/metric/metric.ts';
import type { Database } from '../db/types.ts';
import { createExporter } from './page.ts';

const startMs = 1_700_000_000_000;
const series: SeriesDef[] = Array.from({ length: 20 }, (_, id) => ({
  id,
  metric: id === 19 ? 'powerW' : 'throughput',
  unit: id === 19 ? 'W' : 'tps',
  source: 'bench',
  periodMs: 1_000,
  decimals: 2,
  lagMs: 0,
  entity:
    id === 19
      ? { kind: 'power', id: 'p', name: 'Größe, "x"' }
      : { kind: 'workload', id: `t${id}.w`, name: `Series ${id}`, tile: id },
}));
const plain = demoRecord('r', series, startMs, 300);
const record = {
  ...plain,
  overview: {
    ...plain.overview,
    origin: 'simulated' as const,
    verdict: { outcome: 'passed' as const, compliant: false, sentence: 'Passed.' },
  },
};
/** Series 3 was never measured; values need every bit of a double. */
const valueOf = (id: number, i: number): number => ((id + 1) * 1_000) / 3 + i * 0.1;
const read: Database['samples']['read'] = (_run, ids) =>
  ids.map((seriesId) => {
    const count = seriesId === 3 ? 0 : 300;
    return {
      seriesId,
      tMs: Float64Array.from({ length: count }, (_, i) => startMs + i * 1_000 + 7),
      value: Float64Array.from({ length: count }, (_, i) => valueOf(seriesId, i)),
    };
  });
const samples = { read } as unknown as Database['samples'];

function fileOf(): Uint8Array {
  const exporter = createExporter({ samples });
  const pages: Uint8Array[] = [];
  for (let cursor: string | null = null; ;) {
    const page: { bytes: Uint8Array; cursor: string | null } = exporter.page(
      record,
      'parquet',
      cursor,
    );
    pages.push(page.bytes);
    if ((cursor = page.cursor) === null) return Buffer.concat(pages);
  }
}

test('a reader of its own finds every sample as it was, a row group a page, and the marks in the metadata', async () => {
  const bytes = fileOf();
  const file = bytes.buffer.slice(
    bytes.byteOffset,
    bytes.byteOffset + bytes.byteLength,
  ) as ArrayBuffer;
  const metadata = parquetMetadata(file);
  expect(metadata.row_groups.map((group) => Number(group.num_rows))).toEqual([2_100, 2_400, 1_200]);
  const facts = new Map(
    metadata.key_value_metadata?.map(({ key, value }) => [
      key,
      JSON.parse(value ?? 'null') as unknown,
    ]),
  );
  expect(facts.get('tilebench.version')).toBe(1);
  expect(facts.get('tilebench.marks')).toMatchObject([
    { word: 'SIMULATED' },
    { word: 'NOT COMPLIANT' },
  ]);
  expect(facts.get('tilebench.run')).toMatchObject({
    tilebenchRun: 1,
    origin: 'simulated',
    run: { name: 'Run r' },
  });

  const rows = await parquetReadObjects({ file });
  expect(rows).toHaveLength(19 * 300);
  expect(rows[0]).toEqual({
    run: 'r',
    series: 0,
    t_ms: new Date(startMs + 7),
    elapsed_ms: 7n,
    phase: 'steady',
    tile: 1,
    entity: 'Series 0',
    entity_kind: 'workload',
    entity_id: 't0.w',
    metric: 'throughput',
    unit: 'tps',
    value: valueOf(0, 0),
    source: 'bench',
    origin: 'simulated',
  });
  expect(rows.at(-1)).toMatchObject({
    series: 19,
    tile: null,
    entity: 'Größe, "x"',
    metric: 'powerW',
    unit: 'W',
    value: valueOf(19, 299),
  });
  const wrong = rows.filter((row, i) => {
    const id = [...Array(20).keys()].filter((n) => n !== 3)[Math.floor(i / 300)]!;
    return (
      row['series'] !== id ||
      row['value'] !== valueOf(id, i % 300) ||
      (row['t_ms'] as Date).getTime() !== startMs + (i % 300) * 1_000 + 7
    );
  });
  expect(wrong).toEqual([]);
});

test('a run without a sample is a file without a row', async () => {
  const bytes = createExporter({
    samples: {
      read: (_run: string, ids: readonly number[]) =>
        ids.map((seriesId) => ({ seriesId, tMs: new Float64Array(), value: new Float64Array() })),
    } as unknown as Database['samples'],
  }).page(demoRecord('r', series.slice(0, 2), startMs, 10), 'parquet', null).bytes;
  expect(
    await parquetReadObjects({
      file: bytes.buffer.slice(
        bytes.byteOffset,
        bytes.byteOffset + bytes.byteLength,
      ) as ArrayBuffer,
    }),
  ).toEqual([]);
});

test('a page is given once and in order; a file that was given up for newer ones says so', () => {
  const exporter = createExporter({ samples });
  const { cursor } = exporter.page(record, 'parquet', null);
  const next = exporter.page(record, 'parquet', cursor);
  expect(() => exporter.page(record, 'parquet', cursor)).toThrow(/cursor .* is not valid/);
  for (let i = 0; i < 4; i += 1) exporter.page(record, 'parquet', null);
  expect(() => exporter.page(record, 'parquet', next.cursor)).toThrow(/cursor .* is not valid/);
});
