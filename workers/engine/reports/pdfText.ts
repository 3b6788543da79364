/** What the font of the PDF does not have, by what says the same. */
const stand: Readonly<Record<string, string>> = {
  '→': '->',
  '←': '<-',
  '▲': '+',
  '▼': '-',
  '✓': 'yes',
  '✗': 'no',
  '\u202f': '\u00a0',
};

/**
 * Text a PDF can show: control characters and those that turn the direction of reading are left
 * out, names that are longer than a column could be may break, glyphs the font lacks are replaced
 * by what says the same.
 */
export const printable = (text: string): string =>
  text
    .replace(
      /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g,
      ' ',
    )
    .replace(/[→←▲▼✓✗\u202f]/g, (c) => stand[c] ?? c)
    .replace(/\S{28}(?=\S)/g, '$&\u200b');
