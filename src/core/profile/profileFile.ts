import { type FileFault } from '../base/fileFault.ts';
import { parseJsonFile } from '../base/jsonFile.ts';
import { type Profile, profileSchema } from './profile.ts';
import { checkProfile } from './profileCheck.ts';

/**
 * Parses a profile file, as exported: one profile as JSON, comments and trailing commas allowed.
 * `all` are the installed ones, for its parents. Throws invalidInput with `name:line:column` of
 * each fault.
 */
export function parseProfileFile(name: string, text: string, all: readonly Profile[]): Profile {
  return parseJsonFile(
    name,
    text,
    profileSchema,
    'profile',
    (profile) => profileFaults(profile, all),
    [{ path: ['schemaVersion'], known: 1 }],
  );
}

/** What the schema cannot say of a profile, as faults of the file it stands in, below `at`. */
export function profileFaults(
  profile: Profile,
  all: readonly Profile[],
  at: readonly string[] = [],
): FileFault[] {
  return checkProfile(profile, all).map(({ path, message, remedy }) => ({
    path: [...at, ...path.split('.')],
    message: `${message}. ${remedy}`,
  }));
}

/** The text of an exported profile. */
export const profileText = (profile: Profile): string => `${JSON.stringify(profile, null, 2)}\n`;
