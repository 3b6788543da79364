import * as z from 'zod';

import { field } from '../core/base/field.ts';
import type { EngineNotice } from './engineNotice.ts';

/*
 * What the program that serves a page says beside the engine, as JSON in text frames over the
 * WebSocket `/host`: an engine that does not answer cannot say so itself.
 */

export const toPage = z.object({
  /** null = all is well, or it passes by itself. */
  notice: z
    .object({
      message: field.freeText(),
      detail: field.freeText(),
      choices: field
        .list(
          z.object({ label: field.word(), act: z.enum(['retry', 'wait', 'quit', 'nothing']) }),
          8,
        )
        .readonly(),
    })
    .nullable() satisfies z.ZodType<EngineNotice | null>,
});
export type ToPage = z.infer<typeof toPage>;

export const fromPage = z.strictObject({ act: z.literal('retry') });
export type FromPage = z.infer<typeof fromPage>;
