import { fail } from './errors.ts';

/** A text file of ours is never larger. */
export const textFileBytes = 64 * 1024 ** 2;

const encodings: readonly { name: string; bom: readonly number[] }[] = [
  { name: 'UTF-32', bom: [0xff, 0xfe, 0x00, 0x00] },
  { name: 'UTF-16', bom: [0xff, 0xfe] },
  { name: 'UTF-16', bom: [0xfe, 0xff] },
];

/**
 * The text of a file's bytes: UTF-8, with or without a byte order mark. Throws invalidInput for
 * anything else, with the encoding by its name where it shows, and the place of the first byte that
 * is no UTF-8.
 */
export function decodeText(name: string, bytes: Uint8Array): string {
  const found =
    encodings.find(({ bom }) => bom.every((byte, i) => bytes[i] === byte))?.name ??
    // Two bytes a character, without a mark: every other byte of what begins with plain letters is
    // zero.
    (bytes.length >= 4 &&
    (bytes[0] === 0) !== (bytes[1] === 0) &&
    (bytes[2] === 0) === (bytes[0] === 0)
      ? 'UTF-16'
      : null);
  if (found !== null)
    throw fail(
      'invalidInput',
      `${name} is ${found} text; UTF-8 is read.`,
      'Save it as UTF-8: in the editor under "Save with encoding", or iconv -f UTF-16 -t UTF-8.',
    );
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw fail(
      'invalidInput',
      `${name}:${placeOfFault(bytes)}: this is no UTF-8 text.`,
      'Save it as UTF-8, or choose another file: this one may be a picture, an archive or a program.',
    );
  }
}

/** `line:column` of the first byte that is no UTF-8: what comes before decodes, and it does not. */
function placeOfFault(bytes: Uint8Array): string {
  const reads = (end: number): boolean => {
    try {
      new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, end), { stream: true });
      return true;
    } catch {
      return false;
    }
  };
  let [good, bad] = [0, bytes.length];
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (reads(middle)) good = middle;
    else bad = middle;
  }
  const lines = new TextDecoder().decode(bytes.subarray(0, good), { stream: true }).split('\n');
  return `${lines.length}:${lines.at(-1)!.length + 1}`;
}
