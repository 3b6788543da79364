import { useCallback, useState } from 'react';
import { useNavigate, useParams } from 'react-router';

import { studyStateWords } from '../../../core/study/stateWords.ts';
import { storyPath } from '../../addresses/presentTarget.ts';
import { EngineRateContext } from '../../engine/engineTime.ts';
import { useWorkspace } from '../../engine/services.ts';
import { ChartMarkContext, markOf } from '../../kit/mark.ts';
import styles from './presenter.module.css';
import { PresenterFrame } from './PresenterFrame.tsx';
import type { PresenterAction } from './presenterKeys.ts';
import { PresenterNotice, Trouble } from './PresenterNotice.tsx';
import { stories, type Story } from './stories.ts';
import { StoryView } from './StoryView.tsx';
import { StudyFoot } from './StudyFoot.tsx';
import { useTelling } from './useTelling.ts';
import { WhatIfPanel } from './WhatIfPanel.tsx';

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
  const { state, step, show, overview, pace, onAction: onStory } = useTelling(story);
  const [changing, setChanging] = useState(false);
  const onAction = useCallback(
    (action: PresenterAction) => {
      if (action === 'whatIf') setChanging(true);
      else if (action === 'leave' && changing) setChanging(false);
      else onStory(action);
    },
    [changing, onStory],
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
          spoken={{
            headline: step.sentence,
            notes: '',
            next: story.steps[state.step + 1]?.sentence ?? null,
          }}
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
          {changing && overview !== null && (
            <WhatIfPanel
              spec={overview.spec}
              from={storyPath(story.id)}
              onStart={() => pace.set(story.speed)}
            />
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
