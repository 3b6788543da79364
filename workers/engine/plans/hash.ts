import { createHash } from 'node:crypto';

import { canonicalJson } from '../../../src/core/base/canonicalJson.ts';
import type { Plan } from '../../../src/core/plan/plan.ts';
import type { Profile } from '../../../src/core/profile/profile.ts';
import type { Connection } from '../../../src/core/testbed/connection.ts';
import type { Testbed } from '../../../src/core/testbed/testbed.ts';

export interface LaunchInputs {
  plan: Plan;
  testbed: Testbed;
  profile: Profile;
  connections: readonly Connection[];
}

/**
 * SHA-256 of everything a launch depends on. Any edit gives another hash and un-validates the
 * check.
 */
export function launchHash(inputs: LaunchInputs): string {
  return createHash('sha256').update(canonicalJson(inputs)).digest('hex');
}
