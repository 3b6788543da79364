import { fail } from '../../../src/core/base/errors.ts';

/**
 * One word for a POSIX shell: the text in single quotes. Throws invalidInput on a NUL byte, which
 * no argument can hold.
 */
export function shellQuote(text: string): string {
  if (text.includes('\0'))
    throw fail(
      'invalidInput',
      'A shell argument holds a NUL byte.',
      'Remove the NUL byte from the command.',
    );
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Names of remote directories: no separators, no leading dot or dash. */
const safeName = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$/;

/**
 * The id as it may stand in a remote path. Throws invalidInput where it could leave its directory.
 */
export function remoteName(what: string, id: string): string {
  if (!safeName.test(id))
    throw fail(
      'invalidInput',
      `The ${what} id "${id.slice(0, 40)}" cannot name a remote directory.`,
      'Use letters, digits, dots, dashes and underscores only.',
    );
  return id;
}
