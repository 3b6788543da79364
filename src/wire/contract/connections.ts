import * as z from 'zod';

import { patternLimit } from '../../core/base/bracePattern.ts';
import { field } from '../../core/base/field.ts';
import { connectionId, connectionSchema } from '../../core/testbed/connection.ts';
import { inventorySchema } from '../../core/testbed/inventory.ts';
import { byId, none } from './common.ts';

/** What `connection.test` walks through, in order; the first that fails is named. */
export const testSteps = [
  'name',
  'port',
  'tls',
  'pin',
  'authentication',
  'permission',
  'reading',
  'refresh',
] as const;
/** What a meter could be read at, with what it said. */
const meterReading = z.object({
  /** The member `reading` of its source. */ reading: field.path('reading'),
  label: field.freeText(),
  watts: field.figure().nullable(),
  /** The one that is read as the source is set. */ chosen: z.boolean(),
});
const testReport = z.object({
  ok: z.boolean(),
  steps: field.list(
    z.object({
      step: z.enum(testSteps),
      ok: z.boolean(),
      detail: field.freeText(),
      fix: field.freeText().optional(),
    }),
  ),
  /** Of a meter that offers several. */
  readings: field.list(meterReading, 100).optional(),
  /** How often a meter gave a new value while it was watched; null = it gave none. */
  updateMs: field.figure().nullable().optional(),
});
export type TestReport = z.infer<typeof testReport>;
/** What the other end presents before anything is trusted. */
const identitySchema = z.object({
  kind: z.enum(['certificate', 'hostKey']),
  fingerprint: field.address('fingerprint'),
  subject: field.name('subject'),
  issuer: field.name('issuer').nullable(),
  validToMs: field.timeMs().nullable(),
  /** Against CAs, known_hosts and the app's own trust store. */
  trust: z.enum(['trusted', 'unknown', 'changed']),
  /** The fingerprint trusted until now, where it changed. */
  expected: field.address('fingerprint').nullable(),
});
export type Identity = z.infer<typeof identitySchema>;

/** Saved at once: as many as a pattern stands for. */
const mostConnections = patternLimit;

/** Connections and what is discovered behind them. */
export const connectionMethods = {
  'connection.list': { changes: false, input: none, output: field.list(connectionSchema) },
  'connection.save': {
    changes: true,
    input: z.object({
      connection: connectionSchema,
      /** Kept in the keychain or for the session, never in the database. */ secret: field
        .secret()
        .optional(),
      /** A person agreed that the file or variable it names is sent to this host. */
      allowSecret: z.boolean().default(false),
    }),
    output: connectionSchema,
  },
  /**
   * Keeps several at once, all or none. A secret is stored once, for the host, port, user and pin
   * of each of them and nobody else.
   */
  'connection.saveAll': {
    changes: true,
    input: z.object({
      connections: field.list(connectionSchema, mostConnections).min(1),
      secret: field.secret().optional(),
    }),
    output: field.list(connectionSchema, mostConnections),
  },
  /** What each connection is used by, and when it last worked. */
  'connection.facts': {
    changes: false,
    input: none,
    output: field.record(
      connectionId,
      z.object({
        usedBy: field.list(field.freeText()),
        /** Of the last test that passed with this address and user; null = none did. */
        workedAtMs: field.timeMs().nullable(),
        /** How often a meter gave a new value in that test; null = it does not tell, or no meter. */
        updateMs: field.figure().nullable(),
      }),
    ),
  },
  'connection.remove': { changes: true, input: byId, output: none },
  /** Reads the certificate or host key without trusting it. */
  'connection.identify': {
    changes: false,
    input: z.object({ connection: connectionSchema }),
    output: identitySchema,
  },
  'connection.test': {
    changes: true,
    input: z.object({ connection: connectionSchema, secret: field.secret().optional() }),
    output: testReport,
  },
  'inventory.discover': {
    changes: true,
    input: z.object({ vcenterId: field.id('vcenter') }),
    output: inventorySchema,
  },
  /** The last discovered inventory, or null. */
  'inventory.get': {
    changes: false,
    input: z.object({ vcenterId: field.id('vcenter') }),
    output: inventorySchema.nullable(),
  },
} as const;
