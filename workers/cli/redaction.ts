import type { Command } from 'commander';

import { fail } from '../../src/core/base/errors.ts';
import type { RedactionPreview } from '../../src/wire/contract/leaving.ts';
import type { Terminal } from './output.ts';

/** Options of a command whose file can leave without names. */
export interface Redacting {
  redact?: boolean;
  confirm?: boolean;
  keep?: string[];
}
const collected = (word: string, before: string[]): string[] => [...before, word];
export const redacting = (command: Command): Command =>
  command
    .option('--redact', 'names and addresses by pseudonyms')
    .option('--confirm', 'with --redact: the words that it prints were looked at')
    .option('--keep <word>', 'with --redact: a word that names nobody and stays', collected, []);

/** What a person decided about the doubts of a redaction. */
export interface Decided {
  keep: string[];
  confirmed: string[];
}
export const nothingDecided: Decided = { keep: [], confirmed: [] };

/**
 * Prints the words that may name somebody with what they leave as, on stderr. Throws invalidInput
 * where there are some and they were not confirmed on the command line: nothing is written then.
 */
export function decide(
  { doubts, replacements }: RedactionPreview,
  { confirm = false, keep = [] }: { confirm?: boolean; keep?: string[] },
  terminal: Terminal,
): Decided {
  terminal.err(`${replacements.length} names and addresses are replaced.`);
  if (doubts.length === 0) return { keep, confirmed: [] };
  terminal.err('Words that may name somebody, and what they leave as:');
  for (const { text, to, count, why } of doubts)
    terminal.err(
      `  ${JSON.stringify(text)}  ${why === 'unknown' ? to : 'stays: a plain word'}  (${count})`,
    );
  if (!confirm)
    throw fail(
      'invalidInput',
      `${doubts.length} ${doubts.length === 1 ? 'word' : 'words'} must be looked at before ` +
        'this leaves; nothing was written.',
      'Give --confirm to let them leave as printed, --keep WORD to leave one as it is.',
    );
  return { keep, confirmed: doubts.map((one) => one.text) };
}
