import type { Client } from '../../shared/contract.ts';
import type { BinaryFile } from '../../shared/desktop.ts';
import { fail } from '../../shared/errors.ts';

const pieceBytes = 1024 * 1024;

/**
 * Sends a bundle to the engine piece by piece and has it opened. Returns the id of its run.
 * Rejects with what the engine refused, or `aborted`; the file is closed in any case.
 */
export async function sendBundle(client: Client, file: BinaryFile, onProgress: (done: number, total: number) => void, signal: AbortSignal): Promise<string> {
  try {
    if (file.size === 0) throw fail('invalidInput', `${file.name} is empty.`, 'Ask for the bundle again.');
    let uploadId: string | null = null;
    for (let from = 0; ;) {
      const bytes = await file.read(from, Math.min(file.size, from + pieceBytes));
      if (bytes.length === 0) throw fail('invalidInput', `${file.name} became shorter while it was read.`, 'Open it again.');
      const to: number = from + bytes.length;
      const answer: { uploadId: string; runId: string | null } = await client.call('bundle.import', { fileName: file.name, uploadId, bytes, last: to >= file.size }, signal);
      onProgress(to, file.size);
      if (answer.runId !== null) return answer.runId;
      uploadId = answer.uploadId;
      from = to;
    }
  } finally {
    file.close();
  }
}
