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
 * Sends a bundle to the engine piece by piece and has it opened. Returns the id of its run.
 * Rejects with what the engine refused, or `aborted`; the file is closed in any case.
 */
export async function sendBundle(
  send: SendCommand,
  file: BinaryFile,
  onProgress: (done: number, total: number) => void,
  signal: AbortSignal,
): Promise<string> {
  const sendPiece = (piece: Piece) => send('bundle.import', piece, { signal, refusal: 'here' });
  return (await sendPieces(file, sendPiece, onProgress)).runId;
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
        return answer;
      },
      onProgress,
    );
  } catch (thrown) {
    if (started !== null && signal.aborted)
      await send('file.importStop', { uploadId: started }, { refusal: 'here' });
    throw thrown;
  }
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
async function sendPieces(
  file: BinaryFile,
  send: (piece: Piece) => Promise<{
    uploadId: string;
    runId: string | null;
    leftOut?: readonly string[];
  }>,
  onProgress: (done: number, total: number) => void,
): Promise<Opened> {
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
      const { runId, leftOut = [] } = answer;
      if (runId !== null) return { runId, leftOut };
      uploadId = answer.uploadId;
      from = to;
    }
  } finally {
    file.close();
  }
}
