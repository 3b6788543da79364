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
const listeners = new Set<() => void>();
/** What is kept under a key: `whole` where all of it could be read. */
interface Read {
  text: string | null;
  stories: readonly OwnStory[];
  whole: boolean;
}
/** Of each key what was read last, so that the same text is the same list. */
const read = new Map<string, Read>();

const keyOf = (simulated: boolean): string =>
  `tilebench.stories.${simulated ? 'simulated' : 'real'}`;

/** Every story of a text that can be read. */
function storiesIn(text: string | null): Read {
  let parsed: unknown = null;
  try {
    parsed = JSON.parse(text ?? '[]');
  } catch {
    // Damaged by something else than this program: `write` puts it aside.
  }
  const all = z.array(z.unknown()).safeParse(parsed).data;
  const stories = all?.flatMap((one) => ownStory.safeParse(one).data ?? []) ?? [];
  return { text, stories, whole: all?.length === stories.length };
}

/** Own stories kept in this program or browser, as far as they can be read. */
export function readStories(simulated: boolean): readonly OwnStory[] {
  const key = keyOf(simulated);
  const text = localStorage.getItem(key);
  const before = read.get(key);
  if (before?.text === text) return before.stories;
  const now = storiesIn(text);
  read.set(key, now);
  return now.stories;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}

/** What could not be read, of another version or damaged, is kept aside and not written over. */
function write(simulated: boolean, stories: readonly OwnStory[]): void {
  const key = keyOf(simulated);
  const before = read.get(key);
  if (before?.whole === false && before.text !== null)
    localStorage.setItem(`${key}.unread.${Date.now()}`, before.text);
  localStorage.setItem(key, JSON.stringify(stories));
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
