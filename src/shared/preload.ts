import type { DesktopApi } from './desktop.ts';

/** What the preload script puts on `window.tilebench`: functions only, because nothing else crosses the isolation. */
export interface PreloadApi {
  readonly kind: 'electron';
  /** Asks for a new port to the engine. It arrives as a window message, see `portMessage`; and again, unasked, after the engine was restarted. */
  connectPort(): void;
  /** Asks where to save; null = cancelled. */
  saveBegin(fileName: string): Promise<{ id: number; path: string } | null>;
  saveWrite(id: number, text: string): Promise<void>;
  /** Keeps the file, or throws the half-written one away. */
  saveEnd(id: number, keep: boolean): Promise<void>;
  openFile(extensions: readonly string[]): Promise<{ name: string; text: string } | null>;
  onCommand(listener: (commandId: string) => void): () => void;
  setActiveRun(run: { name: string; progress: number } | null): void;
}

/** `event.data` of the window message that carries the port in `event.ports[0]`; `event.source` is the window itself. */
export const portMessage = 'tilebench.port';

/** The DesktopApi of the Electron window. */
export function desktopFromPreload(preload: PreloadApi): DesktopApi {
  return {
    kind: 'electron',
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
    onCommand: (listener) => preload.onCommand(listener),
    setActiveRun: (run) => preload.setActiveRun(run),
  };
}
