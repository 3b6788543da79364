import * as z from 'zod';

/** What a page asks of the program that serves it, as JSON in text frames over `/host`. */
export const fromPage = z.strictObject({ act: z.literal('retry') });
export type FromPage = z.infer<typeof fromPage>;
