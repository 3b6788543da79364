import { useCallback } from 'react';
import { Navigate, useNavigate, useParams } from 'react-router';

import { replaySpan } from '../../../core/run/replay.ts';
import type { RunOverview, RunRecord } from '../../../core/run/run.ts';
import { overviewStateWord } from '../../../core/run/runWords.ts';
import { isEnd } from '../../../core/run/states.ts';
import { presentReplayPath } from '../../addresses/presentTarget.ts';
import { EngineRateContext } from '../../engine/engineTime.ts';
import { useRunOverview, useRunRecord } from '../../engine/runData.ts';
import { useSimulated } from '../../engine/services.ts';
import { ChartMarkContext, markOf } from '../../kit/mark.ts';
import styles from './presenter.module.css';
import { PresenterFrame } from './PresenterFrame.tsx';
import { PresenterNotice } from './PresenterNotice.tsx';
import { FilmRacks } from './Racks.tsx';
import { runSlides } from './runSlides.ts';
import { FilmCharts, FilmNumbers, type RunFilm, useRunCharts } from './RunStage.tsx';
import { useLiveFilm, useReplayFilm } from './useFilm.ts';
import { type Pace, useLabPace, useReplayPace } from './usePace.ts';
import { useSlides } from './useSlides.ts';

/** A run for a room: live while it goes on; one that has ended is played again. */
export function PresentRun() {
  const { id = '' } = useParams();
  const overview = useRunOverview(id);
  const record = useRunRecord(
    id,
    overview.data === undefined ? '' : String(isEnd(overview.data.state)),
  );
  if (overview.data !== undefined && isEnd(overview.data.state))
    return <Navigate to={presentReplayPath(id)} replace />;
  if (overview.data === undefined || record.data === undefined)
    return <PresenterNotice title="Run" error={overview.error ?? record.error} leaveTo="/runs" />;
  return <Live key={id} overview={overview.data} record={record.data} />;
}

function Live({ overview, record }: { overview: RunOverview; record: RunRecord }) {
  const pace = useLabPace();
  const simulated = useSimulated();
  return (
    <EngineRateContext value={pace.rate}>
      <LiveSlides
        overview={overview}
        record={record}
        pace={pace}
        mark={markOf(simulated ? 'simulated' : overview.origin)}
      />
    </EngineRateContext>
  );
}

function LiveSlides({
  overview,
  record,
  pace,
  mark,
}: {
  overview: RunOverview;
  record: RunRecord;
  pace: Pace;
  mark: string | null;
}) {
  return (
    <Slides
      film={useLiveFilm(overview, record)}
      pace={pace}
      mark={mark}
      leaveTo={`/runs/${overview.id}`}
    />
  );
}

/** A stored run for a room, played again from its start. */
export function PresentReplay() {
  const { id = '' } = useParams();
  const record = useRunRecord(id);
  if (record.data === undefined)
    return <PresenterNotice title="Run" error={record.error} leaveTo="/runs" />;
  if (replaySpan(record.data.overview) === null)
    return (
      <PresenterNotice
        title={record.data.overview.name}
        error={{ kind: 'notFound', message: 'This run never started: there is nothing to replay.' }}
        leaveTo={`/runs/${id}`}
      />
    );
  return <Replay key={id} record={record.data} />;
}

function Replay({ record }: { record: RunRecord }) {
  const { film, player } = useReplayFilm(record);
  const pace = useReplayPace(player.clock);
  return (
    <Slides
      film={film}
      pace={pace}
      mark={markOf(record.overview.origin, true)}
      leaveTo={`/runs/${record.overview.id}`}
    />
  );
}

function Slides({
  film,
  pace,
  mark,
  leaveTo,
}: {
  film: RunFilm;
  pace: Pace;
  mark: string | null;
  leaveTo: string;
}) {
  const navigate = useNavigate();
  const charts = useRunCharts(film);
  const slides = runSlides(charts);
  const leave = useCallback(() => {
    void navigate(leaveTo);
  }, [navigate, leaveTo]);
  const { slide, onAction } = useSlides(slides.length, pace, leave);
  const shown = slides[slide]!;
  const { overview } = film;
  return (
    <ChartMarkContext value={mark}>
      <PresenterFrame
        title={`${overview.name}: ${shown.title}`}
        mark={mark}
        pace={pace.text}
        place={`${overviewStateWord(overview)}, ${slide + 1} of ${slides.length}`}
        onAction={onAction}
      >
        <div className={styles.show}>
          {shown.numbers && <FilmRacks film={film} />}
          {shown.numbers && <FilmNumbers film={film} />}
          <FilmCharts film={film} charts={shown.charts} />
        </div>
      </PresenterFrame>
    </ChartMarkContext>
  );
}
