import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { BrowserWindow, screen, shell } from 'electron';

import { type Bounds, isBounds } from './bounds.ts';
import { isOwnPage, pageAddress } from './page.ts';

export interface WindowOptions {
  rootDir: string;
  /** Where the bounds are remembered. */ boundsFile: string;
  /** Which part of the page is shown; absent = its start. */ page?: {
    hash: string;
    query?: Record<string, string>;
  };
  /** Where no bounds are remembered. */ size?: {
    x?: number;
    y?: number;
    width: number;
    height: number;
    minWidth: number;
    minHeight: number;
  };
}

/**
 * A window of the console: sandboxed, isolated, without Node; it shows its own page and goes
 * nowhere else.
 */
export function openWindow(options: WindowOptions): BrowserWindow {
  const bounds = readBounds(options.boundsFile);
  const window = new BrowserWindow({
    width: 1440,
    height: 900,
    minWidth: 900,
    minHeight: 600,
    ...options.size,
    ...bounds,
    show: false,
    title: 'Tilebench',
    icon: `${options.rootDir}/resources/icon.png`,
    backgroundColor: '#0e1116',
    webPreferences: {
      preload: join(__dirname, 'preload.cjs'),
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webSecurity: true,
      spellcheck: false,
    },
  });
  if (bounds?.maximized) window.maximize();
  window.once('ready-to-show', () => window.show());
  const remember = (): void => {
    if (window.isMinimized()) return;
    try {
      writeFileSync(
        options.boundsFile,
        JSON.stringify({ ...window.getNormalBounds(), maximized: window.isMaximized() }),
      );
    } catch (thrown) {
      // A full disk costs the place of a window, never the window.
      process.stderr.write(`The place of the window is not kept: ${String(thrown)}\n`);
    }
  };
  window.on('resized', remember).on('moved', remember).on('close', remember);
  window.webContents.setWindowOpenHandler(({ url }) => {
    if (/^(https?:\/\/|mailto:)/.test(url)) void shell.openExternal(url);
    return { action: 'deny' };
  });
  // Another workspace is the same page with another query; everything else stays out.
  window.webContents.on('will-navigate', (event, url) => {
    if (!isOwnPage(url)) event.preventDefault();
  });
  window.webContents.on('will-attach-webview', (event) => event.preventDefault());
  void window.loadURL(pageAddress(options.page));
  return window;
}

/** The one window that a start opens; `folder` is where its bounds are remembered. */
export const openMainWindow = (at: { rootDir: string; folder: string }): BrowserWindow =>
  openWindow({ rootDir: at.rootDir, boundsFile: join(at.folder, 'window.json') });

/** Where the window was, if any of it is still on a screen. */
function readBounds(path: string): Bounds | null {
  if (!existsSync(path)) return null;
  const kept = readJson(path);
  if (!isBounds(kept)) return null;
  const { x, y, width, height } = kept;
  const visible = screen
    .getAllDisplays()
    .some(
      ({ workArea: area }) =>
        x < area.x + area.width - 50 &&
        x + width > area.x + 50 &&
        y < area.y + area.height - 50 &&
        y + height > area.y,
    );
  return visible ? kept : null;
}

/** A file that was cut off counts as none. */
function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return null;
    throw thrown;
  }
}
