import { useCallback, useEffect, useReducer, useRef } from 'react';
import { useNavigate } from 'react-router';

import type { StudyOverview } from '../../../core/study/study.ts';
import { useStudyOverviewQuery } from '../../engine/api.ts';
import { useSendCommand } from '../../engine/sendCommand.ts';
import { useClient } from '../../engine/services.ts';
import type { PresenterAction } from './presenterKeys.ts';
import type { Story, StoryStep } from './stories.ts';
import { doEffect, pause } from './storyEffects.ts';
import {
  effectOf,
  firstState,
  reduceStory,
  showOf,
  type StoryEvent,
  type StoryState,
  type StudyShow,
} from './storyMachine.ts';
import { type Pace, useLabPace } from './usePace.ts';

/** Where a story is, and what it shows there. */
export interface Telling {
  state: StoryState;
  step: StoryStep;
  show: StudyShow;
  /** null = the study is not there yet. */
  overview: StudyOverview | null;
  pace: Pace;
  onAction: (action: PresenterAction) => void;
}

/** Tells a story: installs and starts the studies its steps need, and goes where the keys lead. */
export function useTelling(story: Story): Telling {
  const client = useClient();
  const send = useSendCommand();
  const navigate = useNavigate();
  const pace = useLabPace();
  const [state, dispatch] = useReducer(
    (now: StoryState, event: StoryEvent) => reduceStory(story, now, event),
    firstState,
  );
  const step = story.steps[state.step]!;
  const show = showOf(state, step.galleryId);
  const { currentData } = useStudyOverviewQuery(
    { id: show.studyId ?? '' },
    { skip: show.studyId === null },
  );
  const overview: StudyOverview | null = currentData ?? null;

  const effect = effectOf(story, state, overview);
  const effectKey = effect === null ? null : `${effect.do} ${effect.galleryId}`;
  const speed = step.speed ?? story.speed;
  const due = useRef({ effect, pace, speed });
  useEffect(() => {
    due.current = { effect, pace, speed };
  });
  const leaving = useRef(new AbortController());
  useEffect(() => {
    const abort = new AbortController();
    leaving.current = abort;
    return () => {
      abort.abort();
    };
  }, []);
  useEffect(() => {
    const { effect: wanted, pace: lab, speed: wantedSpeed } = due.current;
    if (effectKey === null || wanted === null) return;
    const { signal } = leaving.current;
    dispatch({ on: 'begun', galleryId: wanted.galleryId, effect: wanted.do });
    if (wanted.do === 'start') lab.set(wantedSpeed);
    void doEffect({ client, send }, wanted, pause, signal).then((event) => {
      if (!signal.aborted) dispatch(event);
    });
  }, [effectKey, client, send]);
  useEffect(() => {
    if (overview !== null) dispatch({ on: 'study', galleryId: step.galleryId, overview });
  }, [overview, step.galleryId]);
  useEffect(() => {
    const timer = setInterval(() => {
      dispatch({ on: 'second', overview });
    }, 1_000);
    return () => {
      clearInterval(timer);
    };
  }, [overview]);

  const onAction = useCallback(
    (action: PresenterAction) => {
      switch (action) {
        case 'next':
        case 'previous':
        case 'first':
        case 'last':
        case 'retry':
          dispatch({ on: action });
          return;
        case 'pause':
          dispatch({ on: 'pause' });
          due.current.pace.toggle();
          return;
        case 'faster':
          due.current.pace.faster();
          return;
        case 'slower':
          due.current.pace.slower();
          return;
        case 'leave':
          void navigate('/present');
          return;
        default:
          return;
      }
    },
    [navigate],
  );
  return { state, step, show, overview, pace, onAction };
}
