import type { Handlers } from '../../../src/wire/contract.ts';
import type { GalleryEntry } from './types.ts';

/**
 * The ready-made studies. Making them takes longer than all else of an engine's start, so they are
 * made when first asked for.
 */
export interface Shelf {
  /** Throws where nobody loaded them: a method that reads them is given through `loadedFirst`. */
  entries: () => readonly GalleryEntry[];
  load(): Promise<void>;
  /** The same methods, each once the studies are there. */
  loadedFirst<M extends Partial<Handlers>>(methods: M): M;
}

export function createShelf(given?: readonly GalleryEntry[]): Shelf {
  let entries = given ?? null;
  const load = async (): Promise<void> => {
    entries ??= (await import('./index.ts')).gallery;
  };
  return {
    entries() {
      if (entries === null)
        throw new Error('The ready-made studies are read before they are made.');
      return entries;
    },
    load,
    loadedFirst: (methods) =>
      Object.fromEntries(
        Object.entries(methods).map(([name, method]) => [
          name,
          async (input: never, signal: AbortSignal) => {
            await load();
            return (method as (input: never, signal: AbortSignal) => Promise<unknown>)(
              input,
              signal,
            );
          },
        ]),
      ) as typeof methods,
  };
}
