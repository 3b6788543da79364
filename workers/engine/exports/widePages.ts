import { badCursor } from './badCursor.ts';
import { csvWideHeader, csvWideRows, secondsAPage } from './csvWide.ts';
import type { PageWriter, Samples } from './types.ts';

/** The wide form goes by time: the cursor is the second the next page begins with. */
export const widePages =
  ({ samples }: Samples): PageWriter =>
  (id, record, cursor) => {
    const { startedAtMs, createdAtMs, endedAtMs, nowMs, series } = record.overview;
    const startMs = Math.floor((startedAtMs ?? createdAtMs) / 1_000) * 1_000;
    // Counters of the last period arrive after the end.
    const totalS = Math.max(1, Math.ceil(((endedAtMs ?? nowMs) - startMs) / 1_000) + secondsAPage);
    const fromS = cursor === null ? 0 : Number(cursor);
    if (!Number.isInteger(fromS) || fromS < 0 || fromS > totalS) throw badCursor(cursor);
    const toS = Math.min(totalS, fromS + secondsAPage);
    const data = samples.read(
      id,
      series.map((def) => def.id),
      { fromMs: startMs + fromS * 1_000, toMs: startMs + toS * 1_000 - 1, maxPoints: 0 },
    );
    return {
      bytes: Buffer.from(
        (fromS === 0 ? csvWideHeader(record) : '') + csvWideRows(record, data, startMs, fromS, toS),
      ),
      cursor: toS >= totalS ? null : String(toS),
      done: toS,
      total: totalS,
    };
  };
