import type { BinaryFile, DesktopApi } from './desktop.ts';

/** A file that the main process holds open for this window. */
export interface OpenedBinary {
  id: number;
  name: string;
  size: number;
}

/**
 * What the preload script puts on `window.tilebench`: functions only, because nothing else crosses
 * the isolation.
 */
export interface PreloadApi {
  readonly kind: 'electron';
  /** This window's process has no sandbox: Tilebench runs as root, or was started so. */
  readonly unsandboxed: boolean;
  /** Asks for a new port to the engine. It arrives as a window message: `nextPort` waits for it. */
  connectPort(): void;
  /** Asks where to save; null = cancelled. */
  saveBegin(fileName: string): Promise<{ id: number; path: string } | null>;
  saveWrite(id: number, piece: string | Uint8Array): Promise<void>;
  /** Keeps the file, or throws the half-written one away. */
  saveEnd(id: number, keep: boolean): Promise<void>;
  openFile(extensions: readonly string[]): Promise<{ name: string; text: string } | null>;
  /** Asks for a file and keeps it open; null = cancelled. */
  binaryOpen(extensions: readonly string[]): Promise<OpenedBinary | null>;
  binaryRead(id: number, from: number, to: number): Promise<Uint8Array>;
  binaryClose(id: number): void;
  /** From now on files that come from outside are told, those that came before included. */
  onBinary(listener: (file: OpenedBinary) => void): () => void;
  onCommand(listener: (commandId: string) => void): () => void;
  /** A second window at a route of this page; refused for any route but those of `detached.ts`. */
  detach(route: string): Promise<'opened'>;
  setActiveRun(run: { name: string; progress: number } | null): void;
}

/**
 * `event.data` of the window message that carries the port in `event.ports[0]`; `event.source` is the window itself.
 */
export const portMessage = 'tilebench.port';

interface PortEvent {
  data: unknown;
  source: unknown;
  ports: readonly MessagePort[];
}
interface PortWindow {
  addEventListener(type: 'message', listener: (event: PortEvent) => void): void;
  removeEventListener(type: 'message', listener: (event: PortEvent) => void): void;
}

/**
 * Asks for a port to the engine and waits for it; the main process answers as soon as an engine
 * runs.
 */
export function nextPort(preload: PreloadApi, window: PortWindow): Promise<MessagePort> {
  return new Promise((resolve) => {
    const take = (event: PortEvent): void => {
      const [port] = event.ports;
      if (event.source !== window || event.data !== portMessage || port === undefined) return;
      window.removeEventListener('message', take);
      resolve(port);
    };
    window.addEventListener('message', take);
    preload.connectPort();
  });
}

/** The DesktopApi of the Electron window. */
export function desktopFromPreload(preload: PreloadApi): DesktopApi {
  const fileOf = ({ id, name, size }: OpenedBinary): BinaryFile => ({
    name,
    size,
    read: (from, to) => preload.binaryRead(id, from, to),
    close: () => preload.binaryClose(id),
  });
  return {
    kind: 'electron',
    unsandboxed: preload.unsandboxed,
    async saveFile(fileName, chunks) {
      const file = await preload.saveBegin(fileName);
      if (file === null) return null;
      let keep = false;
      try {
        for await (const chunk of chunks) await preload.saveWrite(file.id, chunk);
        keep = true;
      } finally {
        await preload.saveEnd(file.id, keep);
      }
      return file.path;
    },
    openFile: (extensions) => preload.openFile(extensions),
    async openBinary(extensions) {
      const opened = await preload.binaryOpen(extensions);
      return opened === null ? null : fileOf(opened);
    },
    onOpenFile: (listener) => preload.onBinary((opened) => listener(fileOf(opened))),
    onCommand: (listener) => preload.onCommand(listener),
    detach: (route) => preload.detach(route),
    setActiveRun: (run) => preload.setActiveRun(run),
  };
}
