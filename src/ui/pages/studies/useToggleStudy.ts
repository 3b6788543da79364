import { notifications } from '@mantine/notifications';
import { useCallback } from 'react';
import { useMatch } from 'react-router';

import type { StudyOverview } from '../../../core/study/study.ts';
import {
  useStudyOverviewQuery,
  useStudyPauseMutation,
  useStudyStartMutation,
} from '../../engine/api.ts';

export interface StudyControls {
  start: () => void;
  pause: (now: boolean) => void;
  busy: boolean;
}
/** Start, go on, pause: what the engine refuses is told by the store. */
export function useStudyControls(id: string): StudyControls {
  const [start, starting] = useStudyStartMutation();
  const [pause, pausing] = useStudyPauseMutation();
  return {
    start: () => {
      void start({ id });
    },
    pause: (now) => {
      void pause({ id, now });
    },
    busy: starting.isLoading || pausing.isLoading,
  };
}

/** States in which a start does something. */
export const canStart = (state: StudyOverview['state']): boolean =>
  state === 'draft' || state === 'paused' || state === 'waiting' || state === 'failed';
export const canPause = (state: StudyOverview['state']): boolean =>
  state === 'running' || state === 'waiting';

/** Starts or pauses the study whose page is open: the command of menu, palette and keyboard. */
export function useToggleStudy(): () => void {
  const match = useMatch('/studies/:id');
  const id = match?.params.id === 'new' ? undefined : match?.params.id;
  const { data } = useStudyOverviewQuery({ id: id ?? '' }, { skip: id === undefined });
  const [start] = useStudyStartMutation();
  const [pause] = useStudyPauseMutation();
  return useCallback(() => {
    if (id === undefined || data === undefined) {
      notifications.show({ message: 'No study is open. Studies lists them.' });
      return;
    }
    if (data.state === 'running') void pause({ id, now: false });
    else if (canStart(data.state)) void start({ id });
  }, [id, data, start, pause]);
}
