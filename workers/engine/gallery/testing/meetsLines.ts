import type { ExpectationLine } from '../../../../src/core/study/study.ts';
import { knownMisses } from '../libraryParts.ts';

/** A test for each line of a study: inside its tolerance, or known to be missed. */
export function meetsLines(lines: readonly ExpectationLine[]): void {
  test.each(lines.map((line) => [line.label, line] as const))('%s', (_label, line) => {
    if (!(line.id in knownMisses)) expect(line).toMatchObject({ inside: true });
    else if (!line.inside) expect(line.knownMiss).toBe(knownMisses[line.id]);
  });
}
