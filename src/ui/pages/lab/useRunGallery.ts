import { useCallback } from 'react';
import { useNavigate } from 'react-router';

import type { GalleryItem } from '../../../core/study/study.ts';
import { useGalleryInstallMutation } from '../../engine/api.ts';
import { type Part, partText } from '../studies/TestbedPicture.tsx';
import { useStartWatched } from '../studies/useStartWatched.ts';

/**
 * Installs an entry where it is not, starts it where it does not run, and shows its study. What the
 * engine refuses is told by the store.
 */
export function useRunGallery(): { run: (item: GalleryItem) => void; busy: boolean } {
  const navigate = useNavigate();
  const [install, installing] = useGalleryInstallMutation();
  const { start, busy } = useStartWatched();
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
          if (!(await start(studyId))) return;
        }
        void navigate(`/studies/${studyId}`);
      };
      void go();
    },
    [install, start, navigate],
  );
  return { run, busy: installing.isLoading || busy };
}

/** Installs an entry where it is not, and opens the drawing of its lab to change it, or a part. */
export function useWhatIfGallery(): {
  change: (item: GalleryItem, part?: Part) => void;
  busy: boolean;
} {
  const navigate = useNavigate();
  const [install, installing] = useGalleryInstallMutation();
  const change = useCallback(
    (item: GalleryItem, part?: Part): void => {
      const go = async (): Promise<void> => {
        const installed = await install({ id: item.id });
        if (installed.error) return;
        const at = part === undefined ? '' : `?part=${partText(part)}`;
        void navigate(`/studies/${installed.data.studyId}/what-if${at}`);
      };
      void go();
    },
    [install, navigate],
  );
  return { change, busy: installing.isLoading };
}

/** Installs an entry where it is not, and opens one of its plans with acts. */
export function useOpenPlan(): {
  open: (item: GalleryItem, planId: string) => void;
  busy: boolean;
} {
  const navigate = useNavigate();
  const [install, installing] = useGalleryInstallMutation();
  const open = useCallback(
    (item: GalleryItem, planId: string): void => {
      const go = async (): Promise<void> => {
        if (!(await install({ id: item.id })).error) void navigate(`/plans/${planId}`);
      };
      void go();
    },
    [install, navigate],
  );
  return { open, busy: installing.isLoading };
}

/** What the one button of an entry does, by its state. */
export function runWord(state: GalleryItem['state']): string {
  if (state === null || state === 'draft') return 'Run study';
  if (state === 'done') return 'Open result';
  return state === 'paused' || state === 'failed' ? 'Resume study' : 'Open running study';
}
