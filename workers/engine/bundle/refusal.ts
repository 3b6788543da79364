import { printableLine } from '../../../src/core/base/bounds.ts';
import { type AppError, fail } from '../../../src/core/base/errors.ts';

/** Characters of a refusal: what a stranger's file says in it must not fill a screen. */
const longest = 600;

/** A bundle that is not taken in, in words that print whatever names the file holds. */
export const refuse = (
  message: string,
  hint = 'Ask for the bundle again, from whoever made it.',
): AppError => fail('invalidInput', printableLine(message).slice(0, longest), hint);

/** What a library threw, to stand inside a sentence. */
export const wordsOf = (thrown: unknown): string =>
  (thrown instanceof Error ? thrown.message : String(thrown)).replace(/\.$/, '');
