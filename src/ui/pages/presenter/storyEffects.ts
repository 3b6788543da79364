import { toAppError } from '../../../core/base/errors.ts';
import type { Reader } from '../../../wire/contract.ts';
import type { SendCommand } from '../../engine/sendCommand.ts';
import type { StoryEffect, StoryEvent } from './storyMachine.ts';

/** How long a study may take to make room for the next, and how often it is asked. */
const roomTries = 40;

interface StoryEngine {
  client: Reader;
  send: SendCommand;
}

/**
 * Does what a story needs of the engine and tells how it went, as events of the story. Only one
 * study runs at a time: another of this story that still runs is paused first, and goes on when the
 * story comes back to it.
 */
export async function doEffect(
  { client, send }: StoryEngine,
  effect: StoryEffect,
  waitMs: (ms: number, signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
): Promise<StoryEvent> {
  const { galleryId } = effect;
  try {
    if (effect.do === 'install')
      return {
        on: 'installed',
        galleryId,
        ...(await send('gallery.install', { id: galleryId }, { signal, refusal: 'here' })),
      };
    await makeRoom({ client, send }, effect.studyId, waitMs, signal);
    await send('study.start', { id: effect.studyId }, { signal, refusal: 'here' });
    return {
      on: 'study',
      galleryId,
      overview: await client.call('study.overview', { id: effect.studyId }, signal),
    };
  } catch (thrown) {
    const error = toAppError(thrown);
    return {
      on: 'failed',
      galleryId,
      message: `${error.message}${error.hint === undefined ? '' : ` ${error.hint}`}`,
    };
  }
}

async function makeRoom(
  { client, send }: StoryEngine,
  studyId: string,
  waitMs: (ms: number, signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  for (let i = 0; i < roomTries; i++) {
    const others = (await client.call('study.list', {}, signal)).filter(
      (s) => s.id !== studyId && (s.state === 'running' || s.state === 'pausing'),
    );
    if (others.length === 0) return;
    for (const other of others.filter((s) => s.state === 'running'))
      await send('study.pause', { id: other.id, now: true }, { signal, refusal: 'here' });
    await waitMs(500, signal);
  }
}

/** Resolves after `ms`; rejects when the signal fires. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        reject(signal.reason as Error);
      },
      { once: true },
    );
  });
