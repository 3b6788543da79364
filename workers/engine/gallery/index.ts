import { e02 } from './E02.ts';
import { e09 } from './E09.ts';
import { e10 } from './E10.ts';
import { e12 } from './E12.ts';
import { e14 } from './E14.ts';
import type { GalleryEntry } from './types.ts';

/** Every entry, in the order it is shown. A new one: `EXX.ts` exports `eXX`; add its import above and its name here. */
export const gallery: readonly GalleryEntry[] = [e02, e09, e10, e12, e14];
