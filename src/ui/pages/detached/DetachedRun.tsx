import { Alert, VisuallyHidden } from '@mantine/core';
import { useState } from 'react';
import { useParams } from 'react-router';

import { formatElapsed } from '../../../core/base/format.ts';
import type { RunOverview, RunRecord } from '../../../core/run/run.ts';
import { overviewStateWord } from '../../../core/run/runWords.ts';
import { isEnd } from '../../../core/run/states.ts';
import { type DetachedPanel, panelOf } from '../../../wire/detached.ts';
import { useConnected, useRunOverview, useRunRecord } from '../../engine/runData.ts';
import { useSendCommand } from '../../engine/sendCommand.ts';
import { useLiveRun } from '../../engine/useLiveRun.ts';
import { useNow } from '../../engine/useNow.ts';
import { LiveRunFault } from '../../kit/LiveRunFault.tsx';
import { Failure, Nothing, Pending } from '../../kit/LoadState.tsx';
import { RunStateBadge } from '../../kit/RunStateBadge.tsx';
import { ActsNotice } from '../live/ActsNotice.tsx';
import { EarlyAbortNotice } from '../live/EarlyAbortNotice.tsx';
import { LiveBoard } from '../live/LiveBoard.tsx';
import { panelTitle } from '../live/panelTitles.ts';
import { useStoredSamples } from '../live/useRunLines.ts';
import styles from './detached.module.css';
import { DetachedFrame } from './DetachedFrame.tsx';
import { PanelView, useChartTitle } from './PanelView.tsx';

/** A run, or one panel of its board, in a window of its own: as long as it goes on, and after. */
export function DetachedRun() {
  const { id = '', panel: segment = 'board' } = useParams();
  const panel = panelOf(segment);
  const overview = useRunOverview(id);
  const record = useRunRecord(
    id,
    overview.data === undefined
      ? ''
      : `${overview.data.startedAtMs === null} ${isEnd(overview.data.state)}`,
  );
  // The record of a run that has just begun or ended is on its way: what is on show stays until it
  // is here.
  const [known, setKnown] = useState<RunRecord>();
  if (record.data !== undefined && record.data !== known) setKnown(record.data);
  const shown = record.data ?? (known?.overview.id === id ? known : undefined);
  if (panel === null)
    return (
      <DetachedFrame title="Run">
        <Nothing text="The board has no such panel." />
      </DetachedFrame>
    );
  const error = overview.error ?? record.error;
  if (overview.data === undefined || shown === undefined)
    return (
      <DetachedFrame title="Run">
        {error ? (
          <Failure
            title="The run cannot be shown"
            error={error}
            onRetry={() => {
              overview.retry();
              record.retry();
            }}
          />
        ) : (
          <Pending label="run" />
        )}
      </DetachedFrame>
    );
  return <Shown key={id} overview={overview.data} record={shown} panel={panel} />;
}

function Shown({
  overview,
  record,
  panel,
}: {
  overview: RunOverview;
  record: RunRecord;
  panel: DetachedPanel;
}) {
  const send = useSendCommand();
  const connected = useConnected();
  const over = isEnd(overview.state);
  const nowMs = useNow(overview.nowMs, !over && connected);
  const title = panelTitle(panel, useChartTitle(overview, record, panel));
  const { id, startedAtMs } = overview;
  const untilMs = over ? (overview.endedAtMs ?? overview.nowMs) : nowMs;
  const status = (
    <>
      <span role="status" aria-label="State of the run" className={styles.state}>
        <RunStateBadge state={overview.state} compliant={overview.verdict?.compliant ?? null} />
      </span>
      {startedAtMs !== null && (
        <span
          className={styles.time}
        >{`${formatElapsed(Math.max(0, untilMs - startedAtMs))} ${over ? 'in all' : 'elapsed'}`}</span>
      )}
    </>
  );
  return (
    <DetachedFrame
      title={`${overview.name}: ${title}`}
      replay={overview.origin === 'replay'}
      simulated={overview.origin === 'simulated'}
      status={status}
    >
      {over && (
        <Alert
          color={
            overview.state === 'passed' && overview.verdict?.compliant !== false
              ? 'green'
              : 'orange'
          }
          p="xs"
          title="This run is over"
          role="status"
        >
          {overview.verdict?.sentence ?? `${overviewStateWord(overview)}.`}
        </Alert>
      )}
      <EarlyAbortNotice
        overview={overview}
        nowMs={nowMs}
        onLetRun={() => send('run.letRun', { id }, { refusal: 'here' })}
      />
      <ActsNotice
        overview={overview}
        nowMs={nowMs}
        onDone={(actId) => send('run.actDone', { id, actId }, { refusal: 'here' })}
      />
      <VisuallyHidden component="h2">{title}</VisuallyHidden>
      {panel === 'board' ? (
        <Board overview={overview} record={record} over={over} />
      ) : (
        <PanelView overview={overview} record={record} panel={panel} />
      )}
    </DetachedFrame>
  );
}

function Board({
  overview,
  record,
  over,
}: {
  overview: RunOverview;
  record: RunRecord;
  over: boolean;
}) {
  const { id } = overview;
  const live = useLiveRun(over ? null : id);
  const load = useStoredSamples(id);
  return over ? (
    <LiveBoard overview={overview} source="stored" load={load} profile={record.profile} />
  ) : (
    <>
      <LiveRunFault run={live} />
      <LiveBoard
        overview={overview}
        source="live"
        live={live.series}
        reading={live.state !== 'ready'}
        profile={record.profile}
      />
    </>
  );
}
