import * as z from 'zod';

import { field } from '../../core/base/field.ts';
import { customerLabDraft } from '../../core/customerLab/draft.ts';
import { madeLab } from '../../core/customerLab/madeLab.ts';
import { labPartsSchema } from '../../core/customerLab/parts.ts';
import { inventoryRows } from '../../core/customerLab/rows.ts';
import { tableLimits } from '../../core/customerLab/table.ts';
import { sheetChoice, tableSheet } from '../../core/customerLab/tableSheet.ts';
import { none } from './common.ts';

/** A simulated lab of a customer's hosts. */
export const customerLabMethods = {
  /** What the library of machines offers. */
  'customerLab.parts': { changes: false, input: none, output: labPartsSchema },
  /**
   * Reads tables of an inventory (XLSX or CSV) and stores nothing. `choices`, one for each sheet,
   * say what its columns are; absent = what their names say. `faults`: sheets that cannot be read
   * so, each with its cell.
   */
  'customerLab.tables': {
    changes: false,
    input: z.object({
      name: field.name('file'),
      bytes: field.bytes(),
      choices: field.list(sheetChoice, tableLimits.sheets).optional(),
    }),
    output: z.object({
      sheets: field.list(tableSheet, tableLimits.sheets),
      faults: field.list(field.freeText(), tableLimits.sheets),
      rows: inventoryRows,
    }),
  },
  /** Makes the lab with its connections, testbed, plan and study. Simulated lab only. */
  'customerLab.make': {
    changes: true,
    input: customerLabDraft,
    output: z.object({ studyId: field.id('study') }),
  },
  /** Labs that were made here; none in the real workspace. */
  'customerLab.list': { changes: false, input: none, output: field.list(madeLab) },
  /** Removes a made lab with its connections, testbeds, plans and studies; its runs stay. */
  'customerLab.remove': {
    changes: true,
    input: z.object({ id: field.id('lab') }),
    output: none,
  },
} as const;
