import { execFileSync } from 'node:child_process';

import * as fc from 'fast-check';

import { AppError } from '../../../src/core/base/errors.ts';
import { remoteName, shellQuote } from './quote.ts';

describe('shell quoting', () => {
  test('any text comes through a real /bin/sh unchanged, in quotes of quotes as well', () => {
    const text = fc
      .oneof(
        fc.string({ unit: 'binary', maxLength: 60 }),
        fc.string({
          unit: fc.constantFrom(
            "'",
            '"',
            '\\',
            '$',
            '`',
            '!',
            '\n',
            '\t',
            ' ',
            '*',
            '~',
            '#',
            ';',
            '&',
            '-',
            'é',
            '\u{1f600}',
          ),
          maxLength: 30,
        }),
      )
      .map((s) => s.replaceAll('\0', ''));
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 20 }), (words) => {
        const command = `for w in ${words.map(shellQuote).join(' ')}; do printf '%s\\036' "$w"; done`;
        const out = execFileSync('/bin/sh', ['-c', `exec /bin/sh -c ${shellQuote(command)}`], {
          encoding: 'utf8',
        });
        expect(out).toBe(words.map((w) => `${w}\u001e`).join(''));
      }),
      { numRuns: 60 },
    );
  });

  test('a NUL byte is refused', () => expect(() => shellQuote('a\0b')).toThrow(AppError));

  test.each(['..', '.', '', 'a/b', '-rf', 'a b', 'a\n', '$(x)', 'x'.repeat(129)])(
    '%j names no remote directory',
    (id) => {
      expect(() => remoteName('run', id)).toThrow(AppError);
    },
  );
  test('plain ids do', () => expect(remoteName('run', 'run_1-a.B')).toBe('run_1-a.B'));
});
