import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { fail } from '../../../src/core/base/errors.ts';
import { type Profile, profileSchema } from '../../../src/core/profile/profile.ts';

/**
 * Reads and checks every shipped profile. A broken one is an error that names the file and the
 * place in it.
 */
export function loadProfiles(resourcesDir: string): ReadonlyMap<string, Profile> {
  const folder = join(resourcesDir, 'profiles');
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort();
  const profiles = files.map((name) => {
    const parsed = profileSchema.safeParse(JSON.parse(readFileSync(join(folder, name), 'utf8')));
    if (parsed.success) return parsed.data;
    const issue = parsed.error.issues[0];
    throw fail(
      'invalidInput',
      `Profile ${name} is not valid at ${issue?.path.join('.') ?? '?'}: ${issue?.message ?? ''}`,
      'Correct the file or remove it from resources/profiles.',
    );
  });
  return new Map(profiles.map((profile) => [profile.id, profile]));
}
