import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import type { AppErrorShape } from '../src/core/base/errors.ts';
import { changedPart } from '../src/wire/changedPart.ts';

/** Electron's archive, which holds the window process, beside the folder of the console. */
export const archiveName = 'app.asar';
/** In the folder of the console: the digest of the archive as it was packed. */
export const sealFile = 'archive.json';

/**
 * Before an engine does anything for a window process: whether that one's archive is as it was
 * packed. The window process looks at the engine's files likewise (`electron/packageParts.ts`), so
 * that who changes one of the two is found out by the other. null = as packed, or this is the
 * folder of the project, which holds no digest.
 */
export function changedArchive(consoleDir: string): AppErrorShape | null {
  const seal = join(consoleDir, sealFile);
  const archive = join(dirname(consoleDir), archiveName);
  const kept = readKept(seal);
  if (kept === null) return null;
  const sha256 = digestIn(kept.toString());
  if (sha256 === null) return changedPart(seal, 'it holds no digest');
  const found = readKept(archive);
  if (found === null) return changedPart(archive, 'it is missing');
  return createHash('sha256').update(found).digest('hex') === sha256
    ? null
    : changedPart(archive, 'its content is another');
}

function digestIn(text: string): string | null {
  return /^\{"sha256":"([0-9a-f]{64})"\}\n$/.exec(text)?.[1] ?? null;
}

/** null = there is none. */
function readKept(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw thrown;
  }
}
