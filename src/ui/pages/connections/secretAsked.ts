import { samePeer, type SecretTarget, secretUseOf } from '../../../core/plan/secretUse.ts';
import type { Connection } from '../../../core/testbed/connection.ts';
import type { SecretRef } from '../../../core/testbed/secretRef.ts';

/**
 * Why a secret is asked for again: the edited connection names another host, port or user than the
 * one it was for. null = it is not.
 */
export function askedAgain(
  before: Connection | undefined,
  after: Connection,
): { ref: SecretRef; before: SecretTarget; after: SecretTarget } | null {
  const was = before ? secretUseOf(before) : null;
  const is = secretUseOf(after);
  if (!was || !is || samePeer(was.target, is.target)) return null;
  return { ref: is.ref, before: was.target, after: is.target };
}
