import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { app, Menu } from 'electron';

import { endureStream } from '../src/wire/standardStreams.ts';
import { type EngineProgram, startEngineChild } from './engineChild.ts';
import { type HandedOver, handedOver, pageOfLink } from './handedOver.ts';
import { engineEnv, nodePath, partsPath, rootDir } from './here.ts';
import { readParts } from './packageParts.ts';
import { limitPermissions, registerPageScheme, servePage } from './page.ts';
import { openMainWindow } from './window.ts';

/*
 * The start of the window process: the engine's process, then the window's, each as early as it can
 * be; whatever else the application is (`console.ts`) is read while those two start.
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
  mkdirSync(folder, { recursive: true, mode: 0o700 });
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

/** The engine does not wait for the window, nor the window for the engine. */
async function begin(): Promise<void> {
  const program = engineProgram();
  const first = startEngineChild(program);
  // Else Electron builds a menu of its own first, to be thrown away.
  Menu.setApplicationMenu(null);
  await app.whenReady();
  servePage(join(rootDir, 'dist', 'ui'));
  limitPermissions();
  const window = openMainWindow({ rootDir, folder: app.getPath('userData') });
  const { startConsole } = await import('./console.ts');
  open = startConsole({ program, first, window, given });
}

for (const stream of [process.stdout, process.stderr]) endureStream(stream);
registerPageScheme();
if (app.requestSingleInstanceLock()) {
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
    process.stderr.write(`${thrown instanceof Error ? thrown.message : String(thrown)}\n`);
    app.exit(1);
  });
} else {
  app.quit();
}
