import { createWriteStream, type WriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

import { BrowserWindow, dialog, type IpcMainInvokeEvent } from 'electron';

import { openChosen, saveTarget } from './chosenFile.ts';
import { answerPage, hearPage } from './ipc.ts';

/** A plan or bundle larger than this is not read into the window. */
const maxOpenBytes = 64 * 1024 * 1024;
interface OpenSave {
  path: string;
  partial: string;
  stream: WriteStream;
  fault: Error | null;
}

/**
 * Dialogs and files for the window. Only a path that the user chose in a dialog is ever read or
 * written.
 */
export function handleDesktop(): void {
  const saves = new Map<number, OpenSave>();
  let next = 1;
  const ownerOf = (event: IpcMainInvokeEvent): BrowserWindow => {
    const window = BrowserWindow.fromWebContents(event.sender);
    if (window === null) throw new Error('The window is gone.');
    return window;
  };

  answerPage('save.begin', async (event, fileName: unknown) => {
    const { canceled, filePath } = await dialog.showSaveDialog(ownerOf(event), {
      defaultPath: basename(String(fileName)),
    });
    if (canceled || !filePath) return null;
    const id = next++;
    // The file has its name only when it is whole and on disk; two saves of one name do not meet.
    const target = await saveTarget(filePath);
    const partial = join(dirname(target), `.tilebench-${process.pid}-${id}.part`);
    const save: OpenSave = {
      path: target,
      partial,
      stream: createWriteStream(partial, { flush: true }),
      fault: null,
    };
    save.stream.on('error', (fault) => {
      save.fault = fault;
    });
    saves.set(id, save);
    event.sender.once('destroyed', () => {
      void finish(id, false);
    });
    return { id, path: filePath };
  });
  answerPage('save.write', async (_event, id: unknown, piece: unknown) => {
    const save = saves.get(Number(id));
    if (save === undefined) throw new Error('The file is not open.');
    if (save.fault) throw new Error(`${save.path} cannot be written: ${save.fault.message}`);
    await new Promise<void>((done, failed) => {
      save.stream.write(piece instanceof Uint8Array ? piece : String(piece), (fault) =>
        fault ? failed(fault) : done(),
      );
    });
  });
  const finish = async (id: number, keep: boolean): Promise<void> => {
    const save = saves.get(id);
    if (save === undefined) return;
    saves.delete(id);
    await new Promise<void>((done) => {
      save.stream.end(() => done());
    });
    try {
      if (keep && save.fault === null) await rename(save.partial, save.path);
    } finally {
      await rm(save.partial, { force: true });
    }
    if (save.fault) throw new Error(`${save.path} cannot be written: ${save.fault.message}`);
  };
  answerPage('save.end', (_event, id: unknown, keep: unknown) => finish(Number(id), keep === true));

  answerPage('open', async (event, extensions: unknown) => {
    const list = Array.isArray(extensions)
      ? extensions.map((e) => String(e).replace(/^\./, ''))
      : [];
    const {
      canceled,
      filePaths: [path],
    } = await dialog.showOpenDialog(ownerOf(event), {
      properties: ['openFile'],
      filters: [{ name: 'Tilebench', extensions: list.length > 0 ? list : ['*'] }],
    });
    if (canceled || path === undefined) return null;
    const file = await openChosen(path);
    try {
      if ((await file.stat()).size > maxOpenBytes)
        throw new Error(`${path} is larger than 64 MiB.`);
      return { name: basename(path), text: await file.readFile('utf8') };
    } finally {
      await file.close();
    }
  });
  hearPage('run.active', (event, run: unknown) => {
    const progress =
      typeof run === 'object' &&
      run !== null &&
      'progress' in run &&
      typeof run.progress === 'number'
        ? run.progress
        : -1;
    BrowserWindow.fromWebContents(event.sender)?.setProgressBar(progress);
  });
}
