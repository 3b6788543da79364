import { contextBridge, ipcRenderer } from 'electron';

import { type OpenedBinary, portMessage, type PreloadApi } from '../src/wire/preload.ts';

const askForPort = (): void =>
  // The page's address says which workspace it shows.
  ipcRenderer.send(
    'engine.connect',
    new URLSearchParams(window.location.search).get('workspace') ?? 'real',
  );
/** The bridge cannot carry a port; a window message can. */
const handOver = (port: MessagePort): void =>
  window.postMessage(portMessage, window.location.origin, [port]);

/**
 * The page will want the engine, and takes a while to be read: its first port is on the way before
 * it asks.
 */
let first: 'onItsWay' | 'asked' | 'taken' | MessagePort = 'onItsWay';
askForPort();
ipcRenderer.on('engine.port', (event) => {
  const [port] = event.ports;
  if (!port) return;
  if (first === 'onItsWay') first = port;
  else {
    first = 'taken';
    handOver(port);
  }
});

const api: PreloadApi = {
  kind: 'electron',
  // Chromium hands the switch on to each of its processes.
  unsandboxed: process.argv.includes('--no-sandbox'),
  connectPort() {
    if (first === 'onItsWay') first = 'asked';
    else if (first instanceof MessagePort) {
      handOver(first);
      first = 'taken';
    } else askForPort();
  },
  saveBegin: (fileName) =>
    ipcRenderer.invoke('save.begin', fileName) as ReturnType<PreloadApi['saveBegin']>,
  saveWrite: (id, piece) => ipcRenderer.invoke('save.write', id, piece) as Promise<void>,
  saveEnd: (id, keep) => ipcRenderer.invoke('save.end', id, keep) as Promise<void>,
  openFile: (extensions) =>
    ipcRenderer.invoke('open', extensions) as ReturnType<PreloadApi['openFile']>,
  binaryOpen: (extensions) =>
    ipcRenderer.invoke('binary.open', extensions) as ReturnType<PreloadApi['binaryOpen']>,
  binaryRead: (id, from, to) =>
    ipcRenderer.invoke('binary.read', id, from, to) as Promise<Uint8Array>,
  binaryClose: (id) => ipcRenderer.send('binary.close', id),
  onBinary(listener) {
    const forward = (_event: unknown, file: OpenedBinary): void => listener(file);
    ipcRenderer.on('binary.opened', forward);
    ipcRenderer.send('binary.ready');
    return () => {
      ipcRenderer.removeListener('binary.opened', forward);
    };
  },
  onCommand(listener) {
    const forward = (_event: unknown, commandId: string): void => listener(commandId);
    ipcRenderer.on('command', forward);
    return () => {
      ipcRenderer.removeListener('command', forward);
    };
  },
  detach: (route) => ipcRenderer.invoke('window.detach', route) as ReturnType<PreloadApi['detach']>,
  setActiveRun: (run) => ipcRenderer.send('run.active', run),
};
contextBridge.exposeInMainWorld('tilebench', api);
