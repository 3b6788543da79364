import * as z from 'zod';

import { field } from '../base/field.ts';

/** When a run ends before its time because it is wasted. Absent in a plan = never. */
export const earlyAbortRule = z.object({
  /**
   * `certain`: no value from now on can keep the limit in the period. `forecast`: also where it
   * will be missed at the present trend.
   */
  when: z.enum(['certain', 'forecast']),
  /** The same limit in so many measurement periods in a row. */
  periods: z
    .number()
    .int()
    .min(1, { error: 'at least 1 period' })
    .max(100, { error: 'at most 100 periods' }),
  /**
   * Seconds of the run's clock between the warning and the end, in which somebody can let it run.
   */
  warnS: z
    .number()
    .int()
    .min(0, { error: 'at least 0 s' })
    .max(3_600, { error: 'at most 3600 s' })
    .default(60),
});
export type EarlyAbortRule = z.infer<typeof earlyAbortRule>;

/**
 * What became of the rule in a run: stored with it, so that another engine goes on with the same
 * warning.
 */
export const earlyAbortState = z.object({
  state: z.enum(['warned', 'withdrawn', 'vetoed', 'ended']),
  /** Which limit, in how many periods. */
  text: field.freeText(),
  atMs: field.figure(),
  /** When the run ends if nobody lets it run. */
  dueMs: field.timeMs(),
});
export type EarlyAbortState = z.infer<typeof earlyAbortState>;
