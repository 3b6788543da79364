import { fail } from '../../../core/base/errors.ts';
import type { BinaryFile } from '../../../wire/desktop.ts';
import type { SendCommand } from '../../engine/sendCommand.ts';

const pieceBytes = 1024 * 1024;

/**
 * A bundle is known by what it is, a zip archive, whatever a download or a mail program called it.
 */
export async function isBundle(file: BinaryFile): Promise<boolean> {
  const [p, k] = await file.read(0, Math.min(4, file.size));
  return p === 0x50 && k === 0x4b;
}

/**
 * Sends a bundle to the engine piece by piece and has it opened. Returns the id of its run, or of
 * its story. Rejects with what the engine refused, or `aborted`; the file is closed in any case.
 */
export async function sendBundle(
  send: SendCommand,
  file: BinaryFile,
  onProgress: (done: number, total: number) => void,
  signal: AbortSignal,
): Promise<OpenedBundle> {
  return sendPieces<OpenedBundle>(
    file,
    async (piece) => {
      const answer = await send('bundle.import', piece, { signal, refusal: 'here' });
      const { uploadId, runId, storyId } = answer;
      if (storyId !== null) return { uploadId, opened: { kind: 'story', id: storyId } };
      return { uploadId, opened: runId === null ? null : { kind: 'run', id: runId } };
    },
    onProgress,
  );
}

/**
 * Sends a file of another tool; it becomes a run as it is read. `filter` takes devices by name.
 * Returns the run's id and, in words, what was left out. When it is cancelled or fails, the engine
 * drops what it had stored.
 */
export async function sendForeign(
  send: SendCommand,
  file: BinaryFile,
  filter: readonly string[],
  onProgress: (done: number, total: number) => void,
  signal: AbortSignal,
): Promise<Opened> {
  let started: string | null = null;
  try {
    return await sendPieces(
      file,
      async (piece) => {
        signal.throwIfAborted();
        const answer = await send(
          'file.import',
          { ...piece, filter: [...filter] },
          { signal, refusal: 'here' },
        );
        started = answer.uploadId;
        const { uploadId, runId, leftOut } = answer;
        return { uploadId, opened: runId === null ? null : { runId, leftOut } };
      },
      onProgress,
    );
  } catch (thrown) {
    if (started !== null && signal.aborted)
      await send('file.importStop', { uploadId: started }, { refusal: 'here' });
    throw thrown;
  }
}

/** What a bundle was. */
export interface OpenedBundle {
  kind: 'run' | 'story';
  id: string;
}
interface Opened {
  runId: string;
  /** What was damaged and left out, in words; empty = the file was read whole. */
  leftOut: readonly string[];
}
interface Piece {
  fileName: string;
  uploadId: string | null;
  bytes: Uint8Array;
  last: boolean;
}
async function sendPieces<T>(
  file: BinaryFile,
  /** `opened` comes with the last piece. */
  send: (piece: Piece) => Promise<{ uploadId: string; opened: T | null }>,
  onProgress: (done: number, total: number) => void,
): Promise<T> {
  try {
    if (file.size === 0)
      throw fail('invalidInput', `${file.name} is empty.`, 'Ask for the bundle again.');
    let uploadId: string | null = null;
    for (let from = 0; ;) {
      const bytes = await file.read(from, Math.min(file.size, from + pieceBytes));
      if (bytes.length === 0)
        throw fail(
          'invalidInput',
          `${file.name} became shorter while it was read.`,
          'Open it again.',
        );
      const to: number = from + bytes.length;
      const answer = await send({ fileName: file.name, uploadId, bytes, last: to >= file.size });
      onProgress(to, file.size);
      if (answer.opened !== null) return answer.opened;
      uploadId = answer.uploadId;
      from = to;
    }
  } finally {
    file.close();
  }
}
