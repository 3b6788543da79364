import { createHash } from 'node:crypto';
import { createReadStream, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

import type { AppErrorShape } from '../src/core/base/errors.ts';
import { changedPart } from '../src/wire/changedPart.ts';

/** A file that the package lays beside Electron, as it was packed. */
export interface PackagePart {
  /** Below the folder of the console, with `/`. */
  path: string;
  bytes: number;
  /** In hex. */
  sha256: string;
}
/** The list lies beside the bundle of the window process, within Electron's archive. */
export const partsFile = 'parts.json';
const engineBundle = 'dist/workers/engineProcess.cjs';
/** What an engine is started from: Node, our bundles, the binary of the database. */
const startsEngine = /^(bin|dist\/workers)\/|\.node$/;
const readBytes = 256 * 1_024;

/** The list of a package; throws where it is missing or none. */
export function readParts(path: string): PackagePart[] {
  const parts: unknown = JSON.parse(readFileSync(path, 'utf8'));
  if (!Array.isArray(parts) || !parts.every(isPart)) throw new Error(`${path} lists no parts.`);
  return parts;
}

function isPart(value: unknown): value is PackagePart {
  const { path, bytes, sha256 } = (value ?? {}) as Record<string, unknown>;
  return typeof path === 'string' && typeof bytes === 'number' && typeof sha256 === 'string';
}

/**
 * Before an engine starts, in a few milliseconds: the sizes of what it is started from, and the
 * whole content of its bundle. null = as packed.
 */
export function changedBeforeStart(
  rootDir: string,
  parts: readonly PackagePart[],
): AppErrorShape | null {
  for (const part of parts.filter(({ path }) => startsEngine.test(path))) {
    const path = join(rootDir, part.path);
    const why =
      whyOfSize(path, part) ?? (part.path === engineBundle ? whyOfText(path, part) : null);
    if (why !== null) return changedPart(path, why);
  }
  return null;
}

/**
 * The content of every part, read piece by piece between other work: a second or so of one core,
 * hence not before a start. null = as packed.
 */
export async function changedContent(
  rootDir: string,
  parts: readonly PackagePart[],
): Promise<AppErrorShape | null> {
  for (const part of parts) {
    const path = join(rootDir, part.path);
    const hash = createHash('sha256');
    try {
      for await (const piece of createReadStream(path, { highWaterMark: readBytes }))
        hash.update(piece as Buffer);
    } catch (thrown) {
      return changedPart(path, whyUnread(thrown));
    }
    if (hash.digest('hex') !== part.sha256)
      return changedPart(path, whyOfSize(path, part) ?? other);
  }
  return null;
}

const other = 'its content is another';
const whyUnread = (thrown: unknown): string => {
  const { code } = thrown as NodeJS.ErrnoException;
  return code === 'ENOENT' ? 'it is missing' : `it cannot be read: ${code ?? String(thrown)}`;
};

function whyOfSize(path: string, { bytes }: PackagePart): string | null {
  try {
    const { size } = statSync(path);
    return size === bytes ? null : `${size} bytes instead of ${bytes}`;
  } catch (thrown) {
    return whyUnread(thrown);
  }
}

function whyOfText(path: string, { sha256 }: PackagePart): string | null {
  try {
    const found = createHash('sha256').update(readFileSync(path)).digest('hex');
    return found === sha256 ? null : other;
  } catch (thrown) {
    return whyUnread(thrown);
  }
}
