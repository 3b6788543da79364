import type { DriverParser, ParserResume } from './driver.ts';
import { createBadLines, createLineReader } from './lines.ts';

/** `taken`: a measurement; `known`: a line of the tool without one; `bad`: neither. */
export type LineVerdict = 'taken' | 'known' | 'bad';

/**
 * A parser of a tool that prints a line a measurement. `state` is what must be known of earlier
 * lines; it goes into the journal with the offset after the last whole line.
 */
export function createLineParser(
  resume: ParserResume | undefined,
  onLine: (text: string) => LineVerdict,
  state?: () => string,
): DriverParser {
  const bad = createBadLines();
  const reader = createLineReader(
    resume?.offset ?? 0,
    (text) => {
      if (onLine(text) === 'bad') bad.add(text);
    },
    () => bad.add('(a line longer than 64 KiB)'),
  );
  return {
    push: (chunk) => reader.push(chunk),
    end: () => reader.end(),
    resume: () => ({ offset: reader.offset, ...(state ? { state: state() } : {}) }),
    get badLines() {
      return bad.count;
    },
    get badExamples() {
      return bad.examples;
    },
  };
}
