/** A word for which FTS5 has a token at all: others would match nothing. */
const hasToken = /[\p{L}\p{N}]/u;
const longest = 300;

/**
 * What a person typed, as FTS5 phrases that are well-formed whatever it holds: words are looked for
 * as beginnings of words, text in "double quotes" as it stands. Empty = there is no word in it.
 */
export function phrasesOf(text: string): string[] {
  const plain = text.slice(0, longest).replaceAll('\u0000', ' ');
  const phrases: string[] = [];
  for (const [, quoted, word] of plain.matchAll(/"([^"]*)"|([^\s"]+)/gu)) {
    if (quoted !== undefined && hasToken.test(quoted)) phrases.push(`"${quoted}"`);
    if (word !== undefined && hasToken.test(word)) phrases.push(`"${word}"*`);
  }
  return phrases;
}

/** All of them must be found, in whatever field; null = there is none. */
export const matchQuery = (phrases: readonly string[]): string | null =>
  phrases.length === 0 ? null : phrases.join(' AND ');
