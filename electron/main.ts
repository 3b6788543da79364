import { accessSync, constants, mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { app, dialog, Menu } from 'electron';

import { sayCode } from '../src/core/base/systemWords.ts';
import { endureStream } from '../src/wire/standardStreams.ts';
import { type EngineProgram, startEngineChild } from './engineChild.ts';
import { type HandedOver, handedOver, pageOfLink } from './handedOver.ts';
import { engineEnv, nodePath, partsPath, rootDir } from './here.ts';
import { hearPageAhead } from './ipc.ts';
import { readParts } from './packageParts.ts';
import { limitPermissions, registerPageScheme, servePage } from './page.ts';
import { openMainWindow } from './window.ts';

/*
 * The start of the window process: the engine's process, then the window's, each as early as it can
 * be; whatever else the application is (`console.ts`) is read while the page reads its script, and
 * not before: this process hands the page its files.
 */

const userData = process.env['TILEBENCH_USER_DATA'];
if (userData) app.setPath('userData', userData);

let given = handedOver(process.argv);
/** What is handed over is kept until the application is there to take it. */
let open = (more: HandedOver): void => {
  given = { ...given, ...more };
};

function engineProgram(): EngineProgram {
  const folder = app.getPath('userData');
  return {
    rootDir,
    dataDir: process.env['TILEBENCH_DATA'] ?? join(folder, 'data'),
    compiledDir: join(folder, 'compiled'),
    version: app.getVersion(),
    nodePath,
    engineEnv,
    parts: partsPath === null ? [] : readParts(partsPath),
  };
}

/** Why nothing can be kept in this folder; null = it can. Chromium would end without a word. */
function whyUnusable(folder: string): string | null {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.W_OK | constants.X_OK);
    return null;
  } catch (thrown) {
    const { code = '' } = thrown as NodeJS.ErrnoException;
    return code === 'EEXIST'
      ? 'is no folder'
      : (sayCode(code) ?? `cannot be used: ${code || String(thrown)}`);
  }
}

/** Says what keeps the application from starting, on the terminal and in a box, and ends. */
async function refuseToStart(said: string, hint: string): Promise<void> {
  process.stderr.write(`Tilebench: ${said} ${hint}\n`);
  await app.whenReady();
  dialog.showErrorBox('Tilebench cannot start', `${said}\n\n${hint}`);
  app.exit(3);
}

/** The engine does not wait for the window, nor the window for the engine. */
async function begin(): Promise<void> {
  const program = engineProgram();
  const first = startEngineChild(program);
  // Else Electron builds a menu of its own first, to be thrown away.
  Menu.setApplicationMenu(null);
  await app.whenReady();
  const onConnect = hearPageAhead('engine.connect');
  let goOn = (): void => undefined;
  const pageIsBusy = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  servePage(join(rootDir, 'dist', 'ui'), goOn);
  limitPermissions();
  const window = openMainWindow({ rootDir, folder: app.getPath('userData') });
  // A page that has no script, or has ended, is the end of the wait too.
  window.webContents.once('did-stop-loading', goOn).once('render-process-gone', goOn);
  const { watchCrashes } = await import('./crashes.ts');
  const crashes = watchCrashes(join(program.dataDir, 'logs'));
  await pageIsBusy;
  // Closed already: with its only window the application ends.
  if (window.isDestroyed()) return;
  const { startConsole } = await import('./console.ts');
  open = startConsole({ program, first, window, crashes, given, onConnect });
}

for (const stream of [process.stdout, process.stderr]) endureStream(stream);
registerPageScheme();
const folder = app.getPath('userData');
const unusable = whyUnusable(folder);
if (unusable !== null) {
  void refuseToStart(
    `The folder ${folder} ${unusable}.`,
    'Make it a folder with space in which this user may write, and start again.',
  );
} else if (app.requestSingleInstanceLock()) {
  app.on('second-instance', (_event, args) => open(handedOver(args)));
  // macOS hands a double-clicked file over this way.
  app.on('open-file', (event, path) => {
    event.preventDefault();
    open({ bundle: path });
  });
  app.on('open-url', (event, address) => {
    event.preventDefault();
    const page = pageOfLink(address);
    open(page === null ? {} : { page });
  });
  begin().catch((thrown: unknown) => {
    const said = thrown instanceof Error ? thrown.message : String(thrown);
    void refuseToStart(said, 'Install Tilebench again if it was damaged.');
  });
} else {
  app.quit();
}
