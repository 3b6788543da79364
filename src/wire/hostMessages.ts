import * as z from 'zod';

import { appErrorSchema } from '../core/base/errorSchema.ts';
import { field } from '../core/base/field.ts';

/** Which engine a page is connected to: that of the real lab, or that of the simulated one. */
export const workspaceName = z.enum(['real', 'simulated']);
export type WorkspaceName = z.infer<typeof workspaceName>;

/** The file descriptor of the pipe to a forked engine process. */
export const engineFd = 3;

/** What the host's process tells the engine process, beside the ports it hands over. */
export const toEngine = z.discriminatedUnion('k', [
  /** Where secrets are kept: told as soon as the host knows, and before its first port. */
  z.object({ k: z.literal('vault'), kind: z.enum(['keychain', 'session']) }),
  z.object({
    k: z.literal('secret'),
    id: field.figure(),
    value: field.secret().nullable(),
    error: field.freeText().optional(),
  }),
  /** Asks for a `pong`. */
  z.object({ k: z.literal('ping') }),
  z.object({ k: z.literal('stop') }),
]);
export type ToEngine = z.infer<typeof toEngine>;

/** What the engine process asks of and tells the host's process. */
export const fromEngine = z.discriminatedUnion('k', [
  z.object({ k: z.literal('ready') }),
  z.object({ k: z.literal('pong') }),
  /** It cannot start. */
  z.object({ k: z.literal('failed'), error: appErrorSchema }),
  z.object({
    k: z.literal('secret'),
    id: field.figure(),
    op: z.enum(['get', 'set', 'remove']),
    name: field.name('thing'),
    value: field.secret().optional(),
  }),
  /** The run that is going on; null = none. */
  z.object({
    k: z.literal('active'),
    run: z.object({ id: field.id('run'), name: field.name('run'), state: field.word() }).nullable(),
  }),
]);
export type FromEngine = z.infer<typeof fromEngine>;
