import { createWriteStream, mkdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

import { fail } from '../../../src/core/base/errors.ts';
import { bundleLimits } from '../../../src/core/history/bundle.ts';
import type { Emit, Output, ParsedInput } from '../../../src/wire/contract.ts';
import type { Database } from '../db/types.ts';
import type { Deps } from '../deps.ts';
import { hashFile } from './hashFile.ts';
import { openBundle } from './read.ts';
import { isStoryBundle, openStory } from './readStory.ts';
import { storeBundle } from './store.ts';
import { storeStory } from './storeStory.ts';

export interface IncomingScope {
  deps: Pick<Deps, 'ids' | 'clock'>;
  db: Database;
  emit: Emit;
  /** Folder of what is on its way. */
  dir: string;
  /** Uploads that are not whole, by their id. */
  uploads: Map<string, { path: string; bytes: number }>;
}

/**
 * Takes the next part of a bundle, of a run or of a story with its runs; with the last one it is
 * stored. What fails leaves no file.
 */
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
    if (!last) return { uploadId: key, runId: null, storyId: null };
    const taken = (await isStoryBundle(upload.path))
      ? await takeStory(scope, upload.path, fileName, signal)
      : { runId: await takeBundle(scope, upload.path, fileName, signal), storyId: null };
    await drop();
    return { uploadId: key, ...taken };
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
  const sha256 = await hashFile(path, signal);
  const bundle = await openBundle(path, fileName);
  try {
    const { id: runId } = await storeBundle(
      db,
      bundle,
      { fileName, sha256, atMs: deps.clock.now() },
      signal,
    );
    bringBack(db, runId, deps.clock.now());
    emit('list.changed', { list: 'runs' });
    return runId;
  } finally {
    bundle.close();
  }
}

/** Stores a story with its runs; gives its id, also of one that was stored before. */
async function takeStory(
  { deps, db, emit }: IncomingScope,
  path: string,
  fileName: string,
  signal: AbortSignal,
): Promise<{ runId: null; storyId: string }> {
  const opened = await openStory(path, fileName, signal);
  try {
    const atMs = deps.clock.now();
    const { storyId, runIds } = await storeStory(db, opened, { fileName, atMs }, signal);
    for (const id of runIds) bringBack(db, id, atMs);
    emit('list.changed', { list: 'runs' });
    emit('list.changed', { list: 'stories' });
    return { runId: null, storyId };
  } finally {
    await opened.close();
  }
}

/** The same file opened again: who opens it wants to see what it holds, also of what was deleted. */
function bringBack(db: Database, runId: string, nowMs: number): void {
  if (db.history.row({ kind: 'run', id: runId })?.deletedAtMs != null)
    db.history.change({ kind: 'run', id: runId }, { deletedAtMs: null }, nowMs);
}
