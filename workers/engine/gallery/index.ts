import type { GalleryEntry } from './types.ts';

/** Every entry, in the order it is shown. A new one: `EXX.ts` exports `eXX`; add its import above and its name here. */
export const gallery: readonly GalleryEntry[] = [];
