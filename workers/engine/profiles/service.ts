import { fail } from '../../../src/core/base/errors.ts';
import { commandsOfProfile } from '../../../src/core/planImport/loads.ts';
import { demandProfile, nextVersion } from '../../../src/core/profile/profileCheck.ts';
import type { Emit, Handlers } from '../../../src/wire/contract.ts';
import type { Database } from '../db/types.ts';
import type { ProfileBook } from './book.ts';

type Methods = Pick<
  Handlers,
  'profile.list' | 'profile.save' | 'profile.import' | 'profile.remove'
>;

/**
 * Lists, keeps and removes benchmark profiles. A run keeps the profile it ran with in its own
 * record, so none of this touches a result.
 */
export function profileMethods({
  book,
  db,
  emit,
}: {
  book: ProfileBook;
  db: Database;
  emit: Emit;
}): Methods {
  const changed = (): void => emit('list.changed', { list: 'profiles' });
  return {
    'profile.list': async () =>
      book
        .list()
        .map((profile) => (book.isShipped(profile.id) ? { ...profile, shipped: true } : profile)),
    'profile.save': async (profile) => {
      if (book.isShipped(profile.id))
        throw fail(
          'conflict',
          `${profile.name} is a shipped profile and cannot be changed.`,
          'Copy it and change the copy.',
        );
      demandProfile(profile, book.list());
      const before = db.profiles.get(profile.id);
      const saved =
        before === null ? profile : { ...profile, version: nextVersion(before.version) };
      book.put(saved);
      changed();
      return saved;
    },
    'profile.import': async ({ profile, allowCommands }) => {
      if (book.has(profile.id))
        throw fail(
          'conflict',
          `Another profile has the id ${profile.id}.`,
          'Give the profile of the file an id of its own.',
        );
      demandProfile(profile, book.list());
      const commands = commandsOfProfile(profile).length;
      if (commands > 0 && !allowCommands)
        throw fail(
          'untrusted',
          `Profile ${profile.name} brings ${commands} shell commands that client machines would run.`,
          'Read them in the import and agree to them, or remove them from the file.',
        );
      book.put(profile);
      changed();
      return profile;
    },
    'profile.remove': async ({ id }) => {
      if (book.isShipped(id)) throw fail('conflict', 'A shipped profile cannot be removed.');
      const plans = db.plans
        .list()
        .filter((plan) => plan.profileId === id)
        .map((plan) => `plan ${plan.name}`);
      const testbeds = db.testbeds
        .list()
        .filter((testbed) => testbed.profileId === id)
        .map((testbed) => `testbed ${testbed.name}`);
      const users = [...plans, ...testbeds];
      if (users.length > 0)
        throw fail(
          'conflict',
          'The profile is used by ' +
            `${users.slice(0, 5).join(', ')}${users.length > 5 ? ` and ${users.length - 5} more` : ''}.`,
          'Give them another profile, or remove them first.',
        );
      book.remove(id);
      changed();
      return {};
    },
  };
}
