import { fromBufferPromise } from 'yauzl';

import { AppError } from '../../../src/core/base/errors.ts';
import { kindByName } from '../../../src/core/customerLab/columns.ts';
import { type Table, tableLimits } from '../../../src/core/customerLab/table.ts';
import { readSheet } from './sheet.ts';
import { attribute, readParts, readXml, refuse, wordsOf, type Workbook } from './workbookParts.ts';

/**
 * The sheets of an XLSX file as tables: those with names of RVTools alone where it has any. Cells are
 * text as they stand in the file, formulas are not computed. Throws invalidInput for what is no
 * workbook, is damaged, unpacks to more than it should, or exceeds `tableLimits`.
 */
export async function readWorkbook(file: string, bytes: Uint8Array): Promise<Table[]> {
  const zip = await fromBufferPromise(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), {
    lazyEntries: true,
    strictFileNames: true,
  }).catch((thrown: unknown) => {
    throw refuse(`${file} is no XLSX file, or its end is missing: ${wordsOf(thrown)}.`);
  });
  try {
    const book: Workbook = {
      file,
      zip,
      parts: await readParts(zip, file),
      budget: { bytes: tableLimits.allBytes },
    };
    const sheets = await sheetsOf(book);
    const known = sheets.filter(({ name }) => kindByName({ file, sheet: name }) !== null);
    const strings = await sharedStrings(book);
    const budget = { cells: tableLimits.cells };
    const tables: Table[] = [];
    for (const { name, part } of known.length > 0 ? known : sheets)
      tables.push(await readSheet(book, { name, part, strings, budget }));
    return tables;
  } catch (thrown) {
    throw thrown instanceof AppError ? thrown : refuse(`${file} is damaged: ${wordsOf(thrown)}.`);
  } finally {
    zip.close();
  }
}

/** Names of the sheets and the parts they stand in, in the order of the workbook. */
async function sheetsOf(book: Workbook): Promise<{ name: string; part: string }[]> {
  const targets = new Map<string, string>();
  await readXml(book, 'xl/_rels/workbook.xml.rels', {
    open(name, tag) {
      const id = tag.attributes['Id'];
      const target = tag.attributes['Target'];
      if (name !== 'Relationship' || id === undefined || target === undefined) return;
      if (tag.attributes['TargetMode'] === 'External') return;
      targets.set(id, target.startsWith('/') ? target.slice(1) : `xl/${target}`);
    },
  });
  const sheets: { name: string; part: string }[] = [];
  await readXml(book, 'xl/workbook.xml', {
    open(element, tag) {
      if (element !== 'sheet') return;
      const part = targets.get(attribute(tag, 'id') ?? '');
      if (part?.startsWith('xl/worksheets/') !== true) return;
      sheets.push({ name: (tag.attributes['name'] ?? '').slice(0, 100), part });
    },
  });
  if (sheets.length === 0) throw refuse(`${book.file} has no sheet with cells.`);
  if (sheets.length > tableLimits.sheets)
    throw refuse(
      `${book.file} has ${sheets.length} sheets, more than the ${tableLimits.sheets} that are read.`,
    );
  return sheets;
}

/** Texts that cells point at; most of a workbook's words stand there once. */
async function sharedStrings(book: Workbook): Promise<readonly string[]> {
  const strings: string[] = [];
  if (!book.parts.has('xl/sharedStrings.xml')) return strings;
  let current = '';
  let inText = false;
  /** Inside what is read aloud for a word, which is not the word. */
  let aloud = false;
  await readXml(book, 'xl/sharedStrings.xml', {
    open(name) {
      if (name === 'si') current = '';
      if (name === 'rPh') aloud = true;
      inText = name === 't' && !aloud;
    },
    text(text) {
      if (inText && current.length <= tableLimits.cell) current += text;
    },
    close(name) {
      if (name === 't') inText = false;
      if (name === 'rPh') aloud = false;
      if (name !== 'si') return;
      strings.push(current);
      if (strings.length > tableLimits.cells)
        throw refuse(`${book.file} has more than ${tableLimits.cells} texts.`);
    },
  });
  return strings;
}
