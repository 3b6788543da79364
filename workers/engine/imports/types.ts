import type { SeriesDef } from '../../../src/core/metric/metric.ts';

/** A series that a file brings, before it has a number in its run. */
export type ImportedSeries = Omit<SeriesDef, 'id' | 'lagMs'>;

export type LeftOutPart = 'part' | 'line' | 'row' | 'sample';

/** Where a parser puts what it finds. Samples of one series come in the order of time. */
export interface ImportSink {
  /** Tells of a series; gives the number its samples carry. */
  define(series: ImportedSeries): number;
  /** One sample; `tMs` is an epoch. A repeated or earlier time is left out and counted. */
  add(id: number, tMs: number, value: number): void;
  /** Counts what was damaged or stands twice, and was left out: shown wherever the run is. */
  leaveOut(count: number, what: LeftOutPart): void;
  /** Something a reader must know of these numbers. */
  note(text: string): void;
}

/** Reads one file in pieces, however they are cut. */
export interface ImportParser {
  push(bytes: Uint8Array): void;
  /** After the last piece. Throws invalidInput where the file is not what it seemed. */
  end(): void;
}

export interface ImportOptions {
  fileName: string;
  /** Epoch of the first sample where the file has no date of its own. */
  startMs: number;
  /** Only devices whose name holds one of these texts (any case); empty = all. */
  filter: readonly string[];
}
/** Reads one kind of file; its name and title are in `src/core/history/importForms.ts`. */
export interface ImportFormat {
  /** Whether the beginning of a file (up to 4 MiB) is of this format. */
  matches(beginning: string): boolean;
  open(sink: ImportSink, options: ImportOptions): ImportParser;
}
