import type { ImportSink, LeftOutPart } from './types.ts';

/** The same words in every import that left something out: a damaged file never looks whole. */
export const leftOutWords = (count: number, what: LeftOutPart, fileName: string): string =>
  `${count} ${count === 1 ? what : `${what}s`} of ${fileName} ${count === 1 ? 'is' : 'are'} ` +
  'missing, damaged or there twice, and left out.';

/**
 * Lines that are missing before one, by the steps of a tool that prints at even times: more than
 * one and a half of the shortest so far.
 */
export function createSteps(): (stepS: number) => number {
  let shortestS = Infinity;
  return (stepS) => {
    shortestS = Math.min(shortestS, stepS);
    return stepS > 1.5 * shortestS ? Math.max(1, Math.round(stepS / shortestS) - 1) : 0;
  };
}

/** Of a log that counts its seconds: whether this very line stood there before at its time. */
export function createRepeats(): (atS: number, line: string) => boolean {
  const lines = new Map<number, string>();
  return (atS, line) => {
    const before = lines.get(atS);
    if (before === undefined) lines.set(atS, line);
    return before === line;
  };
}

/**
 * Lets no sample through that is no later than the one before of its series: no chart or mean can
 * be made of such.
 */
export function inOrder(sink: ImportSink): ImportSink & { end(): void } {
  const last = new Map<number, number>();
  let late = 0;
  return {
    ...sink,
    add(id, tMs, value) {
      if (tMs <= (last.get(id) ?? -Infinity)) {
        late += 1;
        return;
      }
      last.set(id, tMs);
      sink.add(id, tMs, value);
    },
    end() {
      if (late > 0) sink.leaveOut(late, 'sample');
    },
  };
}
