import fs from 'node:fs';
import { release } from 'node:os';

import { app, clipboard, dialog } from 'electron';

import { type Crash, crashFile, keepReport } from '../src/wire/crashReport.ts';
import { countFaults } from './faults.ts';

/** The report that was written last, to be copied; null = none of this start. */
let last: { text: string; path: string | null } | null = null;

export interface CrashKeeper {
  /** Writes a report; a disk that is full costs the file, not its text. */
  keep(crash: Crash): void;
}

const place = {
  Tilebench: app.getVersion(),
  Electron: process.versions.electron,
  Chromium: process.versions['chrome'] ?? 'unknown',
  System: `${process.platform} ${process.arch} ${release()}`,
};

function keepIn(folder: string, crash: Crash): void {
  const report = crashFile(crash, place);
  last = { text: report.text, path: null };
  try {
    last = { text: report.text, path: keepReport(fs, folder, report) };
  } catch (thrown) {
    process.stderr.write(`A crash report is not kept: ${String(thrown)}\n${report.text}`);
  }
}

/** Puts what was said, and the last report or what is known of this application, on the clipboard. */
export function copyDetails(said: string): void {
  const known = Object.entries(place).map(([label, value]) => `${label}: ${value}`);
  void clipboard.writeText(`${said}\n\n${last?.text ?? known.join('\n')}`);
}

/** Where the last report is, in words for the end of a notice; empty where there is none. */
const whereReported = (): string =>
  last === null || last.path === null ? '' : `\n\nA report is in ${last.path}. It stays there.`;

/** A box with *Copy details*, which copies and asks again; gives the number of another button. */
async function ask(box: {
  message: string;
  detail: string;
  buttons: readonly string[];
}): Promise<number> {
  const asked = {
    type: 'error' as const,
    title: 'Tilebench',
    message: box.message,
    detail: `${box.detail}${whereReported()}`,
    buttons: [...box.buttons, 'Copy details'],
    defaultId: 0,
    cancelId: 0,
    noLink: true,
  };
  for (;;) {
    const { response } = await dialog.showMessageBox(asked);
    if (response < box.buttons.length) return response;
    copyDetails(`${box.message}\n${box.detail}`);
  }
}

/**
 * Keeps a report of every process that ends by itself, in `folder`, and tells of those that a user
 * would miss: the page of a window, and a fault of this process, which goes on.
 */
export function watchCrashes(folder: string): CrashKeeper {
  const keep = (crash: Crash): void => keepIn(folder, crash);
  /** When a page or helper began is not told. */
  const ended = (): Pick<Crash, 'atMs' | 'ranMs'> => ({ atMs: Date.now(), ranMs: null });
  app.on('render-process-gone', (_event, contents, { reason, exitCode }) => {
    if (reason === 'clean-exit') return;
    keep({ process: 'page', how: `${reason}, exit code ${exitCode}`, ...ended(), lastWords: '' });
    void ask({
      message: 'The page of a window ended',
      detail: 'A running benchmark is not affected, and nothing that was saved is lost.',
      buttons: ['Open it again', 'Quit'],
    }).then((choice) => {
      if (choice === 1) app.quit();
      else if (!contents.isDestroyed()) contents.reload();
    });
  });
  app.on('child-process-gone', (_event, { type, reason, exitCode }) => {
    if (reason === 'clean-exit' || reason === 'killed') return;
    const how = `${type}: ${reason}, exit code ${exitCode}`;
    keep({ process: 'helper', how, ...ended(), lastWords: '' });
  });
  const faults = countFaults();
  process.on('uncaughtException', (thrown) => {
    const { times, report, box, line } = faults.met(thrown);
    if (report) keep(windowCrash(thrown));
    if (line)
      process.stderr.write(
        times === 1 ? `${thrown.stack ?? thrown.message}\n` : `${thrown.message}: ${times} times\n`,
      );
    if (box === null) return;
    const before = box.untold === 0 ? '' : ` ${box.untold} more were met since the last box.`;
    void ask({
      message: 'Tilebench met a fault of its own',
      detail: `${thrown.message}\n\nA running benchmark is not affected.${before}`,
      buttons: ['Go on', 'Quit'],
    }).then((choice) => {
      faults.closed();
      if (choice === 1) app.quit();
    });
  });
  return { keep };
}

const windowCrash = (thrown: Error): Crash => ({
  process: 'window',
  how: thrown.message,
  atMs: Date.now(),
  ranMs: process.uptime() * 1_000,
  lastWords: thrown.stack ?? '',
});
