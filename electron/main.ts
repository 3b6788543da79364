import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { app, BrowserWindow, dialog, Menu, nativeImage, Tray } from 'electron';

import { endureStream } from '../src/wire/standardStreams.ts';
import { type BinaryFiles, handleBinaryFiles } from './binaryFiles.ts';
import { handleDesktop } from './desktop.ts';
import { type DetachedWindows, handleDetached } from './detached.ts';
import { type EngineHost, startEngineHost } from './engineHost.ts';
import { type EngineNotices, tellEngine } from './engineNotices.ts';
import { type HandedOver, handedOver, pageOfLink } from './handedOver.ts';
import { hearPage } from './ipc.ts';
import { openKeychain } from './keychain.ts';
import { buildMenu } from './menu.ts';
import { limitPermissions, pageAddress, registerPageScheme, servePage } from './page.ts';
import { placesOf } from './places.ts';
import { openWindow } from './window.ts';

const { rootDir, nodePath, engineEnv } = placesOf({
  packaged: app.isPackaged,
  resourcesPath: process.resourcesPath,
  bundleDir: __dirname,
  env: process.env,
  platform: process.platform,
});
const userData = process.env['TILEBENCH_USER_DATA'];
if (userData) app.setPath('userData', userData);

let window: BrowserWindow | null = null;
let engine: EngineHost | null = null;
let notices: EngineNotices | null = null;
let tray: Tray | null = null;
let activeRun: { name: string } | null = null;
let quitting = false;
let binaries: BinaryFiles | null = null;
let detached: DetachedWindows | null = null;
/** What was handed over before there was a window. */
let toOpen: HandedOver = handedOver(process.argv);

/** The main window; a second start shows the first one's. */
function show(): void {
  if (window === null) {
    window = openWindow({ rootDir, boundsFile: join(app.getPath('userData'), 'window.json') });
    window.on('close', (event) => {
      if (quitting || activeRun === null) return;
      event.preventDefault();
      void askWhenClosing(activeRun.name);
    });
    window.on('closed', () => {
      window = null;
      // Without a run there is nothing for a second screen to watch.
      if (activeRun === null) detached?.closeAll();
    });
  }
  if (window.isMinimized()) window.restore();
  window.focus();
  if (binaries === null) return;
  const { bundle, page } = toOpen;
  toOpen = {};
  if (bundle !== undefined) binaries.openIn(window, bundle);
  // The same page at another route is not loaded again.
  if (page !== undefined) void window.loadURL(pageAddress({ hash: page }));
}

function open(given: HandedOver): void {
  toOpen = { ...toOpen, ...given };
  if (binaries !== null) show();
}

/** A run outlives its window: asked once each time a window closes over an active run. */
async function askWhenClosing(runName: string): Promise<void> {
  if (window === null) return;
  const { response } = await dialog.showMessageBox(window, {
    type: 'question',
    message: `${runName} is running.`,
    detail: 'The run can go on in the background; the icon in the tray opens the window again.',
    buttons: ['Keep running in the background', 'Stay'],
    defaultId: 0,
    cancelId: 1,
  });
  if (response !== 0) return;
  tray ??= new Tray(nativeImage.createFromPath(join(rootDir, 'resources', 'tray.png')));
  tray.setToolTip(`Tilebench: ${runName}`);
  tray.setContextMenu(
    Menu.buildFromTemplate([
      { label: 'Open Tilebench', click: show },
      { label: 'Quit', click: () => app.quit() },
    ]),
  );
  tray.on('click', show);
  window.destroy();
}

function startEngine(): EngineHost {
  const folder = app.getPath('userData');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return startEngineHost({
    rootDir,
    dataDir: process.env['TILEBENCH_DATA'] ?? join(folder, 'data'),
    compiledDir: join(folder, 'compiled'),
    version: app.getVersion(),
    keychain: app.whenReady().then(() => openKeychain(join(folder, 'secrets.json'))),
    nodePath,
    engineEnv,
    onActive(run) {
      const ended = activeRun !== null && run === null;
      activeRun = run;
      // Nothing keeps a window-less application alive once its run is over.
      if (ended && app.isReady() && BrowserWindow.getAllWindows().length === 0) app.quit();
    },
    onLife(life) {
      // An engine that is gone runs nothing that a window must be kept for.
      if (life.phase === 'failed') activeRun = null;
      notices?.show(life);
    },
  });
}

function start(): void {
  servePage(join(rootDir, 'dist', 'ui'));
  limitPermissions();
  handleDesktop();
  binaries = handleBinaryFiles();
  detached = handleDetached({ rootDir, folder: app.getPath('userData') });
  Menu.setApplicationMenu(buildMenu((id) => window?.webContents.send('command', id)));
  hearPage('engine.connect', (event, workspace) =>
    engine?.connect(event.sender, workspace === 'simulated' ? 'simulated' : 'real'),
  );
  // Seen by tests that end the engine; a page cannot reach the main process.
  Object.assign(globalThis, {
    tilebenchEnginePid: () => engine?.pid,
    tilebenchEngineLife: () => engine?.life,
  });
  show();
  notices = tellEngine({
    window: () => window,
    act(choice) {
      if (choice === 'retry') engine?.retry();
      else if (choice === 'wait') engine?.wait();
      else app.quit();
    },
  });
  // What happened to it before there was anything to tell it with.
  if (engine) notices.show(engine.life);
}

/** The engine does not wait for the window, nor the window for the engine. */
async function begin(): Promise<void> {
  engine = startEngine();
  await app.whenReady();
  start();
}

for (const stream of [process.stdout, process.stderr]) endureStream(stream);
registerPageScheme();
if (app.requestSingleInstanceLock()) {
  app.on('second-instance', (_event, args) => {
    open(handedOver(args));
    notices?.again();
  });
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
  app.on('activate', show);
  app.on('window-all-closed', () => {
    if (activeRun === null && process.platform !== 'darwin') app.quit();
  });
  app.on('before-quit', () => {
    quitting = true;
  });
  app.on('will-quit', (event) => {
    if (engine === null) return;
    event.preventDefault();
    const ending = engine;
    engine = null;
    // In a later turn: asked for within this event, which holds the quit up, the next quit is lost.
    void ending.stop(10_000).then(() => setImmediate(() => app.quit()));
  });
  begin().catch((thrown: unknown) => {
    process.stderr.write(`${thrown instanceof Error ? thrown.message : String(thrown)}\n`);
    app.exit(1);
  });
} else {
  app.quit();
}
