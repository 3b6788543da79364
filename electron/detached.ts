import { join } from 'node:path';

import { BrowserWindow, screen, type WebContents } from 'electron';

import { detachedKind } from '../src/wire/detached.ts';
import { answerPage } from './ipc.ts';
import { openWindow } from './window.ts';

export interface DetachedWindows {
  closeAll(): void;
}

/**
 * Windows for further screens: pages of this program only, each under the rules of the first, with
 * its own port to the engine.
 */
export function handleDetached(options: { rootDir: string; folder: string }): DetachedWindows {
  const open = new Map<string, BrowserWindow>();
  answerPage('window.detach', (event, route: unknown) => {
    const kind = detachedKind(route);
    if (kind === null || typeof route !== 'string')
      throw new Error('Only a run, a replay and speaker notes have a window of their own.');
    const simulated = new URL(event.sender.getURL()).searchParams.get('workspace') === 'simulated';
    const key = `${simulated} ${route}`;
    const shown = open.get(key);
    if (shown !== undefined) {
      if (shown.isMinimized()) shown.restore();
      shown.focus();
      return 'opened';
    }
    const window = openWindow({
      rootDir: options.rootDir,
      boundsFile: join(options.folder, `window-${kind}.json`),
      page: { hash: route, ...(simulated ? { query: { workspace: 'simulated' } } : {}) },
      size: {
        ...(kind === 'board' || kind === 'replay'
          ? { width: 1_440, height: 900, minWidth: 900, minHeight: 600 }
          : { width: 900, height: 560, minWidth: 420, minHeight: 260 }),
        ...beside(event.sender),
      },
    });
    open.set(key, window);
    window.on('closed', () => {
      open.delete(key);
    });
    return 'opened';
  });
  return {
    closeAll: () => {
      for (const window of open.values()) window.close();
    },
  };
}

/**
 * On another screen where there is one, else a step beside the window that asked: the first must
 * not be covered whole.
 */
function beside(asking: WebContents): { x: number; y: number } {
  const bounds =
    BrowserWindow.fromWebContents(asking)?.getBounds() ?? screen.getPrimaryDisplay().workArea;
  const here = screen.getDisplayMatching(bounds);
  const other = screen.getAllDisplays().find(({ id }) => id !== here.id);
  return other === undefined
    ? { x: bounds.x + 48, y: bounds.y + 48 }
    : { x: other.workArea.x + 24, y: other.workArea.y + 24 };
}
