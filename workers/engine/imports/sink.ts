import { limits } from '../../../src/core/base/bounds.ts';
import { counted } from '../../../src/core/base/counted.ts';
import { isSample, type SeriesDef } from '../../../src/core/metric/metric.ts';
import type { Database } from '../db/types.ts';
import { leftOutWords } from './dropped.ts';
import type { ImportSink, LeftOutPart } from './types.ts';

/** Triples that gather before they are stored: some 200 kB. */
const batchLength = 3 * 8_192;
const mostNotes = 50;

export interface StoringSink extends ImportSink {
  readonly series: readonly SeriesDef[];
  readonly notes: readonly string[];
  /** What was left out, in words; empty = the file was read whole. */
  leftOut(): string[];
  span(): { fromMs: number; toMs: number } | null;
  /** Stores what has gathered. */
  flush(): void;
}

/**
 * Takes an import's samples into the store batch by batch: memory does not grow with the file. The
 * run's row is there before.
 */
export function storingSink(
  db: Pick<Database, 'samples'>,
  runId: string,
  fileName: string,
): StoringSink {
  const series: SeriesDef[] = [];
  const notes: string[] = [];
  const missing = new Map<LeftOutPart, number>();
  const batch = new Float64Array(batchLength);
  let length = 0;
  let defined = 0;
  let fromMs = Infinity;
  let toMs = -Infinity;
  let refused = 0;
  const flush = (): void => {
    if (defined < series.length) {
      db.samples.defineSeries(runId, series);
      defined = series.length;
    }
    if (length > 0) db.samples.append({ runId, batch: batch.slice(0, length), journal: [] });
    length = 0;
  };
  return {
    series,
    get notes() {
      return refused === 0
        ? notes
        : [
            ...notes,
            `${counted(refused, 'sample')} left out: a time outside the years 1970 to 9999, ` +
              `or a figure beyond ${limits.figure}.`,
          ];
    },
    flush,
    define(one) {
      series.push({ ...one, id: series.length, lagMs: 0 });
      return series.length - 1;
    },
    add(id, tMs, value) {
      if (!isSample(tMs, value)) {
        refused += 1;
        return;
      }
      if (tMs < fromMs) fromMs = tMs;
      if (tMs > toMs) toMs = tMs;
      batch[length] = id;
      batch[length + 1] = Math.round(tMs);
      batch[length + 2] = value;
      length += 3;
      if (length === batchLength) flush();
    },
    note(text) {
      if (notes.length < mostNotes) notes.push(text);
    },
    leaveOut: (count, what) => void missing.set(what, (missing.get(what) ?? 0) + count),
    leftOut: () => [...missing].map(([what, count]) => leftOutWords(count, what, fileName)),
    span: () => (fromMs <= toMs ? { fromMs, toMs } : null),
  };
}
