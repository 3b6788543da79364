import * as z from 'zod';

import { field } from '../base/field.ts';
import { tableKinds } from './columns.ts';
import { tableLimits } from './table.ts';

/** A sheet as it is shown before it is taken, and what its columns are taken for. */

const column = z.object({
  column: z.number().int().min(0).max(tableLimits.columns),
  unit: field.word().max(10).optional(),
});
export const sheetChoice = z.object({
  /** null = it is left out. */ kind: z.enum(tableKinds).nullable(),
  /** By field (`columnFields`). */ columns: field.record(field.word().max(40), column, 40),
});
export type SheetChoice = z.infer<typeof sheetChoice>;

export const tableSheet = z.object({
  file: field.name('file'),
  sheet: field.freeText().nullable(),
  columns: field.list(field.freeText(), tableLimits.columns),
  /** Its first rows. */
  sample: field.list(field.list(field.freeText(), tableLimits.columns), 10),
  rows: field.count(),
  choice: sheetChoice,
});
export type TableSheet = z.infer<typeof tableSheet>;
