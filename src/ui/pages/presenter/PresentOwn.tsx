import { useCallback, useState } from 'react';
import { useNavigate, useParams } from 'react-router';

import type { OwnStep, OwnStory } from '../../../core/history/story.ts';
import { replaySpan } from '../../../core/run/replay.ts';
import type { RunRecord } from '../../../core/run/run.ts';
import { isEnd } from '../../../core/run/states.ts';
import type { ChartChoice } from '../../../core/study/figurePlot.ts';
import type { StudyOverview } from '../../../core/study/study.ts';
import { useRunListQuery, useStudyListQuery, useStudyOverviewQuery } from '../../engine/api.ts';
import { useRunRecord } from '../../engine/runData.ts';
import { useSimulated } from '../../engine/services.ts';
import { ChartMarkContext, markOf } from '../../kit/mark.ts';
import { Numbers } from './Numbers.tsx';
import { useOwnStories } from './ownStories.ts';
import styles from './presenter.module.css';
import { PresenterFrame } from './PresenterFrame.tsx';
import type { PresenterAction } from './presenterKeys.ts';
import { PresenterNotice, Trouble } from './PresenterNotice.tsx';
import { ActiveRun } from './PresentStudy.tsx';
import { FilmRacks, PointRacks } from './Racks.tsx';
import { runSlides } from './runSlides.ts';
import { FilmCharts, FilmNumbers, useRunCharts } from './RunStage.tsx';
import { ownCurves, StudyCurves, useChoices } from './StudyCurve.tsx';
import { newestPoint } from './studyNumbers.ts';
import { useReplayFilm } from './useFilm.ts';
import type { Pace } from './usePace.ts';
import { useSlides } from './useSlides.ts';
import { useStudyNumbers } from './useStudyNumbers.ts';

const nothing = (): void => undefined;
/** What is stored stands still. */
const stillPace: Pace = {
  text: null,
  rate: 1,
  paused: true,
  toggle: nothing,
  faster: nothing,
  slower: nothing,
  set: nothing,
};

/** A story of one's own runs and studies, as they were stored: nothing runs and nothing waits. */
export function PresentOwn() {
  const { id = '' } = useParams();
  const { stories, loading, error } = useOwnStories();
  const story = stories.find((one) => one.id === id);
  if (loading || error !== null)
    return <PresenterNotice title="Story" error={error} leaveTo="/present" />;
  if (story === undefined || story.steps.length === 0)
    return (
      <PresenterNotice
        title={story?.name ?? 'Story'}
        error={{
          kind: 'notFound',
          message: story === undefined ? 'There is no such story here.' : 'The story has no step.',
          hint: 'Esc leads to the list.',
        }}
        leaveTo="/present"
      />
    );
  return <Steps key={id} story={story} />;
}

function Steps({ story }: { story: OwnStory }) {
  const navigate = useNavigate();
  const simulated = useSimulated();
  const leave = useCallback(() => {
    void navigate('/present');
  }, [navigate]);
  const { slide, onAction: onSlide } = useSlides(story.steps.length, stillPace, leave);
  const step = story.steps[slide]!;
  const record = useRunRecord(step.of, 'ended', step.kind !== 'run').data;
  const study = useStudyOverviewQuery({ id: step.of }, { skip: step.kind !== 'study' }).currentData;
  const curves = ownCurves(useChoices(step.kind === 'study' ? study : undefined));
  const { page, onAction } = usePages(curves.length, slide === story.steps.length - 1, onSlide);
  const { data: runs = [] } = useRunListQuery({});
  const { data: studies = [] } = useStudyListQuery({});
  const next = story.steps[slide + 1];
  const nextNamed = (next?.kind === 'run' ? runs : studies).find(({ id }) => id === next?.of);
  const name = (step.kind === 'run' ? record?.overview.name : study?.spec.name) ?? '';
  const origin = step.kind === 'run' ? record?.overview.origin : study?.origin;
  const mark = markOf(simulated ? 'simulated' : (origin ?? 'real'), step.kind === 'run');
  return (
    <ChartMarkContext value={mark}>
      <PresenterFrame
        title={story.name}
        mark={mark}
        pace={null}
        place={
          `${slide + 1} of ${story.steps.length}` +
          (curves.length > 1 ? `, chart ${page + 1} of ${curves.length}` : '')
        }
        onAction={onAction}
        spoken={{
          headline: step.headline || name,
          notes: step.notes,
          next:
            curves[page + 1]?.title ??
            (next === undefined
              ? null
              : next.headline || (nextNamed?.name ?? `a ${next.kind} that was removed`)),
        }}
        footer={<span>{name}</span>}
      >
        <p className={styles.sentence} aria-live="polite">
          {step.headline || name}
        </p>
        {story.steps.map((one, i) => (
          <Ahead key={`${i} ${one.of}`} step={one} />
        ))}
        <div className={styles.show} key={`${slide} ${page} ${step.of}`}>
          {step.kind === 'run' ? (
            <RunStep id={step.of} />
          ) : (
            <StudyStep id={step.of} curve={curves[page]} first={page === 0} />
          )}
        </div>
      </PresenterFrame>
    </ChartMarkContext>
  );
}

/** Which of the `count` charts of a step is on; a key leads through them before it leads on. */
function usePages(
  count: number,
  isLastStep: boolean,
  onSlide: (action: PresenterAction) => void,
): { page: number; onAction: (action: PresenterAction) => void } {
  const [wanted, setWanted] = useState(0);
  const last = Math.max(0, count - 1);
  const page = Math.min(last, wanted);
  const onAction = useCallback(
    (action: PresenterAction) => {
      if (action === 'next' && page < last) setWanted(page + 1);
      else if (action === 'previous' && page > 0) setWanted(page - 1);
      else {
        const leads = action === 'first' || action === 'last' || action === 'previous';
        if (leads || (action === 'next' && !isLastStep)) setWanted(0);
        onSlide(action);
      }
    },
    [page, last, isLastStep, onSlide],
  );
  return { page, onAction };
}

/** Read before its turn comes, and kept while the story is told. */
function Ahead({ step: { kind, of } }: { step: OwnStep }) {
  useRunRecord(of, 'ended', kind !== 'run');
  useStudyOverviewQuery({ id: of }, { skip: kind !== 'study' });
  return null;
}

function RunStep({ id }: { id: string }) {
  const { data, error } = useRunRecord(id, 'ended');
  if (data === undefined)
    return error ? <Trouble message={error.message} hint={error.hint} /> : null;
  if (!isEnd(data.overview.state)) return <ActiveRun id={id} />;
  if (replaySpan(data.overview) === null)
    return <Trouble message="This run never started: there is nothing of it to show." />;
  return <StoredRun record={data} />;
}

/** A stored run as it stood at its end. */
function StoredRun({ record }: { record: RunRecord }) {
  const { film } = useReplayFilm(record, 'end');
  const charts = useRunCharts(film);
  const [top] = runSlides(charts);
  return (
    <>
      <FilmRacks film={film} />
      <FilmNumbers film={film} />
      <FilmCharts film={film} charts={top!.charts} />
    </>
  );
}

interface StudyStepProps {
  curve: ChartChoice | undefined;
  /** Its first chart: with the hosts and the numbers. */ first: boolean;
}

function StudyStep({ id, ...shown }: StudyStepProps & { id: string }) {
  const { currentData, error } = useStudyOverviewQuery({ id });
  if (currentData === undefined)
    return error ? <Trouble message={error.message ?? 'The study cannot be read.'} /> : null;
  return <StudyPicture overview={currentData} {...shown} />;
}

function StudyPicture({ overview, curve, first }: StudyStepProps & { overview: StudyOverview }) {
  const numbers = useStudyNumbers(overview);
  return (
    <>
      {first && <PointRacks study={overview} point={newestPoint(overview)} />}
      {first && <Numbers list={numbers} />}
      {curve !== undefined && <StudyCurves overview={overview} choices={[curve]} />}
    </>
  );
}
