import * as z from 'zod';

import { field } from '../base/field.ts';

/** SHA-256 of a certificate, as the form shows it. */
export const certificateSha256 = field
  .address('fingerprint')
  .regex(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/, 'a SHA-256 fingerprint: 32 hex pairs with colons');

/**
 * Where a secret comes from. Never the secret itself. `keychain` ids live in the host's secret
 * store.
 */
export const secretRef = z.union([
  z.object({ keychain: field.address('secret') }),
  z.object({ env: field.address('variable').regex(/^[A-Za-z_][A-Za-z0-9_]*$/) }),
  z.object({ file: field.address('path') }),
]);
export type SecretRef = z.infer<typeof secretRef>;
