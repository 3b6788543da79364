import { useCallback, useEffect, useReducer, useRef } from 'react';
import { useNavigate, useParams } from 'react-router';

import type { StudyOverview } from '../../../core/study/study.ts';
import { storyPath } from '../../addresses/presentTarget.ts';
import { useStudyOverviewQuery } from '../../engine/api.ts';
import { EngineRateContext } from '../../engine/engineTime.ts';
import { useSendCommand } from '../../engine/sendCommand.ts';
import { useClient, useWorkspace } from '../../engine/services.ts';
import { ChartMarkContext, markOf } from '../../kit/mark.ts';
import { studyStateWords } from '../../kit/studyWords.ts';
import styles from './presenter.module.css';
import { PresenterFrame } from './PresenterFrame.tsx';
import type { PresenterAction } from './presenterKeys.ts';
import { PresenterNotice, Trouble } from './PresenterNotice.tsx';
import { stories, type Story } from './stories.ts';
import { doEffect, pause } from './storyEffects.ts';
import {
  effectOf,
  firstState,
  reduceStory,
  showOf,
  type StoryEvent,
  type StoryState,
} from './storyMachine.ts';
import { StoryView } from './StoryView.tsx';
import { StudyFoot } from './StudyFoot.tsx';
import { useLabPace } from './usePace.ts';

/** A story for a room. It runs in the demo lab; from a real lab one key leads there. */
export function PresentStory() {
  const { id = '' } = useParams();
  const workspace = useWorkspace();
  const navigate = useNavigate();
  const story = stories.find((s) => s.id === id);
  const onAction = useCallback(
    (action: PresenterAction) => {
      if (action === 'leave') void navigate('/present');
      else if (action === 'next') workspace.open('simulated', storyPath(id));
    },
    [navigate, workspace, id],
  );
  if (story === undefined)
    return (
      <PresenterNotice
        title="Story"
        error={{
          kind: 'notFound',
          message: `There is no story ${id}.`,
          hint: 'Esc leads to the list.',
        }}
        leaveTo="/present"
      />
    );
  if (workspace.kind === 'real') {
    return (
      <PresenterFrame title={story.title} mark={null} pace={null} place="" onAction={onAction}>
        <p className={styles.sentence}>{story.about}</p>
        <p className={styles.note}>
          Stories run in the demo lab, apart from all real data. → opens it.
        </p>
      </PresenterFrame>
    );
  }
  return <Telling key={story.id} story={story} />;
}

function Telling({ story }: { story: Story }) {
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
  const stored = show.phase === 'stored';
  const mark = markOf('simulated', stored);
  return (
    <EngineRateContext value={pace.rate}>
      <ChartMarkContext value={mark}>
        <PresenterFrame
          title={`${story.title}, study ${step.galleryId}`}
          mark={mark}
          pace={state.paused ? 'Paused' : stored ? null : pace.text}
          place={`${state.step + 1} of ${story.steps.length}`}
          onAction={onAction}
          footer={
            overview === null ? (
              <span>{show.phase === 'failed' ? 'Not started' : 'Preparing the study'}</span>
            ) : (
              <StudyFoot
                overview={overview}
                note={
                  stored
                    ? 'stored results'
                    : overview.state === 'running'
                      ? 'running in the simulated lab'
                      : studyStateWords[overview.state].toLowerCase()
                }
              />
            )
          }
        >
          <p className={styles.sentence} aria-live="polite">
            {step.sentence}
          </p>
          {show.error !== null && (
            <Trouble message={show.error} hint="R tries again; the story goes on without it." />
          )}
          <div className={styles.show}>
            {overview !== null && (
              <StoryView overview={overview} step={step} show={show} paused={state.paused} />
            )}
          </div>
        </PresenterFrame>
      </ChartMarkContext>
    </EngineRateContext>
  );
}
