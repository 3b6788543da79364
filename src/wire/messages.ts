import * as z from 'zod';

import { appErrorSchema } from '../core/base/errorSchema.ts';
import { field } from '../core/base/field.ts';

/**
 * The first message of each end. A client of no certain contract says null: it takes the engine's
 * as it is.
 */
const hello = z.strictObject({
  k: z.literal('hello'),
  contract: field.hash().max(64).nullable(),
  /** Of the application. */
  version: field.word().max(64),
});
const callId = field.count();
const runId = field.id('run').min(1).max(200);

/** What an engine takes from a client, after its hello. */
export const requestSchema = z.discriminatedUnion('k', [
  hello,
  /** `id` is the client's own, and of no other open call. */
  z.strictObject({
    k: z.literal('call'),
    id: callId,
    method: field.word().max(200),
    input: z.unknown(),
  }),
  z.strictObject({ k: z.literal('cancel'), id: callId }),
  /** Events up to this number were taken: without it no more than `maxUnacknowledged` are sent. */
  z.strictObject({ k: z.literal('ack'), n: field.count() }),
  /** Samples of this run are wanted, or no longer. */
  z.strictObject({ k: z.literal('follow'), runId, follows: z.boolean() }),
  /** Asks for a `pong`. */
  z.strictObject({ k: z.literal('ping') }),
]);
export type Request = z.infer<typeof requestSchema>;

/** What a client takes from an engine. */
export const replySchema = z.discriminatedUnion('k', [
  hello,
  z.strictObject({ k: z.literal('done'), id: callId, output: z.unknown() }),
  /** `id` null: the answer to a message that is none of `requestSchema`. */
  z.strictObject({ k: z.literal('failed'), id: callId.nullable(), error: appErrorSchema }),
  /** `n` counts from 1; `ack` gives it back. */
  z.strictObject({
    k: z.literal('event'),
    n: field.count(),
    event: field.word(),
    payload: z.unknown(),
  }),
  /** Samples of this run were left out because the client was slow: ask for the window again. */
  z.strictObject({ k: z.literal('gap'), runId }),
  z.strictObject({ k: z.literal('pong') }),
]);
export type Reply = z.infer<typeof replySchema>;
