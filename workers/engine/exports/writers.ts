import type { SampleFormat } from '../../../src/core/history/exportForms.ts';
import { csvHeaderOf, csvOfAll } from './csv.ts';
import { actPages } from './csvActs.ts';
import { jsonPage } from './json.ts';
import { parquetPages } from './parquetPages.ts';
import { bySeries } from './seriesPages.ts';
import type { PageWriter, Samples } from './types.ts';
import { widePages } from './widePages.ts';

/** What writes each form of `exportForms.ts`. */
export const writers: Readonly<Record<SampleFormat, (db: Samples) => PageWriter>> = {
  csv: bySeries((record, page, data, { first }) =>
    csvOfAll(record, page, data, first ? csvHeaderOf(record) : ''),
  ),
  'csv-wide': widePages,
  json: bySeries(jsonPage),
  parquet: parquetPages,
  'csv-acts': actPages,
};
