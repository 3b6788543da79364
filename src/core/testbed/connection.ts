import * as z from 'zod';

import { field } from '../base/field.ts';
import { powerSourceSchema } from './powerSources.ts';
import { certificateSha256, secretRef } from './secretRef.ts';

/** Id of a connection, by which testbeds and jumps name it. */
export const connectionId = field.id('connection').min(1).max(64);

const vcenterConnection = z.object({
  kind: z.literal('vcenter'),
  id: connectionId,
  name: field.name('vcenter').min(1),
  host: field.address('address').min(1),
  port: z.number().int().min(1).max(65_535).default(443),
  user: field.address('person').min(1),
  password: secretRef,
  /** Pinned certificate; absent = must verify against the system's CAs. */
  fingerprint256: certificateSha256.optional(),
});

const sshAuth = z.union([
  z.object({
    method: z.literal('key'),
    path: field.address('path').min(1),
    passphrase: secretRef.optional(),
  }),
  z.object({ method: z.literal('agent') }),
  z.object({ method: z.literal('password'), password: secretRef }),
]);
export type SshAuth = z.infer<typeof sshAuth>;

export const clientConnection = z.object({
  kind: z.literal('client'),
  id: connectionId,
  name: field.name('client').min(1),
  host: field.address('address').min(1),
  port: z.number().int().min(1).max(65_535).default(22),
  user: field.address('person').min(1),
  auth: sshAuth,
  /**
   * `SHA256:<base64>` as ssh-keygen prints it. Absent = must be in known_hosts or the app's trust
   * store.
   */
  hostKeySha256: field
    .address('fingerprint')
    .regex(/^SHA256:[A-Za-z0-9+/]{43}$/)
    .optional(),
  /** Old servers sign with SHA-1 only (ssh-rsa): refused unless set. */
  allowSha1: z.boolean().optional(),
  /** Id of the client connection to go through. */
  jumpId: connectionId.optional(),
});

const powerConnection = z.object({
  kind: z.literal('power'),
  id: connectionId,
  name: field.name('meter').min(1),
  source: powerSourceSchema,
});

export const connectionSchema = z.discriminatedUnion('kind', [
  vcenterConnection,
  clientConnection,
  powerConnection,
]);
export type Connection = z.infer<typeof connectionSchema>;
export type VCenterConnection = z.infer<typeof vcenterConnection>;
export type ClientConnection = z.infer<typeof clientConnection>;
export type PowerConnection = z.infer<typeof powerConnection>;
