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

export function createProfileBook(
  shipped: ReadonlyMap<string, Profile>,
  db: Database,
): ProfileBook {
  const read = (): Map<string, Profile> =>
    new Map(db.profiles.list().map((profile) => [profile.id, profile]));
  let own = read();
  return {
    get: (id) => shipped.get(id) ?? own.get(id),
    has: (id) => shipped.has(id) || own.has(id),
    list: () => [...shipped.values(), ...[...own.values()].filter(({ id }) => !shipped.has(id))],
    isShipped: (id) => shipped.has(id),
    put(profile) {
      if (shipped.has(profile.id)) return;
      own.set(profile.id, db.profiles.save(profile));
    },
    remove(id) {
      db.profiles.remove(id);
      own.delete(id);
    },
    refresh() {
      own = read();
    },
  };
}
