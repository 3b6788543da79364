import { type AppError, fail } from '../../../src/core/base/errors.ts';
import type { Feed } from '../deps/updates.ts';

/** Whether `offered` is newer than `installed`, both like `1.2.3`. An older one is never offered. */
export function isNewer(offered: string, installed: string): boolean {
  const [a, b] = [offered, installed].map((one) => one.split('.').map(Number)) as [
    number[],
    number[],
  ];
  const at = a.findIndex((part, i) => part !== b[i]);
  return at >= 0 && a[at]! > b[at]!;
}

/**
 * Holds a file, by name, length and SHA-256 in hex, against a feed. Throws where the feed does not
 * name it, or it is another one by length or content.
 */
export function holdNamed(feed: Feed, file: Feed['files'][number]): void {
  const named = feed.files.find(({ name }) => name === file.name);
  if (named === undefined)
    throw refused(
      `${file.name} is not in the feed of version ${feed.version}.`,
      `It names: ${feed.files.map(({ name }) => name).join(', ')}.`,
    );
  if (file.bytes !== named.bytes || file.sha256 !== named.sha256)
    throw refused(
      `${file.name} is not the file that was published.`,
      'Do not install it. Carry it here again; it was changed or cut off on its way.',
    );
}

const refused = (what: string, hint: string): AppError => fail('invalidInput', what, hint);
