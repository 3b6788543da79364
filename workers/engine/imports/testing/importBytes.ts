import { inOrder, leftOutWords } from '../dropped.ts';
import type { ImportedSeries, ImportFormat, ImportOptions } from '../types.ts';

/** What a format makes of bytes that come in pieces of `size`. */
export function importBytes(
  format: ImportFormat,
  bytes: Uint8Array,
  size = 1 << 20,
  options: Partial<ImportOptions> = {},
) {
  const series: (ImportedSeries & { samples: [number, number][] })[] = [];
  const notes: string[] = [];
  const leftOut: string[] = [];
  let dropped = 0;
  const sink = inOrder({
    define: (one) => series.push({ ...one, samples: [] }) - 1,
    add: (id, tMs, value) => {
      series[id]!.samples.push([tMs, value]);
    },
    note: (note) => {
      notes.push(note);
    },
    leaveOut: (count, what) => {
      dropped += count;
      leftOut.push(leftOutWords(count, what, 'x.csv'));
    },
  });
  const parser = format.open(sink, { fileName: 'x.csv', startMs: 1_000, filter: [], ...options });
  for (let at = 0; at < bytes.length; at += size) parser.push(bytes.subarray(at, at + size));
  parser.end();
  sink.end();
  return { series, notes, leftOut, dropped };
}
