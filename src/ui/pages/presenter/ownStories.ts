import { useCallback, useSyncExternalStore } from 'react';
import * as z from 'zod';

import { useSimulated } from '../../engine/services.ts';

/** Bounds of what is kept: far beyond an hour in a room. */
export const mostStories = 50;
export const mostSteps = 40;
export const longestHeadline = 160;
export const longestNotes = 4_000;

const ownStep = z.object({
  kind: z.enum(['run', 'study']),
  /** Id of the run or study. */
  of: z.string().min(1).max(200),
  /** What the room reads; '' = the name of the run or study. */
  headline: z.string().max(longestHeadline),
  /** What only the speaker reads, on the second screen. */
  notes: z.string().max(longestNotes),
});
const ownStory = z.object({
  id: z.string().min(1).max(100),
  title: z.string().min(1).max(120),
  steps: z.array(ownStep).max(mostSteps),
});
export type OwnStep = z.infer<typeof ownStep>;
export type OwnStory = z.infer<typeof ownStory>;

const kept = z.array(ownStory).max(mostStories);
const none: readonly OwnStory[] = [];
const listeners = new Set<() => void>();
/** Of each key what was read last, so that the same text is the same list. */
const read = new Map<string, { text: string | null; stories: readonly OwnStory[] }>();

const keyOf = (simulated: boolean): string =>
  `tilebench.stories.${simulated ? 'simulated' : 'real'}`;

/** Own stories kept in this program or browser; those that cannot be read are none. */
export function readStories(simulated: boolean): readonly OwnStory[] {
  const key = keyOf(simulated);
  const text = localStorage.getItem(key);
  const before = read.get(key);
  if (before !== undefined && before.text === text) return before.stories;
  let stories = none;
  try {
    stories = kept.safeParse(JSON.parse(text ?? '[]')).data ?? none;
  } catch {
    // Damaged by something else than this program: nothing of it can be told.
    stories = none;
  }
  read.set(key, { text, stories });
  return stories;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}

function write(simulated: boolean, stories: readonly OwnStory[]): void {
  localStorage.setItem(keyOf(simulated), JSON.stringify(stories));
  for (const listener of listeners) listener();
}

/** The stories of this workspace, in the order they were made, and what changes them. */
export function useOwnStories(): {
  stories: readonly OwnStory[];
  /** Replaces the one of its id, or adds it. @throws ZodError beyond the bounds */
  save: (story: OwnStory) => void;
  remove: (id: string) => void;
} {
  const simulated = useSimulated();
  const stories = useSyncExternalStore(subscribe, () => readStories(simulated));
  const save = useCallback(
    (story: OwnStory) => {
      const now = readStories(simulated);
      const good = ownStory.parse(story);
      write(
        simulated,
        kept.parse(
          now.some(({ id }) => id === good.id)
            ? now.map((one) => (one.id === good.id ? good : one))
            : [...now, good],
        ),
      );
    },
    [simulated],
  );
  const remove = useCallback(
    (id: string) =>
      write(
        simulated,
        readStories(simulated).filter((one) => one.id !== id),
      ),
    [simulated],
  );
  return { stories, save, remove };
}
