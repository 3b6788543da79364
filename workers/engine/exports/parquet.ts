import { ByteWriter, ParquetWriter } from 'hyparquet-writer';

import type { SeriesData, SeriesDef } from '../../../src/core/metric/metric.ts';
import { runMarkWords } from '../../../src/core/report/runReport.ts';
import type { RunRecord } from '../../../src/core/run/run.ts';
import { phaseAt } from '../../../src/core/run/windows.ts';
import { jsonHead } from './json.ts';

type Schema = ConstructorParameters<typeof ParquetWriter>[0]['schema'];
const text = (name: string, repetition: 'REQUIRED' | 'OPTIONAL' = 'REQUIRED'): Schema[number] => ({
  name,
  type: 'BYTE_ARRAY',
  converted_type: 'UTF8',
  logical_type: { type: 'STRING' },
  repetition_type: repetition,
});
const columns: Schema = [
  text('run'),
  { name: 'series', type: 'INT32', repetition_type: 'REQUIRED' },
  {
    name: 't_ms',
    type: 'INT64',
    converted_type: 'TIMESTAMP_MILLIS',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
    repetition_type: 'REQUIRED',
  },
  { name: 'elapsed_ms', type: 'INT64', repetition_type: 'REQUIRED' },
  text('phase', 'OPTIONAL'),
  { name: 'tile', type: 'INT32', repetition_type: 'OPTIONAL' },
  text('entity'),
  text('entity_kind'),
  text('entity_id'),
  text('metric'),
  text('unit'),
  { name: 'value', type: 'DOUBLE', repetition_type: 'REQUIRED' },
  text('source'),
  text('origin'),
];
const schema: Schema = [{ name: 'samples', num_children: columns.length }, ...columns];

/**
 * One Parquet file in the making: `add` gives the bytes of a row group, `end` those of the footer.
 * Between them only the footer's contents are held.
 */
export interface ParquetFile {
  add(series: readonly SeriesDef[], data: readonly SeriesData[]): Uint8Array;
  end(): Uint8Array;
}

/**
 * A run's samples in the long form, a row a sample. The file's metadata holds `tilebench.version`
 * (1), `tilebench.marks` (a list of what a reader must know first, each `word` and `reason`) and
 * `tilebench.run` (all of the JSON export but its series).
 */
export function parquetFile(record: RunRecord): ParquetFile {
  const { overview } = record;
  const writer = new ByteWriter();
  const file = new ParquetWriter({
    writer,
    schema,
    createdBy: `Tilebench ${record.appVersion}`,
    kvMetadata: [
      { key: 'tilebench.version', value: '1' },
      { key: 'tilebench.marks', value: JSON.stringify(runMarkWords(record)) },
      { key: 'tilebench.run', value: jsonHead(record).replace(/,"series":\[$/, '}') },
    ],
  });
  const taken = (): Uint8Array => {
    const bytes = writer.getBytes().slice();
    writer.index = 0;
    return bytes;
  };
  const startMs = Math.round(overview.startedAtMs ?? overview.createdAtMs);
  return {
    add(series, data) {
      const rows = data.reduce((sum, { tMs }) => sum + tMs.length, 0);
      if (rows === 0) return taken();
      const each = <T>(valueOf: (def: SeriesDef) => T): T[] => {
        const all = new Array<T>(rows);
        let at = 0;
        series.forEach((def, i) => {
          all.fill(valueOf(def), at, (at += data[i]!.tMs.length));
        });
        return all;
      };
      const times = new BigInt64Array(rows);
      const elapsed = new BigInt64Array(rows);
      const values = new Float64Array(rows);
      const phases = new Array<string | null>(rows);
      let row = 0;
      for (const { tMs, value } of data) {
        values.set(value, row);
        for (let i = 0; i < tMs.length; i += 1, row += 1) {
          const at = tMs[i]!;
          times[row] = BigInt(Math.round(at));
          elapsed[row] = BigInt(Math.round(at) - startMs);
          phases[row] = phaseAt(overview, at)?.name ?? null;
        }
      }
      void file.write({
        rowGroupSize: rows,
        columnData: [
          { name: 'run', data: each(() => overview.id) },
          { name: 'series', data: each((def) => def.id) },
          { name: 't_ms', data: times, encoding: 'DELTA_BINARY_PACKED' },
          { name: 'elapsed_ms', data: elapsed, encoding: 'DELTA_BINARY_PACKED' },
          { name: 'phase', data: phases },
          {
            name: 'tile',
            data: each((def) => (def.entity.tile === undefined ? null : def.entity.tile + 1)),
          },
          { name: 'entity', data: each((def) => def.entity.name) },
          { name: 'entity_kind', data: each((def) => def.entity.kind) },
          { name: 'entity_id', data: each((def) => def.entity.id) },
          { name: 'metric', data: each((def) => def.metric) },
          { name: 'unit', data: each((def) => def.unit) },
          { name: 'value', data: values },
          { name: 'source', data: each((def) => def.source) },
          { name: 'origin', data: each(() => overview.origin) },
        ],
      });
      return taken();
    },
    end() {
      void file.finish();
      return taken();
    },
  };
}
