import * as z from 'zod';

import { field } from '../base/field.ts';

/** What the library of machines offers to a lab that is made of parts (`resources/lab`). */
export const labPartsSchema = z.object({
  /** Cores of a generation: work per second and GHz, 1.0 = a core of a Xeon 5160 at 3.0 GHz. */
  generations: field.list(
    z.object({
      name: field.word(),
      workPerGhz: field.figure(),
      hyperThreadGain: field.figure(),
    }),
  ),
  processors: field.list(
    z.object({
      name: field.word(),
      generation: field.word(),
      cores: field.count(),
      ghz: field.figure(),
    }),
  ),
  servers: field.list(
    z.object({
      name: field.word(),
      sockets: field.count(),
      memoryGb: field.figure(),
      uplinks: field.count(),
      uplinkGbps: field.figure(),
      idleW: field.figure(),
      busyW: field.figure(),
    }),
  ),
  arrays: field.list(field.word()),
  disks: field.list(field.word()),
  adapters: field.list(field.word()),
  hypervisors: field.list(field.word()),
});
export type LabParts = z.infer<typeof labPartsSchema>;

export interface ProcessorFit {
  generation: string;
  /** The library has this processor, or one of its series. */
  exact: boolean;
  /** Why this one, in words. */
  why: string;
}

/** Series of Intel and AMD processors by their numbers, and the generation of each. */
const series: readonly [RegExp, string][] = [
  [/\bxeon.*\b(?:[lex]?51\d\d)\b/, 'Woodcrest'],
  [/\bxeon.*\b[lex]?53\d\d\b/, 'Clovertown'],
  [/\bxeon.*\b[lex]?54\d\d\b/, 'Harpertown'],
  [/\bxeon.*\b[lex]?73\d\d\b/, 'Tigerton'],
  [/\bxeon.*\b[lexw](?:34|35|55|56|65|75)\d\d\b/, 'Nehalem'],
  [/\bopteron.*\b[28]3\d\d\b/, 'Barcelona'],
  [/\bopteron.*\b(?:(?:1|2|8)\d\d|(?:1|2|8)2\d\d)\b/, 'K8'],
];
/** Families that came later, whose numbers look like those of old series. */
const later = /\b(bronze|silver|gold|platinum|max|epyc)\b|\be[357]-|\bv[2-9]\b/;
const isAmd = (name: string): boolean => /\b(amd|opteron|epyc)\b/.test(name);

/**
 * Which generation of the library a processor belongs to, or else comes nearest: the newest of its
 * maker. null = the library has none of its maker.
 */
export function fitProcessor(cpuModel: string, { generations }: LabParts): ProcessorFit | null {
  const name = cpuModel
    .toLowerCase()
    .replace(/\((r|tm)\)/g, ' ')
    .replace(/\s+/g, ' ');
  const has = (one: string): boolean => generations.some((generation) => generation.name === one);
  const found = later.test(name)
    ? undefined
    : series.find(([numbers, generation]) => numbers.test(name) && has(generation));
  if (found) return { generation: found[1], exact: true, why: `${found[1]} in the library` };
  const nearest = isAmd(name) ? 'Barcelona' : 'Nehalem';
  return has(nearest)
    ? {
        generation: nearest,
        exact: false,
        why: `${nearest}, the newest of ${isAmd(name) ? 'AMD' : 'Intel'} in the library`,
      }
    : null;
}
