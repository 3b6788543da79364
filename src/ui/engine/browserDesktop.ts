import { binaryOf, type DesktopApi } from '../../wire/desktop.ts';
import { isDetached } from '../../wire/detached.ts';

/**
 * The desktop in a plain browser: downloads and file inputs; no native menu. `title` names the
 * window while no run is active.
 */
export function createBrowserDesktop(window: Window, title = 'Tilebench'): DesktopApi {
  const { document } = window;
  document.title = title;
  return {
    kind: 'browser',
    async saveFile(fileName, chunks) {
      const parts: BlobPart[] = [];
      // A blob a piece: the browser may keep it on disk, where an array of bytes stays in the
      // page's memory. No download begins before the last.
      for await (const chunk of chunks)
        parts.push(new Blob([typeof chunk === 'string' ? chunk : new Uint8Array(chunk)]));
      const address = URL.createObjectURL(new Blob(parts, { type: 'application/octet-stream' }));
      const link = document.createElement('a');
      link.href = address;
      link.download = fileName;
      link.click();
      // The download has its own reference to the data once the click is handled.
      window.setTimeout(() => URL.revokeObjectURL(address), 60_000);
      return fileName;
    },
    async openFile(extensions) {
      const file = await choose(document, extensions);
      return file === null ? null : { name: file.name, text: await file.text() };
    },
    async openBinary(extensions) {
      const file = await choose(document, extensions);
      return file === null ? null : binaryOf(file);
    },
    // A page in a browser is handed no file but by a drop, which the page sees itself.
    onOpenFile: () => () => undefined,
    onCommand: () => () => undefined,
    async detach(route) {
      const address = new URL(window.location.href);
      address.hash = route;
      // A name of its own: asked for again it is found again.
      const opened = window.open(
        address.href,
        `tilebench ${address.search} ${route}`,
        'popup,width=1280,height=800',
      );
      opened?.focus();
      return opened === null ? 'blocked' : 'opened';
    },
    // A second window names itself after what it shows.
    setActiveRun(run) {
      if (!isDetached(window.location.hash))
        document.title = run ? `${Math.round(run.progress * 100)} % ${run.name} – ${title}` : title;
    },
  };
}

/** The browser's own question for a file; null = cancelled. */
function choose(document: Document, extensions: readonly string[]): Promise<File | null> {
  return new Promise((resolve) => {
    const input = document.createElement('input');
    input.type = 'file';
    input.accept = extensions.map((extension) => `.${extension}`).join(',');
    input.addEventListener('cancel', () => resolve(null));
    input.addEventListener('change', () => resolve(input.files?.[0] ?? null));
    input.click();
  });
}
