import * as z from 'zod';

import type { DriverParser, ParserOptions } from './driver.ts';
import { createBadLines, createLineReader } from './lines.ts';
import { createWindowSum, type LoggedWork } from './windowSum.ts';

/** Reads a log line by line; `state` is what a later line needs of earlier ones (a head), small. */
export interface LogReader {
  read(text: string): LoggedWork | 'known' | 'bad';
  state(): string;
}

const heldState = z.object({
  /** Where the first window begins, epoch ms; null before the first line. */
  originMs: z.number().nullable(),
  /** The first window that is not told yet. */
  next: z.number().int(),
  /** Up to this byte of the log was read: lines of told windows before it are in them. */
  seen: z.number().int(),
  reader: z.string(),
});
type Held = z.infer<typeof heldState>;

/**
 * A parser of a tool that logs single requests: adds them up in windows of an interval. A window is
 * told one interval after its end; what comes later still is counted as a bad line, never lost in
 * silence. A fresh parser goes on at the first byte of the oldest open window.
 */
export function createWindowParser(
  options: ParserOptions,
  open: (state: string) => LogReader,
): DriverParser {
  const given = options.resume?.state;
  const held: Held =
    given === undefined
      ? { originMs: null, next: 0, seen: 0, reader: '' }
      : heldState.parse(JSON.parse(given));
  const reader = open(held.reader);
  const sum = createWindowSum({ ...options, place: held });
  const bad = createBadLines();
  const take = (text: string, offset: number): void => {
    const work = reader.read(text);
    if (work === 'known') return;
    const came = work === 'bad' ? 'ahead' : sum.add(work, offset);
    // Of a window that was told: read a second time after a restart, or too late.
    if (came === 'ahead' || (came === 'late' && offset >= held.seen)) bad.add(text);
  };
  const lines = createLineReader(options.resume?.offset ?? 0, take, () =>
    bad.add('(a line longer than 64 KiB)'),
  );
  return {
    push: (chunk) => lines.push(chunk),
    end() {
      lines.end();
      sum.end();
    },
    resume() {
      const state: Held = {
        ...sum.place,
        seen: Math.max(held.seen, lines.offset),
        reader: reader.state(),
      };
      return { offset: Math.min(sum.firstOffset, lines.offset), state: JSON.stringify(state) };
    },
    get badLines() {
      return bad.count;
    },
    get badExamples() {
      return bad.examples;
    },
  };
}
