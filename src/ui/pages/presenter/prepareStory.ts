import { fail } from '../../../core/base/errors.ts';
import type { Reader } from '../../../wire/contract.ts';
import type { SendCommand } from '../../engine/sendCommand.ts';
import type { Story } from './stories.ts';

/** How far a story is computed ahead. */
export interface Preparing {
  /** Studies of it that are done, and how many it has. */
  done: number;
  studies: number;
  /** Points of the study that is computed now; null = none is. */
  points: { done: number; total: number } | null;
}

/** Entries of the gallery that a story needs, in the order it tells them. */
export const studiesOf = (story: Pick<Story, 'steps'>): string[] => [
  ...new Set(story.steps.map(({ galleryId }) => galleryId)),
];

/**
 * Runs the studies of a story one after the other, as fast as the machine goes, and tells how far
 * it is; the lab's clock is afterwards as it was. Throws what the engine refuses, and conflict where
 * a study stops before its end.
 */
export async function prepareStory(
  { client, send }: { client: Reader; send: SendCommand },
  story: Story,
  {
    tell,
    waitMs,
    signal,
  }: {
    tell: (now: Preparing) => void;
    waitMs: (ms: number, signal: AbortSignal) => Promise<void>;
    signal: AbortSignal;
  },
): Promise<void> {
  const ids = studiesOf(story);
  const { speed, paused } = await client.call('lab.status', {}, signal);
  try {
    for (const [done, galleryId] of ids.entries()) {
      tell({ done, studies: ids.length, points: null });
      const { studyId } = await send(
        'gallery.install',
        { id: galleryId },
        { signal, refusal: 'here' },
      );
      let asked = false;
      for (;;) {
        const { state, points } = await client.call('study.overview', { id: studyId }, signal);
        if (state === 'done') break;
        const measured = points.filter((p) => p.state !== 'pending' && p.state !== 'running');
        tell({
          done,
          studies: ids.length,
          points: { done: measured.length, total: points.length },
        });
        if (state !== 'running' && state !== 'pausing') {
          if (asked)
            throw fail(
              'conflict',
              `Study ${galleryId} stopped.`,
              'Open it to see why, or try again.',
            );
          asked = true;
          await send('study.start', { id: studyId }, { signal, refusal: 'here' });
          await send('lab.pace', { speed: null, paused: false }, { signal, refusal: 'here' });
        }
        await waitMs(1_000, signal);
      }
    }
    tell({ done: ids.length, studies: ids.length, points: null });
  } finally {
    // Also where the page was left: what goes on, goes on at the clock that was chosen.
    await send('lab.pace', { speed, paused }, { refusal: 'here' });
  }
}
