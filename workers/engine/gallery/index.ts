import { e01 } from './E01.ts';
import { e02 } from './E02.ts';
import { e03 } from './E03.ts';
import { e04 } from './E04.ts';
import { e05 } from './E05.ts';
import { e06 } from './E06.ts';
import { e07 } from './E07.ts';
import { e08 } from './E08.ts';
import { e09 } from './E09.ts';
import { e10 } from './E10.ts';
import { e11 } from './E11.ts';
import { e12 } from './E12.ts';
import { e13 } from './E13.ts';
import { e14 } from './E14.ts';
import { e15 } from './E15.ts';
import { withServes } from './serves.ts';
import type { GalleryEntry } from './types.ts';

/**
 * Every entry, in the order it is shown. A new one: `EXX.ts` exports `eXX`; add its import above
 * and its name here.
 */
export const gallery: readonly GalleryEntry[] = withServes([
  e01,
  e02,
  e03,
  e04,
  e05,
  e06,
  e07,
  e08,
  e09,
  e10,
  e11,
  e12,
  e13,
  e14,
  e15,
]);
