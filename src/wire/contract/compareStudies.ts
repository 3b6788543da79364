import * as z from 'zod';

import { field } from '../../core/base/field.ts';
import { studyComparison } from '../../core/study/studyComparison.ts';

/** Curves of studies over each other. */
export const studyCompareMethods = {
  /** Curves of studies over each other. `baseline` is the key of a curve; absent = the first. */
  'study.compare': {
    changes: false,
    input: z.object({
      ids: z.array(field.id('study')).min(1).max(8),
      baseline: field.id('baseline').optional(),
    }),
    output: studyComparison,
  },
} as const;
