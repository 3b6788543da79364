import type { CopiedCell, CopiedColumn, CopiedTable } from './tableText.ts';

/** A number as this app shows it: groups of three apart, a real minus. */
const shownNumber = /^[−-]?(?:\d+|\d{1,3}(?:[\s\u00a0\u2009\u202f,]\d{3})+)(?:\.\d+)?$/;
const blocks = new Set([
  'DIV',
  'P',
  'LI',
  'UL',
  'OL',
  'BR',
  'TABLE',
  'SECTION',
  'H1',
  'H2',
  'H3',
  'H4',
]);
/** Buttons and pictures say what can be done, not what is. */
const skipped =
  'svg, [aria-hidden="true"], .mantine-Button-root, .mantine-ActionIcon-root, [role="menu"], ' +
  '[role="listbox"], [role="option"]';

function textOf(node: Node): string {
  if (node.nodeType === Node.TEXT_NODE) return node.textContent ?? '';
  if (!(node instanceof HTMLElement) || node.matches(skipped)) return '';
  const { raw, unit } = node.dataset;
  if (raw !== undefined) return `${raw}${raw === '' || !unit ? '' : ` ${unit}`}`;
  if (node instanceof HTMLInputElement)
    return node.type === 'checkbox' || node.type === 'radio'
      ? node.checked
        ? 'yes'
        : 'no'
      : node.type === 'hidden'
        ? ''
        : node.value;
  if (node instanceof HTMLSelectElement) return node.selectedOptions[0]?.text ?? '';
  if (node instanceof HTMLTextAreaElement) return node.value;
  const inner = [...node.childNodes].map(textOf).join('');
  return blocks.has(node.tagName) ? ` ${inner} ` : inner;
}

interface Read {
  value: CopiedCell;
  unit: string | null;
}
/**
 * What a cell says: its one figure as a number apart from the unit, or its text, with figures in it
 * as they are and not as they are shown.
 */
function readCell(cell: HTMLElement): Read {
  const figures = cell.matches('[data-raw]')
    ? [cell]
    : [...cell.querySelectorAll<HTMLElement>('[data-raw]')];
  const text = textOf(cell).replace(/\s+/g, ' ').trim();
  const [figure] = figures;
  if (figure !== undefined && figures.length === 1 && text === textOf(figure)) {
    const raw = figure.dataset['raw'] ?? '';
    return { value: raw === '' ? null : Number(raw), unit: figure.dataset['unit'] ?? null };
  }
  if (text === '–' || text === '') return { value: text === '' ? '' : null, unit: null };
  return {
    value: shownNumber.test(text)
      ? text.replace(/[\s\u00a0\u2009\u202f,]/g, '').replace('−', '-')
      : text,
    unit: null,
  };
}

/** Cells of a row, those that span columns followed by empty ones. */
const cellsOf = (row: HTMLTableRowElement): (HTMLElement | null)[] =>
  [...row.cells].flatMap((cell) => [cell, ...Array<null>(cell.colSpan - 1).fill(null)]);

/**
 * Reads a table of the page as data. Heads of several rows are joined; the unit of a column's
 * figures goes into its head, or, where they differ, into a column of its own.
 */
export function readTable(
  table: HTMLTableElement,
  title: string,
  mark: string | null,
): CopiedTable {
  const heads = [...(table.tHead?.rows ?? [])].map(cellsOf);
  const body = [...table.tBodies]
    .flatMap((part) => [...part.rows])
    .concat([...(table.tFoot?.rows ?? [])]);
  const read = body.map((row) =>
    cellsOf(row).map((cell) => (cell === null ? { value: '', unit: null } : readCell(cell))),
  );
  const width = Math.max(0, ...read.map((row) => row.length), ...heads.map((row) => row.length));
  const columns: CopiedColumn[] = [];
  const parts: ((row: Read[]) => CopiedCell)[] = [];
  for (let at = 0; at < width; at += 1) {
    const label = heads
      .map((row) => {
        const cell = row[at];
        return cell ? textOf(cell).replace(/\s+/g, ' ').trim() : '';
      })
      .filter((text) => text !== '')
      .join(' ');
    const units = [...new Set(read.flatMap((row) => row[at]?.unit || []))];
    const [unit] = units;
    columns.push(units.length === 1 && unit !== undefined ? { label, unit } : { label });
    parts.push((row) => row[at]?.value ?? null);
    if (units.length > 1) {
      columns.push({ label: `${label} unit`.trim() });
      parts.push((row) => row[at]?.unit ?? '');
    }
  }
  return { title, mark, columns, rows: read.map((row) => parts.map((part) => part(row))) };
}
