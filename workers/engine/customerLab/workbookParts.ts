import { SaxesParser, type SaxesTagPlain } from 'saxes';
import type { Entry, ZipFile } from 'yauzl';

import { printableLine } from '../../../src/core/base/bounds.ts';
import { type AppError, fail } from '../../../src/core/base/errors.ts';
import { tableLimits } from '../../../src/core/customerLab/table.ts';

/** The parts of a workbook: its directory, and XML parts gone through within bounds. */

/** A part of a workbook, by its name. */
type Parts = ReadonlyMap<string, Entry>;
export interface Workbook {
  file: string;
  zip: ZipFile;
  parts: Parts;
  /** Bytes that may still be unpacked. */
  budget: { bytes: number };
}

/** A file that is not taken, in words that print whatever names it holds. */
export const refuse = (message: string, hint = 'Export the tables again.'): AppError =>
  fail('invalidInput', printableLine(message).slice(0, 600), hint);
/** What a library threw, to stand inside a sentence. */
export const wordsOf = (thrown: unknown): string =>
  (thrown instanceof Error ? thrown.message : String(thrown)).split('\n')[0]!.slice(0, 200);

/** The directory: names, sizes, their ratio and places. Nothing is unpacked. */
export async function readParts(zip: ZipFile, file: string): Promise<Parts> {
  if (zip.entryCount > tableLimits.parts)
    throw refuse(
      `${file} has ${zip.entryCount} parts, more than the ${tableLimits.parts} of a workbook.`,
    );
  const parts = new Map<string, Entry>();
  for await (const entry of zip.eachEntry()) {
    const { fileName: name, uncompressedSize: size, compressedSize: packed } = entry;
    if (name.endsWith('/')) continue;
    if (parts.has(name)) throw refuse(`${file} has ${name} twice.`);
    if (entry.isEncrypted()) throw refuse(`${file} is encrypted.`, 'Save it without a password.');
    if (size > tableLimits.partBytes)
      throw refuse(
        `${name} of ${file} is ${size} bytes, more than the ${tableLimits.partBytes} it may have.`,
      );
    if (size > 1024 ** 2 && size > packed * tableLimits.ratio)
      throw refuse(
        `${name} of ${file} unpacks to ${size} bytes from ${packed}: no honest file does.`,
      );
    parts.set(name, entry);
  }
  let end = 0;
  for (const entry of [...parts.values()].toSorted(
    (a, b) => a.relativeOffsetOfLocalHeader - b.relativeOffsetOfLocalHeader,
  )) {
    if (entry.relativeOffsetOfLocalHeader < end)
      throw refuse(`${entry.fileName} of ${file} shares its bytes with another part.`);
    end = entry.relativeOffsetOfLocalHeader + entry.compressedSize;
  }
  return parts;
}

/** Name without the prefix of its namespace. */
const local = (name: string): string => name.slice(name.indexOf(':') + 1);
/** An attribute of an element, whatever prefix it was given. */
export const attribute = (tag: SaxesTagPlain, name: string): string | undefined =>
  tag.attributes[name] ??
  Object.entries(tag.attributes).find(([key]) => key.includes(':') && local(key) === name)?.[1];

export interface XmlEvents {
  /** Elements by their names without prefix. */
  open?: (name: string, tag: SaxesTagPlain) => void;
  close?: (name: string) => void;
  text?: (text: string) => void;
}

/** Deepest nesting of a part that is honest. */
const deepest = 32;

/**
 * Goes through an XML part. Document types are refused: no spreadsheet writes one, and entities
 * could be declared there. Throws invalidInput with the part's name.
 */
export async function readXml(book: Workbook, part: string, events: XmlEvents): Promise<void> {
  const entry = book.parts.get(part);
  if (entry === undefined) throw refuse(`${book.file} has no ${part}: it is no XLSX workbook.`);
  book.budget.bytes -= entry.uncompressedSize;
  if (book.budget.bytes < 0)
    throw refuse(
      `${book.file} unpacks to more than ${tableLimits.allBytes} bytes.`,
      'Export the cluster alone.',
    );
  const parser = new SaxesParser({ xmlns: false, position: false });
  let depth = 0;
  let fault: unknown = null;
  parser.on('error', (error) => {
    fault ??= refuse(`${part} of ${book.file} is damaged: ${wordsOf(error)}.`);
  });
  parser.on('doctype', () => {
    fault ??= refuse(`${part} of ${book.file} declares a document type: no spreadsheet does.`);
  });
  parser.on('opentag', (tag) => {
    depth += 1;
    if (depth > deepest)
      fault ??= refuse(`${part} of ${book.file} nests deeper than ${deepest} levels.`);
    events.open?.(local(tag.name), tag);
  });
  parser.on('closetag', (tag) => {
    depth -= 1;
    events.close?.(local(tag.name));
  });
  parser.on('text', (text) => events.text?.(text));
  parser.on('cdata', (text) => events.text?.(text));
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const stream = (await book.zip.openReadStreamPromise(entry)) as AsyncIterable<Uint8Array>;
  for await (const piece of stream) {
    parser.write(decoder.decode(piece, { stream: true }));
    if (fault !== null) throw fault as Error;
  }
  parser.write(decoder.decode());
  parser.close();
  if (fault !== null) throw fault as Error;
}
