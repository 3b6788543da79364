import { fail } from '../../../src/core/base/errors.ts';
import { storyLimits } from '../../../src/core/history/story.ts';
import type { Emit, Handlers } from '../../../src/wire/contract.ts';
import type { Database } from '../db/types.ts';

type Methods = Pick<Handlers, 'story.list' | 'story.save' | 'story.remove'>;

/** Stories of own runs and studies: kept with them, so that every window has them. */
export function storyMethods({ db, emit }: { db: Pick<Database, 'stories'>; emit: Emit }): Methods {
  return {
    'story.list': async () => db.stories.list().slice(0, storyLimits.stories),
    'story.save': async (story) => {
      const all = db.stories.list();
      if (!all.some(({ id }) => id === story.id) && all.length >= storyLimits.stories)
        throw fail(
          'conflict',
          `There are ${all.length} stories; more are not kept.`,
          'Delete one first.',
        );
      const saved = db.stories.save(story);
      emit('list.changed', { list: 'stories' });
      return saved;
    },
    'story.remove': async ({ id }) => {
      db.stories.remove(id);
      emit('list.changed', { list: 'stories' });
      return {};
    },
  };
}
