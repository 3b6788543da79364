import * as z from 'zod';

import { type AppErrorShape, errorKinds } from './errors.ts';
import { field } from './field.ts';

/** What another process says of a failure. */
export const appErrorSchema = z.object({
  kind: z.enum(errorKinds),
  message: field.freeText(),
  hint: field.freeText().optional(),
  details: field
    .record(field.word(), z.union([field.freeText(), field.figure(), z.boolean(), z.null()]))
    .optional(),
}) satisfies z.ZodType<AppErrorShape>;
