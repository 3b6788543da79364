import type { FileHandle } from 'node:fs/promises';
import { open } from 'node:fs/promises';

import { fail } from '../../../../src/core/base/errors.ts';

/** A plain file in a tar archive, and where its bytes are. */
export interface TarEntry {
  name: string;
  bytes: number;
  offset: number;
}

const block = 512;
const padded = (bytes: number): number => Math.ceil(bytes / block) * block;
const longestName = 100;

/**
 * The entries of a tar archive in the oldest form that every tar program reads alike: plain files
 * with short names. Throws invalidInput, with the name of the entry, for links, folders, long names
 * and every other extension: what is read here is then what is unpacked there.
 */
export async function readTarEntries(file: FileHandle, mostEntries: number): Promise<TarEntry[]> {
  const { size } = await file.stat();
  const entries: TarEntry[] = [];
  const head = Buffer.alloc(block);
  for (let at = 0; ;) {
    const { bytesRead } = await file.read(head, 0, block, at);
    if (bytesRead < block) throw cutShort();
    if (head.every((byte) => byte === 0)) return entries;
    const entry = entryOf(head, at + block);
    if (entries.length >= mostEntries)
      throw fail('invalidInput', `The archive has more than ${mostEntries} files.`);
    if (entry.offset + padded(entry.bytes) > size) throw cutShort();
    entries.push(entry);
    at = entry.offset + padded(entry.bytes);
  }
}

const cutShort = () =>
  fail('invalidInput', 'The archive is cut short.', 'Copy or make it once more.');

function entryOf(head: Buffer, offset: number): TarEntry {
  const text = (from: number, bytes: number): string =>
    head.toString('latin1', from, from + bytes).replace(/\0.*$/s, '');
  const name = text(0, longestName);
  const said = JSON.stringify(name.slice(0, longestName));
  if (checksum(head) !== Number.parseInt(text(148, 8), 8))
    throw fail('invalidInput', 'The file is no bundle, or is damaged.', 'Copy it once more.');
  const type = text(156, 1);
  if (type !== '0')
    throw fail('invalidInput', `Entry ${said} of the archive is no plain file (type ${type}).`);
  const octal = /^([0-7]{1,11})[ \0]*$/.exec(text(124, 12))?.[1];
  if (octal === undefined || text(345, 155) !== '')
    throw fail('invalidInput', `Entry ${said} of the archive has no plain name and size.`);
  return { name, bytes: Number.parseInt(octal, 8), offset };
}

/** Sum of all bytes of the head, with blanks in place of itself. */
const checksum = (head: Buffer): number =>
  head.reduce((sum, byte, i) => sum + (i >= 148 && i < 156 ? 0x20 : byte), 0);

/** What is put into an archive: a text, or a file of this computer. */
export type TarSource = { name: string } & ({ text: string } | { path: string; bytes: number });

/** Writes a tar archive that `readTarEntries` reads; the file must not be there. */
export async function writeTar(path: string, sources: readonly TarSource[]): Promise<void> {
  const out = await open(path, 'wx', 0o644);
  try {
    for (const source of sources) {
      if ('text' in source) {
        const bytes = Buffer.from(source.text);
        await out.appendFile(headOf(source.name, bytes.length));
        await out.appendFile(bytes);
        await out.appendFile(Buffer.alloc(padded(bytes.length) - bytes.length));
        continue;
      }
      await out.appendFile(headOf(source.name, source.bytes));
      await appendFile(out, source);
    }
    await out.appendFile(Buffer.alloc(2 * block));
    await out.sync();
  } finally {
    await out.close();
  }
}

async function appendFile(
  out: FileHandle,
  { name, path, bytes }: { name: string; path: string; bytes: number },
): Promise<void> {
  const from = await open(path, 'r');
  try {
    let written = 0;
    for await (const chunk of from.createReadStream({
      autoClose: false,
    }) as AsyncIterable<Buffer>) {
      written += chunk.length;
      await out.appendFile(chunk);
    }
    if (written !== bytes) throw fail('internal', `${name} changed while it was bundled.`);
    await out.appendFile(Buffer.alloc(padded(bytes) - bytes));
  } finally {
    await from.close();
  }
}

function headOf(name: string, bytes: number): Buffer {
  if (name.length > longestName) throw fail('internal', `${name} is too long for an archive.`);
  const head = Buffer.alloc(block);
  const octal = (value: number, digits: number): string =>
    `${value.toString(8).padStart(digits, '0')}\0`;
  head.write(name, 0, 'latin1');
  head.write(octal(0o644, 7), 100);
  head.write(octal(0, 7), 108);
  head.write(octal(0, 7), 116);
  head.write(octal(bytes, 11), 124);
  head.write(octal(0, 11), 136);
  head.write('0', 156);
  head.write('ustar\x0000', 257, 'latin1');
  head.write(`${checksum(head).toString(8).padStart(6, '0')}\0 `, 148);
  return head;
}
