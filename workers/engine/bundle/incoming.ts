import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, mkdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

import { fail } from '../../../src/core/base/errors.ts';
import { bundleLimits } from '../../../src/core/history/bundle.ts';
import type { Emit, Output, ParsedInput } from '../../../src/wire/contract.ts';
import type { Database } from '../db/types.ts';
import type { Deps } from '../deps.ts';
import { openBundle } from './read.ts';
import { storeBundle } from './store.ts';

export interface IncomingScope {
  deps: Pick<Deps, 'ids' | 'clock'>;
  db: Database;
  emit: Emit;
  /** Folder of what is on its way. */
  dir: string;
  /** Uploads that are not whole, by their id. */
  uploads: Map<string, { path: string; bytes: number }>;
}

/** Takes the next part of a bundle; with the last one it is stored. What fails leaves no file. */
export async function importBundle(
  scope: IncomingScope,
  { fileName, uploadId, bytes, last }: ParsedInput<'bundle.import'>,
  signal: AbortSignal,
): Promise<Output<'bundle.import'>> {
  const { deps, dir, uploads } = scope;
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const key = uploadId ?? deps.ids.next('upload');
  const upload = uploadId === null ? { path: join(dir, key), bytes: 0 } : uploads.get(key);
  if (upload === undefined)
    throw fail('notFound', 'The upload is not known.', 'Open the bundle again.');
  uploads.set(key, upload);
  const drop = async (): Promise<void> => {
    uploads.delete(key);
    await rm(upload.path, { force: true });
  };
  try {
    upload.bytes += bytes.length;
    if (upload.bytes > bundleLimits.fileBytes)
      throw fail(
        'invalidInput',
        `${fileName} is larger than the ${bundleLimits.fileBytes} bytes a bundle may have.`,
      );
    await pipeline([bytes], createWriteStream(upload.path, { flags: 'a', mode: 0o600 }), {
      signal,
    });
    if (!last) return { uploadId: key, runId: null };
    const runId = await takeBundle(scope, upload.path, fileName, signal);
    await drop();
    return { uploadId: key, runId };
  } catch (thrown) {
    await drop();
    throw thrown;
  }
}

/** Stores the run of a whole bundle; gives its id, also of one that was stored before. */
async function takeBundle(
  { deps, db, emit }: IncomingScope,
  path: string,
  fileName: string,
  signal: AbortSignal,
): Promise<string> {
  const sha256 = await hashOf(path, signal);
  const bundle = await openBundle(path, fileName);
  try {
    const runId = await storeBundle(
      db,
      bundle,
      { fileName, sha256, atMs: deps.clock.now() },
      signal,
    );
    // The same file opened again: who opens it wants to see it.
    if (db.history.row({ kind: 'run', id: runId })?.deletedAtMs != null)
      db.history.change({ kind: 'run', id: runId }, { deletedAtMs: null }, deps.clock.now());
    emit('list.changed', { list: 'runs' });
    return runId;
  } finally {
    bundle.close();
  }
}

async function hashOf(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash, { signal });
  return hash.digest('hex');
}
