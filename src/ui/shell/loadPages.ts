import type * as pageModule from './pages.ts';

export type Pages = typeof pageModule;

let loaded: Pages | null = null;
let loading: Promise<Pages> | null = null;

/** The part with the pages, where it was read; null before. */
export const loadedPages = (): Pages | null => loaded;

/** The part with the pages; read once. After a failure the next call tries again. */
export function loadPages(): Promise<Pages> {
  loading ??= import('./pages.ts').then(
    (pages) => (loaded = pages),
    (thrown: unknown) => {
      loading = null;
      throw thrown;
    },
  );
  return loading;
}
