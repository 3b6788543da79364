import type { DesktopApi } from '../../shared/desktop.ts';

/** The desktop in a plain browser: downloads and file inputs; no native menu. `title` names the window while no run is active. */
export function createBrowserDesktop(window: Window, title = 'Tilebench'): DesktopApi {
  const { document } = window;
  document.title = title;
  return {
    kind: 'browser',
    async saveFile(fileName, chunks) {
      const parts: string[] = [];
      for await (const chunk of chunks) parts.push(chunk);
      const address = URL.createObjectURL(new Blob(parts, { type: 'application/octet-stream' }));
      const link = document.createElement('a');
      link.href = address;
      link.download = fileName;
      link.click();
      // The download has its own reference to the data once the click is handled.
      window.setTimeout(() => URL.revokeObjectURL(address), 60_000);
      return fileName;
    },
    openFile(extensions) {
      return new Promise((resolve) => {
        const input = document.createElement('input');
        input.type = 'file';
        input.accept = extensions.map((extension) => `.${extension}`).join(',');
        input.addEventListener('cancel', () => resolve(null));
        input.addEventListener('change', () => {
          const file = input.files?.[0];
          if (!file) { resolve(null); return; }
          void file.text().then((text) => resolve({ name: file.name, text }));
        });
        input.click();
      });
    },
    onCommand: () => () => undefined,
    setActiveRun(run) { document.title = run ? `${Math.round(run.progress * 100)} % ${run.name} – ${title}` : title; },
  };
}
