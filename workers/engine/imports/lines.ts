import { fail } from '../../../src/core/base/errors.ts';
import type { ImportParser } from './types.ts';

/** No line of a log is longer; a file that is all one line must not fill memory. */
const longestLine = 1024 ** 2;

/**
 * A parser of text lines, from pieces cut anywhere. `onLine` gets each without its end; `isWhole` is
 * false where the file ends within it.
 */
export function lineImport(
  fileName: string,
  onLine: (line: string, number: number, isWhole: boolean) => void,
  onEnd: () => void,
): ImportParser {
  const decoder = new TextDecoder('utf-8');
  let rest = '';
  let count = 0;
  const take = (text: string): void => {
    const lines = (rest + text).split(/\r?\n/);
    rest = lines.pop() ?? '';
    if (rest.length > longestLine)
      throw fail(
        'invalidInput',
        `${fileName}: line ${count + lines.length + 1} is longer than ${longestLine} characters.`,
        'Choose a text log of one of the formats in docs/formats.md.',
      );
    for (const line of lines) onLine(line, ++count, true);
  };
  return {
    push: (bytes) => take(decoder.decode(bytes, { stream: true })),
    end: () => {
      take(decoder.decode());
      if (rest !== '') onLine(rest, ++count, false);
      onEnd();
    },
  };
}
