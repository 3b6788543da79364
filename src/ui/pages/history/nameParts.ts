/** Names up to this length are never cut in a column of its first width. */
const wholeLength = 26;
/** The end that stays is a whole word or two, as short as that. */
const endLength = 14;

/**
 * A long name as its beginning, which may be cut to the place there is, and its end, which tells it
 * from its neighbours and is always shown. A short name has no end of its own.
 */
export function nameParts(name: string): [start: string, end: string] {
  if (name.length <= wholeLength) return [name, ''];
  const word = name.indexOf(' ', name.length - endLength - 1);
  const cut = word < 0 || word >= name.length - 1 ? name.length - endLength : word;
  return [name.slice(0, cut), name.slice(cut)];
}
