import * as z from 'zod';

import { field } from '../../core/base/field.ts';
import { comparison, distributions } from '../../core/compare/types.ts';

/** Runs beside each other. */
export const compareMethods = {
  'run.compare': {
    changes: false,
    input: z.object({
      baselineId: field.id('run'),
      ids: z.array(field.id('run')).min(1).max(8),
      /** Scores all of them against this run; absent = as each was scored. */
      referenceId: field.id('run').optional(),
    }),
    output: comparison,
  },
  /**
   * Histogram, distribution and boxes of one metric (`key` of a row; absent = the first that has
   * samples).
   */
  'run.distributions': {
    changes: false,
    input: z.object({
      baselineId: field.id('run'),
      ids: z.array(field.id('run')).max(8),
      key: field.id('point').optional(),
    }),
    output: distributions,
  },
} as const;
