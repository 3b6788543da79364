import type { Profile } from '../../../src/core/profile/profile.ts';
import type { Database } from '../db/types.ts';

/**
 * Every profile there is: the shipped ones and the user's own. The shipped ones come first and
 * cannot be replaced.
 */
export interface ProfileBook {
  get(id: string): Profile | undefined;
  has(id: string): boolean;
  list(): Profile[];
  isShipped(id: string): boolean;
  /**
   * Keeps a profile as it is, in place of an own one of its id. A shipped id is left alone: the
   * shipped profile stands.
   */
  put(profile: Profile): void;
  remove(id: string): void;
  /** Reads the own ones again: they were written past this book, or that was undone. */
  refresh(): void;
}

/**
 * Both kinds are read when something first asks for a profile: checking the shipped ones was a tenth
 * of an engine's start.
 */
export function createProfileBook(
  loadShipped: () => ReadonlyMap<string, Profile>,
  db: Database,
): ProfileBook {
  let loaded: ReadonlyMap<string, Profile> | null = null;
  let read: Map<string, Profile> | null = null;
  const shipped = (): ReadonlyMap<string, Profile> => (loaded ??= loadShipped());
  const own = (): Map<string, Profile> =>
    (read ??= new Map(db.profiles.list().map((profile) => [profile.id, profile])));
  return {
    get: (id) => shipped().get(id) ?? own().get(id),
    has: (id) => shipped().has(id) || own().has(id),
    list: () => [
      ...shipped().values(),
      ...[...own().values()].filter(({ id }) => !shipped().has(id)),
    ],
    isShipped: (id) => shipped().has(id),
    put(profile) {
      if (shipped().has(profile.id)) return;
      own().set(profile.id, db.profiles.save(profile));
    },
    remove(id) {
      db.profiles.remove(id);
      read?.delete(id);
    },
    refresh() {
      read = null;
    },
  };
}
