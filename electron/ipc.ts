import {
  BrowserWindow,
  ipcMain,
  type IpcMainEvent,
  type IpcMainInvokeEvent,
  type WebFrameMain,
} from 'electron';

import { isOwnPage } from './page.ts';

/** Whether a message comes from the top frame of a window of ours that shows its own page. */
function isOwnSender(event: {
  sender: Electron.WebContents;
  senderFrame: WebFrameMain | null;
}): boolean {
  const frame = event.senderFrame;
  return (
    frame !== null &&
    frame === event.sender.mainFrame &&
    BrowserWindow.fromWebContents(event.sender) !== null &&
    isOwnPage(frame.url)
  );
}

/**
 * The one way to answer a page: asks first who asks. Nobody else calls `ipcMain` (a test sees to
 * it).
 */
export function answerPage(
  channel: string,
  answer: (event: IpcMainInvokeEvent, ...args: unknown[]) => unknown,
): void {
  ipcMain.handle(channel, (event, ...args: unknown[]) => {
    if (!isOwnSender(event)) throw new Error(`${channel} is for the pages of Tilebench only.`);
    return answer(event, ...args);
  });
}

/** The one way to hear a page; what comes from anybody else is dropped. */
export function hearPage(
  channel: string,
  hear: (event: IpcMainEvent, ...args: unknown[]) => void,
): void {
  ipcMain.on(channel, (event, ...args: unknown[]) => {
    if (isOwnSender(event)) hear(event, ...args);
    else process.stderr.write(`${channel}: a message of a stranger was dropped\n`);
  });
}

type Heard = (event: IpcMainEvent, ...args: unknown[]) => void;

/**
 * Hears a page before there is anybody to act on it: what it says is kept for whom the result is
 * given, who hears all that follows too.
 */
export function hearPageAhead(channel: string): (hear: Heard) => void {
  const kept: Parameters<Heard>[] = [];
  let act: Heard = (...said) => {
    kept.push(said);
  };
  hearPage(channel, (...said) => act(...said));
  return (hear) => {
    act = hear;
    for (const said of kept.splice(0)) hear(...said);
  };
}
