import * as z from 'zod';

import { field } from '../base/field.ts';

/** Most of them that one testbed records. */
export const mostArrays = 64;
const word = field.word().max(120).nullable().default(null);
const megabytes = field.figure().min(0).max(1e9).nullable().default(null);
const percent = field.figure().min(0).max(100).nullable().default(null);

/**
 * A disk array as people know it: no console can read it of the machines. null = not known; nothing
 * is guessed.
 */
export const arrayFactsSchema = z
  .object({
    name: field.name('thing').min(1).max(120),
    model: word,
    /** As its maker calls it: `RAID 5 (4+1)`. */
    raid: word,
    disks: z.number().int().min(1).max(100_000).nullable().default(null),
    diskKind: word,
    readCacheMb: megabytes,
    writeCacheMb: megabytes,
    firmware: word,
    /** Fill of the write cache at which the array begins to write to its disks, and at which it ends. */
    highWatermarkPct: percent,
    lowWatermarkPct: percent,
    note: field.freeText().max(2_000).default(''),
    /** Datastores that lie on it; empty = not said. */
    datastores: z
      .array(z.object({ ref: field.id('ref'), name: field.name('datastore').max(255) }))
      .max(1_024)
      .default([]),
  })
  .refine(
    ({ lowWatermarkPct: low, highWatermarkPct: high }) =>
      low === null || high === null || low <= high,
    { path: ['lowWatermarkPct'], error: 'is above the high watermark. Exchange the two.' },
  );
export type ArrayFacts = z.infer<typeof arrayFactsSchema>;

/** What a form and a table call each of them, and in what it is told. */
export const arrayColumns = {
  name: { label: 'Name', unit: null },
  model: { label: 'Model', unit: null },
  raid: { label: 'RAID level', unit: null },
  disks: { label: 'Disks', unit: null },
  diskKind: { label: 'Kind of disk', unit: null },
  readCacheMb: { label: 'Read cache', unit: 'MB' },
  writeCacheMb: { label: 'Write cache', unit: 'MB' },
  firmware: { label: 'Firmware', unit: null },
  highWatermarkPct: { label: 'High watermark', unit: '%' },
  lowWatermarkPct: { label: 'Low watermark', unit: '%' },
  note: { label: 'Note', unit: null },
} as const satisfies Readonly<
  Record<Exclude<keyof ArrayFacts, 'datastores'>, { label: string; unit: string | null }>
>;

/** One that nothing is known of yet. */
export const newArray = (name: string): ArrayFacts => arrayFactsSchema.parse({ name });
