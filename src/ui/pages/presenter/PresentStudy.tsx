import { useCallback, useState } from 'react';
import { useNavigate, useParams, useSearchParams } from 'react-router';

import type { AppErrorShape } from '../../../core/base/errors.ts';
import type { RunOverview } from '../../../core/run/run.ts';
import { isEnd } from '../../../core/run/states.ts';
import { studyStateWords } from '../../../core/study/stateWords.ts';
import type { StudyOverview } from '../../../core/study/study.ts';
import { whatIfSentence, whatIfWords } from '../../../core/study/whatIf.ts';
import { presentStudyPath } from '../../addresses/presentTarget.ts';
import { useStudyOverviewQuery } from '../../engine/api.ts';
import { EngineRateContext } from '../../engine/engineTime.ts';
import { useRunOverview, useRunRecord } from '../../engine/runData.ts';
import { useSimulated } from '../../engine/services.ts';
import { ChartMarkContext, markOf } from '../../kit/mark.ts';
import { Numbers } from './Numbers.tsx';
import styles from './presenter.module.css';
import { PresenterFrame } from './PresenterFrame.tsx';
import type { PresenterAction } from './presenterKeys.ts';
import { PresenterNotice } from './PresenterNotice.tsx';
import { FilmRacks, PointRacks } from './Racks.tsx';
import { chartsOf } from './runSlides.ts';
import { FilmCharts, FilmNumbers, useRunCharts } from './RunStage.tsx';
import { ownCurves, StudyCurves, useChoices } from './StudyCurve.tsx';
import { StudyFoot } from './StudyFoot.tsx';
import { newestPoint } from './studyNumbers.ts';
import { useLiveFilm } from './useFilm.ts';
import { type Pace, useLabPace } from './usePace.ts';
import { useSlides } from './useSlides.ts';
import { useStudyNumbers } from './useStudyNumbers.ts';
import { WhatIfPanel } from './WhatIfPanel.tsx';

/** Lab seconds a second while a changed lab runs before a room. */
const studySpeed = 3_600;

/** A study for a room: its curve builds up while it runs. */
export function PresentStudy() {
  const { id = '' } = useParams();
  const { currentData, error } = useStudyOverviewQuery({ id });
  const pace = useLabPace();
  const [params] = useSearchParams();
  // Only from what is presented: an address is anybody's.
  const from = params.get('from')?.startsWith('/present/') === true ? params.get('from') : null;
  if (currentData === undefined)
    return (
      <PresenterNotice
        title="Study"
        error={(error as AppErrorShape | undefined) ?? null}
        leaveTo={from ?? '/studies'}
      />
    );
  return (
    <EngineRateContext value={pace.rate}>
      <Slides key={id} overview={currentData} pace={pace} from={from} />
    </EngineRateContext>
  );
}

function Slides({
  overview,
  pace,
  from,
}: {
  overview: StudyOverview;
  pace: Pace;
  /** Where Esc leads back to; null = to the study's own page. */ from: string | null;
}) {
  const navigate = useNavigate();
  const curves = ownCurves(useChoices(overview));
  const numbers = useStudyNumbers(overview);
  const activeId = overview.points.find((p) => p.key === overview.activeKey)?.runId ?? null;
  const { spec } = overview;
  const simulated = useSimulated();
  const [changing, setChanging] = useState(false);
  const leave = useCallback(() => {
    void navigate(from ?? `/studies/${spec.id}`);
  }, [navigate, from, spec.id]);
  // Numbers with the first curve, every curve of the author alone, and the run in progress.
  const count = 1 + (curves.length > 1 ? curves.length : 0) + (activeId === null ? 0 : 1);
  const { slide, onAction: onSlide } = useSlides(count, pace, leave);
  const onAction = useCallback(
    (action: PresenterAction) => {
      if (action === 'whatIf') setChanging(simulated);
      else if (action === 'leave' && changing) setChanging(false);
      else onSlide(action);
    },
    [simulated, changing, onSlide],
  );
  const says = whatIfWords(spec).length === 0 ? null : whatIfSentence(overview);
  const mark = markOf(overview.origin);
  const isRun = activeId !== null && slide === count - 1;
  const curve = slide === 0 || curves.length === 1 ? curves[0] : curves[slide - 1];
  return (
    <ChartMarkContext value={mark}>
      <PresenterFrame
        title={`${spec.name}${isRun || curve === undefined ? '' : `: ${curve.title}`}`}
        mark={mark}
        pace={pace.text}
        place={`${studyStateWords[overview.state]}, ${slide + 1} of ${count}`}
        onAction={onAction}
        footer={<StudyFoot overview={overview} />}
      >
        {says !== null && <p className={styles.sentence}>{says}</p>}
        {changing && (
          <WhatIfPanel
            spec={spec}
            from={presentStudyPath(spec.id)}
            onStart={() => pace.set(studySpeed)}
          />
        )}
        <div className={styles.show}>
          {isRun ? (
            <ActiveRun id={activeId} />
          ) : (
            <>
              {slide === 0 && <PointRacks study={overview} point={newestPoint(overview)} />}
              {slide === 0 && <Numbers list={numbers} />}
              {curve !== undefined && <StudyCurves overview={overview} choices={[curve]} />}
            </>
          )}
        </div>
      </PresenterFrame>
    </ChartMarkContext>
  );
}

/** The run in progress of a study: its numbers and two charts. */
export function ActiveRun({ id }: { id: string }) {
  const overview = useRunOverview(id);
  const record = useRunRecord(
    id,
    overview.data === undefined ? '' : String(isEnd(overview.data.state)),
  );
  if (overview.data === undefined || record.data === undefined) return null;
  return <ActiveFilm key={id} overview={overview.data} record={record.data} />;
}

function ActiveFilm({
  overview,
  record,
}: {
  overview: RunOverview;
  record: Parameters<typeof useLiveFilm>[1];
}) {
  const film = useLiveFilm(overview, record);
  const charts = useRunCharts(film);
  return (
    <>
      <FilmRacks film={film} />
      <FilmNumbers film={film} />
      <FilmCharts film={film} charts={chartsOf(charts, [['throughput'], ['powerW', 'cpuPct']])} />
    </>
  );
}
