import { useEffect, useMemo } from 'react';

import type { MetricName } from '../../../core/metric/metric.ts';
import type { RunOverview, RunRecord } from '../../../core/run/run.ts';
import { isEnd } from '../../../core/run/states.ts';
import type { StudyOverview } from '../../../core/study/study.ts';
import { useRunOverview, useRunRecord } from '../../engine/runData.ts';
import type { NumberKey } from './numbers.ts';
import { Numbers, picked } from './Numbers.tsx';
import styles from './presenter.module.css';
import { FilmRacks, PointRacks } from './Racks.tsx';
import { chartsOf } from './runSlides.ts';
import { FilmCharts, FilmNumbers, type RunFilm, useRunCharts } from './RunStage.tsx';
import type { StepView, StoryStep } from './stories.ts';
import { studyAsShown, type StudyShow } from './storyMachine.ts';
import { choiceFor, StudyCurves, useChoices } from './StudyCurve.tsx';
import { newestPoint } from './studyNumbers.ts';
import { useLiveFilm, useReplayFilm } from './useFilm.ts';
import { useStudyNumbers } from './useStudyNumbers.ts';

interface Props {
  overview: StudyOverview;
  step: StoryStep;
  show: StudyShow;
  paused: boolean;
}

/** What a step of a story shows: the curve as far as the step goes, or the run behind it. */
export function StoryView({ overview, step, show, paused }: Props) {
  const shown = useMemo(() => studyAsShown(overview, step, show), [overview, step, show]);
  if (step.view.kind === 'words') return null;
  if (step.view.kind === 'curve')
    return <StoryCurve overview={overview} shown={shown} view={step.view} numbers={step.numbers} />;
  const active = overview.points.find((p) => p.key === overview.activeKey)?.runId ?? null;
  const runId = active ?? newestPoint(overview)?.runId ?? null;
  if (runId === null)
    return <p className={styles.note}>The run appears here when it has started.</p>;
  const ended = step.view.result === true && active === null;
  return (
    <StoryRun
      key={runId}
      id={runId}
      metrics={step.view.metrics}
      numbers={step.numbers}
      paused={paused}
      result={ended ? overview : null}
    />
  );
}

function StoryCurve({
  overview,
  shown,
  view,
  numbers,
}: {
  overview: StudyOverview;
  shown: StudyOverview;
  view: Extract<StepView, { kind: 'curve' }>;
  numbers: readonly NumberKey[];
}) {
  // Choices of the whole study: a measure that no point on screen has yet keeps its chart.
  const choices = useChoices(overview);
  const choice = choiceFor(choices, view.measures);
  const curve = view.only ?? view.numbersOf;
  const list = useStudyNumbers(shown, curve);
  return (
    <>
      <PointRacks study={overview} point={newestPoint(shown, curve)} />
      <Numbers list={picked(list, numbers)} />
      {choice !== undefined && <StudyCurves overview={shown} choices={[choice]} />}
    </>
  );
}

interface RunProps {
  metrics: readonly (readonly MetricName[])[];
  numbers: readonly NumberKey[];
  paused: boolean;
  /** Where the numbers are the study's. */ result: StudyOverview | null;
}

function StoryRun({ id, ...props }: RunProps & { id: string }) {
  const overview = useRunOverview(id);
  const ended = overview.data !== undefined && isEnd(overview.data.state);
  const record = useRunRecord(id, overview.data === undefined ? '' : String(ended));
  if (overview.data === undefined || record.data === undefined) return null;
  // A run that ends while it is on screen stays as it is: only one found ended is played again.
  return <StoryFilm key={id} overview={overview.data} record={record.data} {...props} />;
}

function StoryFilm({
  overview,
  record,
  ...props
}: RunProps & { overview: RunOverview; record: RunRecord }) {
  return isEnd(record.overview.state) ? (
    <StoredRun record={record} {...props} />
  ) : (
    <LiveRun overview={overview} record={record} {...props} />
  );
}

function LiveRun({
  overview,
  record,
  ...props
}: RunProps & { overview: RunOverview; record: RunRecord }) {
  return <Film film={useLiveFilm(overview, record)} {...props} />;
}

function StoredRun({ record, ...props }: RunProps & { record: RunRecord }) {
  const { film, player } = useReplayFilm(record);
  const { paused } = props;
  useEffect(() => {
    player.clock.dispatch({ do: paused ? 'pause' : 'play' });
  }, [player, paused]);
  return <Film film={film} {...props} />;
}

function Film({ film, metrics, numbers, result }: RunProps & { film: RunFilm }) {
  const charts = useRunCharts(film);
  return (
    <>
      <FilmRacks film={film} />
      {result === null ? (
        <FilmNumbers film={film} keys={numbers} />
      ) : (
        <ResultNumbers overview={result} keys={numbers} />
      )}
      <FilmCharts film={film} charts={chartsOf(charts, metrics)} />
    </>
  );
}

function ResultNumbers({
  overview,
  keys,
}: {
  overview: StudyOverview;
  keys: readonly NumberKey[];
}) {
  return <Numbers list={picked(useStudyNumbers(overview), keys)} />;
}
