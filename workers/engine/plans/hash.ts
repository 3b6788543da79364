import { createHash } from 'node:crypto';

import type { Plan } from '../../../src/shared/plan.ts';
import type { Profile } from '../../../src/shared/profile.ts';
import type { Connection, Testbed } from '../../../src/shared/testbed.ts';

/** JSON with sorted keys, so that equal meaning gives equal bytes. Undefined members are left out, as JSON does. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
      : inner,
  );
}

export interface LaunchInputs {
  plan: Plan;
  testbed: Testbed;
  profile: Profile;
  connections: readonly Connection[];
}

/** SHA-256 of everything a launch depends on. Any edit gives another hash and un-validates the check. */
export function launchHash(inputs: LaunchInputs): string {
  return createHash('sha256').update(canonicalJson(inputs)).digest('hex');
}
