import type { Client } from '../../shared/contract.ts';
import type { DesktopApi } from '../../shared/desktop.ts';

export interface ExportProgress { done: number; total: number }

/**
 * Writes an export page by page, so that memory stays flat whatever the run's length.
 * Returns the name of the file, null when the user cancelled the save dialog. Rejects with `aborted` when the signal fires.
 */
export async function exportRun(client: Client, desktop: DesktopApi, id: string, format: 'csv' | 'json', onProgress: (progress: ExportProgress) => void, signal: AbortSignal): Promise<string | null> {
  const first = await client.call('run.export', { id, format, cursor: null }, signal);
  async function* pages(): AsyncGenerator<string> {
    let page = first;
    for (;;) {
      onProgress({ done: page.done, total: page.total });
      yield page.text;
      if (page.cursor === null) return;
      signal.throwIfAborted();
      page = await client.call('run.export', { id, format, cursor: page.cursor }, signal);
    }
  }
  return desktop.saveFile(first.fileName, pages());
}
