import type { SeriesData, SeriesDef } from '../../../src/core/metric/metric.ts';
import type { RunRecord } from '../../../src/core/run/run.ts';
import { badCursor } from './badCursor.ts';
import type { PageWriter, Samples } from './types.ts';

/** Series a page: small enough for a message, large enough to be quick. */
export const seriesAPage = 8;

/** How a form that goes by series writes a page. */
export type WriteSeries = (
  record: RunRecord,
  page: readonly SeriesDef[],
  data: readonly SeriesData[],
  at: { first: boolean; last: boolean },
) => Uint8Array;

/** Forms that go by series keep nothing between pages: the cursor is the number already given. */
export const bySeries =
  (write: WriteSeries) =>
  ({ samples }: Samples): PageWriter =>
  (id, record, cursor) => {
    const { series } = record.overview;
    const from = cursor === null ? 0 : Number(cursor);
    if (!Number.isInteger(from) || from < 0 || from > series.length) throw badCursor(cursor);
    const page = series.slice(from, from + seriesAPage);
    const data = samples.read(
      id,
      page.map((def) => def.id),
      { maxPoints: 0 },
    );
    const next = from + page.length;
    const last = next >= series.length;
    return {
      bytes: write(record, page, data, { first: from === 0, last }),
      cursor: last ? null : String(next),
      done: next,
      total: series.length,
    };
  };
