import { fail } from '../base/errors.ts';
import { decodeText } from '../base/textFile.ts';
import { cellPlace, createTableBuilder, type Table, tableLimits } from './table.ts';

type Separator = NonNullable<Table['separator']>;

/**
 * A CSV file as a table (RFC 4180, with comma, semicolon or tab between cells: whichever the first
 * line has most of outside quotes). Throws invalidInput for what is no UTF-8 text, a quote that is
 * never closed, and more than `tableLimits` allow. Nothing in a cell is evaluated.
 */
export function readCsv(file: string, bytes: Uint8Array): Table {
  const text = decodeText(file, bytes);
  const separator = separatorOf(text);
  const head = { file, sheet: null, separator };
  const builder = createTableBuilder(head, { cells: tableLimits.cells });
  let cells: string[] = [];
  let number = 1;
  const endRow = (): void => {
    builder.add({ number, cells });
    cells = [];
    number += 1;
  };
  let at = 0;
  while (at < text.length) {
    const cell = readCell(text, at, separator);
    if (cell === null)
      throw fail(
        'invalidInput',
        `${cellPlace(head, number, cells.length)}: a quote is opened and never closed.`,
        'Export the table again, or close the quote.',
      );
    if (cells.length <= tableLimits.columns) cells.push(cell.text);
    at = cell.end;
    if (text[at] === separator) {
      at += 1;
      if (at === text.length) cells.push('');
      continue;
    }
    if (text.startsWith('\r\n', at)) at += 2;
    else if (at < text.length) at += 1;
    endRow();
  }
  if (cells.length > 0) endRow();
  return builder.table();
}

/** One cell from `at`, up to what ends it; null = its quote is never closed. */
function readCell(
  text: string,
  at: number,
  separator: Separator,
): { text: string; end: number } | null {
  if (text[at] !== '"') return readPlain(text, at, separator);
  let inside = '';
  let from = at + 1;
  for (;;) {
    const close = text.indexOf('"', from);
    if (close < 0) return null;
    inside += text.slice(from, close);
    if (text[close + 1] !== '"') {
      // What stands between a closing quote and the end of the cell belongs to it.
      const rest = readPlain(text, close + 1, separator);
      return { text: inside + rest.text, end: rest.end };
    }
    inside += '"';
    from = close + 2;
  }
}

function readPlain(text: string, at: number, separator: Separator): { text: string; end: number } {
  let end = at;
  while (end < text.length && text[end] !== separator && text[end] !== '\n' && text[end] !== '\r')
    end += 1;
  return { text: text.slice(at, end), end };
}

/** Of equally many, the comma before the semicolon before the tab. */
function separatorOf(text: string): Separator {
  const counts = new Map<string, number>();
  let quoted = false;
  for (const one of text) {
    if (one === '"') quoted = !quoted;
    else if (!quoted && (one === '\n' || one === '\r')) break;
    else if (!quoted) counts.set(one, (counts.get(one) ?? 0) + 1);
  }
  const separators: readonly Separator[] = [',', ';', '\t'];
  return [...separators].sort((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0))[0]!;
}
