import { useCallback, useEffect } from 'react';
import * as z from 'zod';

import type { AppErrorShape } from '../../../core/base/errors.ts';
import { type OwnStory, ownStory } from '../../../core/history/story.ts';
import { api, useStoryListQuery } from '../../engine/api.ts';
import { type SendCommand, useSendCommand } from '../../engine/sendCommand.ts';
import { useSimulated } from '../../engine/services.ts';
import { useAppDispatch } from '../../engine/store.ts';

const none: readonly OwnStory[] = [];

/** The stories of this workspace, by name; those that a window kept before are taken over. */
export function useOwnStories(): {
  stories: readonly OwnStory[];
  /** They are not read yet. */ loading: boolean;
  /** They cannot be read. */ error: AppErrorShape | null;
} {
  const simulated = useSimulated();
  const send = useSendCommand();
  const { data, error } = useStoryListQuery({});
  useEffect(() => {
    void takeOver(simulated, send);
  }, [simulated, send]);
  return {
    stories: data ?? none,
    loading: data === undefined && error === undefined,
    error: (error as AppErrorShape | undefined) ?? null,
  };
}

/** What changes the stories; what is refused is shown as a notice too. */
export function useStoryCommands(): {
  /** Replaces the one of its id, or adds it. */
  save: (story: OwnStory) => Promise<OwnStory>;
  remove: (id: string) => Promise<void>;
} {
  const send = useSendCommand();
  const dispatch = useAppDispatch();
  // Into the list at once: the page that is opened next looks for it there.
  const put = useCallback(
    (id: string, story: OwnStory | null) => {
      dispatch(
        api.util.updateQueryData('storyList', {}, (list) => [
          ...list.filter((one) => one.id !== id),
          ...(story === null ? [] : [story]),
        ]),
      );
    },
    [dispatch],
  );
  const save = useCallback(
    async (story: OwnStory) => {
      const saved = await send('story.save', story);
      put(saved.id, saved);
      return saved;
    },
    [send, put],
  );
  const remove = useCallback(
    async (id: string) => {
      await send('story.remove', { id });
      put(id, null);
    },
    [send, put],
  );
  return { save, remove };
}

/** As windows kept them before the engine did. */
const earlier = z.array(z.unknown());
const earlierStory = z.looseObject({ title: z.string() });
const inHand = new Set<string>();

/**
 * Hands the stories that this window kept before to the engine, once. One that the engine refuses,
 * which a notice tells, stays for the next time; one that cannot be read, under a name of its own.
 */
async function takeOver(simulated: boolean, send: SendCommand): Promise<void> {
  const key = `tilebench.stories.${simulated ? 'simulated' : 'real'}`;
  const text = localStorage.getItem(key);
  if (text === null || inHand.has(key)) return;
  inHand.add(key);
  try {
    const unread: unknown[] = [];
    const refused: unknown[] = [];
    for (const one of listIn(text)) {
      const old = earlierStory.safeParse(one).data;
      const story = ownStory.safeParse(
        old === undefined ? one : { id: old['id'], name: old.title, steps: old['steps'] },
      ).data;
      if (story === undefined) unread.push(one);
      else
        await send('story.save', story).then(
          () => undefined,
          () => refused.push(one),
        );
    }
    if (unread.length > 0) localStorage.setItem(`${key}.unread`, JSON.stringify(unread));
    if (refused.length > 0) localStorage.setItem(key, JSON.stringify(refused));
    else localStorage.removeItem(key);
  } finally {
    inHand.delete(key);
  }
}

function listIn(text: string): unknown[] {
  try {
    return earlier.safeParse(JSON.parse(text)).data ?? [text];
  } catch {
    // Damaged by something else than this program: kept as it is.
    return [text];
  }
}
