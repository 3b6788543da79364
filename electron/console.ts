import { join } from 'node:path';

import { app, BrowserWindow, dialog, Menu, nativeImage, Tray } from 'electron';

import { type BinaryFiles, handleBinaryFiles } from './binaryFiles.ts';
import { copyDetails, type CrashKeeper } from './crashes.ts';
import { handleDesktop } from './desktop.ts';
import { type DetachedWindows, handleDetached } from './detached.ts';
import type { EngineProgram, EngineStart } from './engineChild.ts';
import { type EngineHost, startEngineHost } from './engineHost.ts';
import { type EngineNotices, tellEngine } from './engineNotices.ts';
import type { HandedOver } from './handedOver.ts';
import { rootDir } from './here.ts';
import type { hearPageAhead } from './ipc.ts';
import { openKeychain } from './keychain.ts';
import { buildMenu } from './menu.ts';
import { changedContent } from './packageParts.ts';
import { pageAddress } from './page.ts';
import { openMainWindow } from './window.ts';

/** What is there when the application takes over. */
export interface Begun {
  program: EngineProgram;
  /** The first engine, or why it was not started. */ first: EngineStart;
  /** The main window, whose page is on its way. */ window: BrowserWindow;
  crashes: CrashKeeper;
  given: HandedOver;
  /** Hands over the pages that ask for an engine, from the first on. */
  onConnect: ReturnType<typeof hearPageAhead>;
}

let window: BrowserWindow | null = null;
let engine: EngineHost | null = null;
let notices: EngineNotices | null = null;
let tray: Tray | null = null;
let activeRun: { name: string } | null = null;
let quitting = false;
let binaries: BinaryFiles | null = null;
let detached: DetachedWindows | null = null;

/** The main window; a second start shows the first one's. */
function show({ bundle, page }: HandedOver = {}): void {
  const shown = window ?? keep(openMainWindow({ rootDir, folder: app.getPath('userData') }));
  if (shown.isMinimized()) shown.restore();
  shown.focus();
  if (bundle !== undefined) binaries?.openIn(shown, bundle);
  // The same page at another route is not loaded again.
  if (page !== undefined) void shown.loadURL(pageAddress({ hash: page }));
}

function keep(opened: BrowserWindow): BrowserWindow {
  window = opened;
  opened.on('close', (event) => {
    if (quitting || activeRun === null) return;
    event.preventDefault();
    void askWhenClosing(activeRun.name);
  });
  opened.on('closed', () => {
    window = null;
    // Without a run there is nothing for a second screen to watch.
    if (activeRun === null) detached?.closeAll();
  });
  return opened;
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
      { label: 'Open Tilebench', click: () => show() },
      { label: 'Quit', click: () => app.quit() },
    ]),
  );
  tray.on('click', () => show());
  window.destroy();
}

function startEngine(program: EngineProgram, first: EngineStart, crashes: CrashKeeper): EngineHost {
  const secretsFile = join(app.getPath('userData'), 'secrets.json');
  return startEngineHost({
    program,
    first,
    keychain: openKeychain(secretsFile),
    onActive(run) {
      const ended = activeRun !== null && run === null;
      activeRun = run;
      // Nothing keeps a window-less application alive once its run is over.
      if (ended && BrowserWindow.getAllWindows().length === 0) app.quit();
    },
    onCrash(how, child) {
      const atMs = Date.now();
      const ranMs = atMs - child.startedMs;
      crashes.keep({ process: 'engine', how, atMs, ranMs, lastWords: child.lastWords() });
    },
    onLife(life) {
      // An engine that is gone runs nothing that a window must be kept for.
      if (life.phase === 'failed') activeRun = null;
      notices?.show(life);
    },
  });
}

function followApplication(): void {
  app.on('activate', () => show());
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
}

/**
 * The application behind its first window: to be called before the page runs its script, so that
 * what it says then is heard. Gives what opens things that are handed over later.
 */
export function startConsole(begun: Begun) {
  const { program, window: opened } = begun;
  keep(opened);
  handleDesktop();
  binaries = handleBinaryFiles();
  detached = handleDetached({ rootDir, folder: app.getPath('userData') });
  followApplication();
  engine = startEngine(program, begun.first, begun.crashes);
  begun.onConnect((event, workspace) =>
    engine?.connect(event.sender, workspace === 'simulated' ? 'simulated' : 'real'),
  );
  const lookAtParts = (): void => {
    void changedContent(program.rootDir, program.parts).then((changed) => {
      if (changed !== null) engine?.refuse(changed);
    });
  };
  // Not before: at a start each core has its hands full, and the engine was looked at shortly.
  if (opened.webContents.isLoading()) opened.webContents.once('did-stop-loading', lookAtParts);
  else lookAtParts();
  // Seen by tests that end the engine; a page cannot reach the main process.
  Object.assign(globalThis, {
    tilebenchEnginePid: () => engine?.pid,
    tilebenchEngineLife: () => engine?.life,
  });
  Menu.setApplicationMenu(buildMenu((id) => window?.webContents.send('command', id)));
  show(begun.given);
  notices = tellEngine({
    window: () => window,
    copy: copyDetails,
    act(choice) {
      if (choice === 'retry') engine?.retry();
      else if (choice === 'wait') engine?.wait();
      else app.quit();
    },
  });
  // What happened to it before there was anything to tell it with.
  notices.show(engine.life);
  return (later: HandedOver): void => {
    show(later);
    notices?.again();
  };
}
