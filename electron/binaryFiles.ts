import type { FileHandle } from 'node:fs/promises';
import { basename } from 'node:path';

import { BrowserWindow, dialog, type WebContents } from 'electron';

import { openChosen } from './chosenFile.ts';
import { answerPage, hearPage } from './ipc.ts';

/** The largest piece a window gets at once. */
const maxPiece = 4 * 1024 * 1024;

export interface BinaryFiles {
  /**
   * Opens a bundle in this window as soon as its page listens. A path that cannot be read is told
   * in a box.
   */ openIn(window: BrowserWindow, path: string): void;
}

/**
 * Large files for the window, read piece by piece. Only what the user chose, or handed to the
 * application, is ever opened.
 */
export function handleBinaryFiles(): BinaryFiles {
  const files = new Map<number, { handle: FileHandle; owner: WebContents }>();
  const waiting = new Map<WebContents, string[]>();
  const ready = new Set<WebContents>();
  let next = 1;

  async function take(
    owner: WebContents,
    path: string,
  ): Promise<{ id: number; name: string; size: number }> {
    const handle = await openChosen(path);
    const { size } = await handle.stat();
    const id = next++;
    files.set(id, { handle, owner });
    owner.once('destroyed', () => {
      void close(id);
    });
    return { id, name: basename(path), size };
  }
  async function close(id: number): Promise<void> {
    const file = files.get(id);
    files.delete(id);
    await file?.handle.close();
  }
  function tell(owner: WebContents, path: string): void {
    take(owner, path).then(
      (file) => owner.send('binary.opened', file),
      (thrown: unknown) => {
        dialog.showErrorBox(
          'The bundle cannot be opened',
          `${path}: ${thrown instanceof Error ? thrown.message : String(thrown)}`,
        );
      },
    );
  }

  answerPage('binary.open', async (event, extensions: unknown) => {
    const window = BrowserWindow.fromWebContents(event.sender);
    if (window === null) return null;
    const list = Array.isArray(extensions)
      ? extensions.map((e) => String(e).replace(/^\./, ''))
      : [];
    const {
      canceled,
      filePaths: [path],
    } = await dialog.showOpenDialog(window, {
      properties: ['openFile'],
      filters: [{ name: 'Tilebench', extensions: list.length > 0 ? list : ['*'] }],
    });
    return canceled || path === undefined ? null : take(event.sender, path);
  });
  answerPage('binary.read', async (event, id: unknown, from: unknown, to: unknown) => {
    const file = files.get(Number(id));
    if (file === undefined || file.owner !== event.sender) throw new Error('The file is not open.');
    const length = Math.min(maxPiece, Math.max(0, Number(to) - Number(from)));
    const { buffer, bytesRead } = await file.handle.read(
      new Uint8Array(length),
      0,
      length,
      Number(from),
    );
    return buffer.subarray(0, bytesRead);
  });
  hearPage('binary.close', (_event, id: unknown) => {
    void close(Number(id));
  });
  hearPage('binary.ready', (event) => {
    ready.add(event.sender);
    event.sender.once('destroyed', () => {
      ready.delete(event.sender);
    });
    for (const path of waiting.get(event.sender) ?? []) tell(event.sender, path);
    waiting.delete(event.sender);
  });
  return {
    openIn(window, path) {
      const { webContents } = window;
      if (ready.has(webContents)) tell(webContents, path);
      else waiting.set(webContents, [...(waiting.get(webContents) ?? []), path]);
    },
  };
}
