import { useCallback } from 'react';
import { useNavigate } from 'react-router';

import type { GalleryItem } from '../../../core/study/study.ts';
import { useGalleryInstallMutation, useStudyStartMutation } from '../../engine/api.ts';
import { useLabClock } from '../../engine/labClock.ts';

/** A run of some hours takes seconds at this speed. */
const watchableSpeed = 3_600;

/**
 * Installs an entry where it is not, starts it where it does not run, and shows its study. What the
 * engine refuses is told by the store.
 */
export function useRunGallery(): { run: (item: GalleryItem) => void; busy: boolean } {
  const navigate = useNavigate();
  const [install, installing] = useGalleryInstallMutation();
  const [start, starting] = useStudyStartMutation();
  const { status, setSpeed } = useLabClock();
  const run = useCallback(
    (item: GalleryItem): void => {
      const go = async (): Promise<void> => {
        const installed = await install({ id: item.id });
        if (installed.error) return;
        const { studyId } = installed.data;
        if (
          item.state === null ||
          item.state === 'draft' ||
          item.state === 'paused' ||
          item.state === 'failed'
        ) {
          // Hours of lab time in real time show nothing: a slow or standing clock is sped up, a
          // faster one is left alone.
          if (
            status !== undefined &&
            (status.paused || (status.speed !== null && status.speed < watchableSpeed))
          )
            setSpeed(watchableSpeed);
          const started = await start({ id: studyId });
          if (started.error) return;
        }
        void navigate(`/studies/${studyId}`);
      };
      void go();
    },
    [install, start, navigate, status, setSpeed],
  );
  return { run, busy: installing.isLoading || starting.isLoading };
}

/** What the one button of an entry does, by its state. */
export function runWord(state: GalleryItem['state']): string {
  if (state === null || state === 'draft') return 'Run study';
  if (state === 'done') return 'Open result';
  return state === 'paused' || state === 'failed' ? 'Resume study' : 'Open running study';
}
