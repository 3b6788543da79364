import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';

import { type AppError, fail, toAppError } from '../../../../src/core/base/errors.ts';
import {
  type BundleHead,
  bundleHead,
  bundleHeadName,
  bundleIndexName,
  type BundlePackage,
  type GuestBundle,
  mostBundlePackages,
  readBundleIndex,
} from '../../../../src/core/roles/bundle.ts';
import { roleOf } from '../../../../src/core/roles/roles.ts';
import { readTarEntries, type TarEntry } from './tar.ts';

const mostHeadBytes = 65_536;
const mostIndexBytes = 16 * 2 ** 20;

/**
 * What a bundle holds, once all of it was held against its own list: nothing more than the packages
 * named there, each with its digest, for one release and architecture, and all that its roles ask
 * for. Throws invalidInput with what does not fit.
 */
export async function readBundle(file: FileHandle): Promise<GuestBundle> {
  try {
    const { head, packages, entries } = await readLists(file);
    holdTogether(head, packages, entries);
    const byName = new Map(packages.map((one) => [one.file, one]));
    for (const entry of entries.slice(2)) {
      const { name, sha256 } = byName.get(entry.name)!;
      if ((await digestOf(file, entry.offset, entry.bytes)) !== sha256)
        throw fail(
          'invalidInput',
          `Package ${name} is not the one of the list: its SHA-256 differs.`,
        );
    }
    const { size } = await file.stat();
    return {
      sha256: await digestOf(file, 0, size),
      bytes: size,
      release: head.release,
      architecture: head.architecture,
      roles: head.roles,
      packages: packages.length,
      madeAtMs: head.madeAtMs,
    };
  } catch (thrown) {
    throw withHint(toAppError(thrown));
  }
}

const withHint = (error: AppError): AppError =>
  error.kind === 'invalidInput' && !error.hint
    ? fail('invalidInput', error.message, 'Make the bundle again: tilebench guests bundle.')
    : error;

async function readLists(
  file: FileHandle,
): Promise<{ head: BundleHead; packages: BundlePackage[]; entries: TarEntry[] }> {
  const entries = await readTarEntries(file, mostBundlePackages + 2);
  const [first, second] = entries;
  if (first?.name !== bundleHeadName || second?.name !== bundleIndexName)
    throw fail('invalidInput', 'The file is no bundle of packages for guests.');
  const parsed = bundleHead.safeParse(asJson(await textOf(file, first, mostHeadBytes)));
  if (!parsed.success)
    throw fail(
      'invalidInput',
      `${bundleHeadName} of the bundle does not say what it is for, or is of another version.`,
    );
  return {
    head: parsed.data,
    packages: readBundleIndex(await textOf(file, second, mostIndexBytes)),
    entries,
  };
}

function holdTogether(
  { architecture, roles }: BundleHead,
  packages: readonly BundlePackage[],
  entries: readonly TarEntry[],
): void {
  const files = new Map(entries.slice(2).map((entry) => [entry.name, entry]));
  const listed = new Set(packages.map(({ file }) => file));
  const stranger = entries.slice(2).find(({ name }) => !listed.has(name));
  if (stranger)
    throw fail(
      'invalidInput',
      `${JSON.stringify(stranger.name)} is not in the list of the bundle.`,
    );
  if (files.size !== entries.length - 2)
    throw fail('invalidInput', 'A package stands twice in the bundle.');
  for (const one of packages) {
    const entry = files.get(one.file);
    if (!entry) throw fail('invalidInput', `Package ${one.name} is missing in the bundle.`);
    if (entry.bytes !== one.bytes)
      throw fail(
        'invalidInput',
        `Package ${one.name} is not the one of the list: its size differs.`,
      );
    if (one.architecture !== architecture && one.architecture !== 'all')
      throw fail(
        'invalidInput',
        `Package ${one.name} is for ${one.architecture || 'no machine'}, the bundle for ${architecture}.`,
      );
  }
  const names = new Set(packages.map(({ name }) => name));
  for (const id of roles) {
    const lacking = roleOf(id)?.packages.find((name) => !names.has(name));
    if (lacking !== undefined)
      throw fail('invalidInput', `The bundle lacks package ${lacking} of its role ${id}.`);
  }
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

async function textOf(
  file: FileHandle,
  { name, bytes, offset }: TarEntry,
  most: number,
): Promise<string> {
  if (bytes > most) throw fail('invalidInput', `${name} of the bundle has ${bytes} bytes.`);
  const buffer = Buffer.alloc(bytes);
  await file.read(buffer, 0, bytes, offset);
  return buffer.toString('utf8');
}

/** SHA-256 of a part of a file, in hex. */
async function digestOf(file: FileHandle, offset: number, bytes: number): Promise<string> {
  const hash = createHash('sha256');
  const chunk = Buffer.alloc(2 ** 20);
  for (let done = 0; done < bytes;) {
    const { bytesRead } = await file.read(
      chunk,
      0,
      Math.min(chunk.length, bytes - done),
      offset + done,
    );
    if (bytesRead === 0) break;
    hash.update(chunk.subarray(0, bytesRead));
    done += bytesRead;
  }
  return hash.digest('hex');
}
