import { Button, Stack, Tabs, Title } from '@mantine/core';
import { IconArrowsDiff, IconPlayerTrackNext, IconPresentation } from '@tabler/icons-react';
import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { Link, useLocation, useNavigate, useParams, useSearchParams } from 'react-router';

import { formatClock, formatElapsed } from '../../../core/base/format.ts';
import { isEnd, type RunOverview, type RunRecord } from '../../../core/run/run.ts';
import { type DetachedPanel, detachedPath } from '../../../wire/detached.ts';
import { compareAddress } from '../../addresses/compareAddress.ts';
import { presentRunPath } from '../../addresses/presentTarget.ts';
import { replayPath } from '../../addresses/replayPath.ts';
import { HoldContext } from '../../charts/hold.ts';
import { type Confirmed, type ExportKind, exportRun } from '../../engine/exportRun.ts';
import {
  useAbortRun,
  useConnected,
  useRunList,
  useRunLog,
  useRunOverview,
  useRunRecord,
} from '../../engine/runData.ts';
import { useSendCommand } from '../../engine/sendCommand.ts';
import { useClient, useDesktop } from '../../engine/services.ts';
import { useLiveRun } from '../../engine/useLiveRun.ts';
import { useNow } from '../../engine/useNow.ts';
import { DetachContext } from '../../kit/detachContext.ts';
import { LiveRunFault } from '../../kit/LiveRunFault.tsx';
import { Failure, Pending } from '../../kit/LoadState.tsx';
import { ChartMarkContext, markOf } from '../../kit/mark.ts';
import { useDetach } from '../../kit/useDetach.tsx';
import { BundleDialog } from '../bundle/BundleDialog.tsx';
import { RunDiagnosis } from '../diagnosis/RunDiagnosis.tsx';
import { EntryStrip } from '../history/EntryStrip.tsx';
import { DetachMenu } from '../live/DetachMenu.tsx';
import { EarlyAbortNotice } from '../live/EarlyAbortNotice.tsx';
import { LiveBoard } from '../live/LiveBoard.tsx';
import { AbortRun } from './AbortRun.tsx';
import { EventList } from './EventList.tsx';
import { ExportRun } from './ExportRun.tsx';
import { Findings } from './Findings.tsx';
import { isForeign } from './foreign.ts';
import { LogTabs } from './LogTabs.tsx';
import { NoteForm } from './NoteForm.tsx';
import { PlanSummary } from './PlanSummary.tsx';
import { RunAgain } from './RunAgain.tsx';
import { RunHeader } from './RunHeader.tsx';
import { RunMarks } from './RunMarks.tsx';
import { RunResult } from './RunResult.tsx';
import { SetupView } from './SetupView.tsx';
import { UseAsReference } from './UseAsReference.tsx';
import { WorkloadTable } from './WorkloadTable.tsx';

const isBefore = (overview: RunOverview): boolean =>
  overview.startedAtMs === null || overview.state === 'starting';

/** One run, one address: the plan before, the live board during, the result after. */
export function RunPage() {
  const { id = '' } = useParams();
  const overview = useRunOverview(id);
  const record = useRunRecord(
    id,
    overview.data === undefined ? '' : `${isBefore(overview.data)} ${isEnd(overview.data.state)}`,
  );
  if (overview.data === undefined)
    return overview.error ? (
      <Failure title="The run cannot be shown" error={overview.error} onRetry={overview.retry} />
    ) : (
      <Pending label="run" />
    );
  return (
    <LoadedRun
      key={id}
      overview={overview.data}
      record={record.data}
      recordError={
        record.error === null ? null : (
          <Failure
            title="The record of the run cannot be read"
            error={record.error}
            onRetry={record.retry}
          />
        )
      }
    />
  );
}

function LoadedRun({
  overview,
  record,
  recordError,
}: {
  overview: RunOverview;
  record: RunRecord | undefined;
  recordError: ReactNode;
}) {
  const client = useClient();
  const send = useSendCommand();
  const desktop = useDesktop();
  const navigate = useNavigate();
  const connected = useConnected();
  const ended = isEnd(overview.state);
  const { showsEnd, hold } = useShownEnd(ended);
  const nowMs = useNow(overview.nowMs, !ended && connected);
  const [note, setNote] = useState<{ tick: number; atMs: number | null }>({ tick: 0, atMs: null });
  // The commands of palette, menu and keyboard come as an address: ?note=1, ?abort=1.
  const [params, setParams] = useSearchParams();
  const { key } = useLocation();
  const focusKey = params.has('note')
    ? `${key} ${note.tick}`
    : note.tick > 0
      ? String(note.tick)
      : null;
  const [bundle, setBundle] = useState<{
    write: (kind: ExportKind, decided: Confirmed) => void;
  } | null>(null);
  const openWindow = useDetach();
  const abort = useAbortRun();
  const detach = useCallback(
    (panel: DetachedPanel) => openWindow(detachedPath(overview.id, panel)),
    [openWindow, overview.id],
  );
  const askNote = useCallback(
    (atMs: number | null) => setNote((now) => ({ tick: now.tick + 1, atMs })),
    [],
  );
  useEffect(
    () =>
      desktop.onCommand((command) => {
        if (command === 'run.note') askNote(null);
      }),
    [desktop, askNote],
  );
  const present = (
    <Button
      size="xs"
      variant="default"
      component={Link}
      to={presentRunPath(overview.id)}
      leftSection={<IconPresentation size={14} aria-hidden />}
    >
      Present
    </Button>
  );
  const actions = ended ? (
    <>
      {overview.startedAtMs !== null && (
        <Button
          size="xs"
          variant="default"
          component={Link}
          to={replayPath(overview.id)}
          leftSection={<IconPlayerTrackNext size={14} aria-hidden />}
        >
          Replay
        </Button>
      )}
      {present}
      {overview.startedAtMs !== null && (
        <DetachMenu overview={overview} profile={record?.profile ?? null} />
      )}
      <ExportRun
        run={(kind, onProgress, signal, decided) =>
          exportRun(client, desktop, overview.id, kind, onProgress, signal, decided)
        }
        onBundle={(write) => setBundle({ write })}
      />
      {/* The plan of a run that came in a file is not here. */}
      {record && record.imported === undefined && (
        <RunAgain planId={record.plan.id} onStarted={(runId) => void navigate(`/runs/${runId}`)} />
      )}
      <Button
        size="xs"
        leftSection={<IconArrowsDiff size={14} aria-hidden />}
        onClick={() => void navigate(compareAddress(overview.id, []))}
      >
        Compare with…
      </Button>
    </>
  ) : (
    <>
      {overview.startedAtMs !== null && (
        <NoteForm
          focusKey={focusKey}
          at={
            note.atMs === null || overview.startedAtMs === null
              ? null
              : formatElapsed(note.atMs - overview.startedAtMs)
          }
          onAdd={async (text) => {
            await send(
              'run.annotate',
              { id: overview.id, text, tMs: Math.round(note.atMs ?? nowMs) },
              { refusal: 'here' },
            );
            setNote((now) => ({ ...now, atMs: null }));
          }}
        />
      )}
      {present}
      {overview.startedAtMs !== null && (
        <DetachMenu overview={overview} profile={record?.profile ?? null} />
      )}
      <AbortRun
        asked={params.has('abort')}
        onAsk={(asked) => setParams(asked ? { abort: '1' } : {}, { replace: true })}
        ending={overview.abortReason !== null}
        onAbort={(hard) => abort(overview.id, hard)}
      />
    </>
  );
  return (
    // A simulated run that came as a bundle lies among real ones.
    <HoldContext value={hold}>
      <ChartMarkContext value={markOf(overview.origin)}>
        <Stack gap="md">
          {bundle !== null && (
            <BundleDialog
              runId={overview.id}
              onClose={() => setBundle(null)}
              onWrite={(redacted, decided) => {
                setBundle(null);
                bundle.write(redacted ? 'redacted' : 'bundle', decided);
              }}
            />
          )}
          <RunHeader
            study={record?.plan.study ?? null}
            judged={!isForeign(record?.imported)}
            overview={overview}
            nowMs={nowMs}
            actions={actions}
            staleSince={connected || ended ? null : formatClock(overview.nowMs)}
          />
          <EntryStrip kind="run" id={overview.id} />
          <DetachContext value={detach}>
            {showsEnd ? (
              <After overview={overview} record={record} recordError={recordError} />
            ) : isBefore(overview) ? (
              <Before overview={overview} record={record} recordError={recordError} nowMs={nowMs} />
            ) : (
              <During overview={overview} record={record} nowMs={nowMs} onAddNote={askNote} />
            )}
          </DetachContext>
        </Stack>
      </ChartMarkContext>
    </HoldContext>
  );
}

/**
 * Whether the result stands in the place of the board: from the end on, but not while a dialog of
 * the board is open.
 */
function useShownEnd(ended: boolean): { showsEnd: boolean; hold: () => () => void } {
  const [holds, setHolds] = useState(0);
  const [showsEnd, setShowsEnd] = useState(ended);
  if (ended && !showsEnd && holds === 0) setShowsEnd(true);
  const hold = useCallback(() => {
    setHolds((now) => now + 1);
    return () => {
      setHolds((now) => now - 1);
    };
  }, []);
  return { showsEnd, hold };
}

interface PartProps {
  overview: RunOverview;
  record: RunRecord | undefined;
  recordError: ReactNode;
}

function Before({ overview, record, recordError, nowMs }: PartProps & { nowMs: number }) {
  return (
    <Stack gap="md">
      <RunMarks
        overview={overview}
        resultName={record?.profile.resultName ?? ''}
        minimumHosts={record?.profile.minimumHosts ?? 0}
        hostCount={record?.inventoryBefore?.hosts.length ?? null}
      />
      {overview.findings.length > 0 && <Findings overview={overview} />}
      {record ? <PlanSummary record={record} /> : (recordError ?? <Pending label="plan" />)}
      {overview.workloads.length > 0 && (
        <>
          <Title order={2}>Workloads</Title>
          <WorkloadTable overview={overview} record={record} nowMs={nowMs} />
        </>
      )}
    </Stack>
  );
}

function During({
  overview,
  record,
  nowMs,
  onAddNote,
}: {
  overview: RunOverview;
  record: RunRecord | undefined;
  nowMs: number;
  onAddNote: (atMs: number | null) => void;
}) {
  const send = useSendCommand();
  const live = useLiveRun(overview.id);
  return (
    <Stack gap="md">
      <RunMarks
        overview={overview}
        resultName={record?.profile.resultName ?? ''}
        minimumHosts={0}
        hostCount={null}
      />
      <EarlyAbortNotice
        overview={overview}
        nowMs={nowMs}
        onLetRun={() => send('run.letRun', { id: overview.id }, { refusal: 'here' })}
      />
      <LiveRunFault run={live} />
      {overview.findings.length > 0 && <Findings overview={overview} />}
      <Tabs defaultValue="board" keepMounted={false}>
        <Tabs.List aria-label="Run">
          <Tabs.Tab value="board">Live board</Tabs.Tab>
          <Tabs.Tab value="workloads">Workloads</Tabs.Tab>
          <Tabs.Tab value="events">{`Events (${overview.events.length})`}</Tabs.Tab>
          <Tabs.Tab value="plan">Plan</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="board" pt="sm">
          <LiveBoard
            headed
            overview={overview}
            runId={overview.id}
            source="live"
            live={live.series}
            reading={live.state !== 'ready'}
            profile={record?.profile}
            onAddNote={onAddNote}
          />
        </Tabs.Panel>
        <Tabs.Panel value="workloads" pt="sm">
          <WorkloadTable overview={overview} record={record} nowMs={nowMs} />
        </Tabs.Panel>
        <Tabs.Panel value="events" pt="sm">
          <EventList overview={overview} />
        </Tabs.Panel>
        <Tabs.Panel value="plan" pt="sm">
          {record ? <PlanSummary record={record} /> : <Pending label="plan" />}
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}

function After({ overview, record, recordError }: PartProps) {
  const summary = useRunList().data?.find((r) => r.id === overview.id);
  const client = useClient();
  const send = useSendCommand();
  const load = useCallback(
    (seriesIds: readonly number[]) =>
      client.call('run.samples', { runId: overview.id, seriesIds: [...seriesIds] }),
    [client, overview.id],
  );
  if (record === undefined) return recordError ?? <Pending label="result" />;
  // The overview is the newer of the two: a note added after the end is in it.
  const whole = { ...record, overview };
  return (
    <Tabs defaultValue="result" keepMounted={false}>
      <Tabs.List aria-label="Run">
        <Tabs.Tab value="result">Result</Tabs.Tab>
        <Tabs.Tab value="charts">Charts</Tabs.Tab>
        <Tabs.Tab value="why">Why</Tabs.Tab>
        <Tabs.Tab value="events">{`Events (${overview.events.length})`}</Tabs.Tab>
        <Tabs.Tab value="setup">Set-up</Tabs.Tab>
        <Tabs.Tab value="plan">Plan</Tabs.Tab>
        <Tabs.Tab value="log">Log</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="result" pt="sm">
        <RunResult
          record={whole}
          summary={summary}
          onTidy={() => send('run.tidy', { id: overview.id }, { refusal: 'here' })}
          reference={
            whole.imported === undefined &&
            whole.plan.study === null &&
            overview.state === 'passed' ? (
              <UseAsReference record={whole} />
            ) : undefined
          }
        />
      </Tabs.Panel>
      <Tabs.Panel value="charts" pt="sm">
        <LiveBoard
          headed
          overview={overview}
          runId={overview.id}
          source="stored"
          load={load}
          profile={record.profile}
        />
      </Tabs.Panel>
      <Tabs.Panel value="why" pt="sm">
        <RunDiagnosis runId={overview.id} />
      </Tabs.Panel>
      <Tabs.Panel value="events" pt="sm">
        <EventList overview={overview} />
      </Tabs.Panel>
      <Tabs.Panel value="setup" pt="sm">
        <SetupView record={whole} />
      </Tabs.Panel>
      <Tabs.Panel value="plan" pt="sm">
        <PlanSummary record={whole} />
      </Tabs.Panel>
      <Tabs.Panel value="log" pt="sm">
        <Logs id={overview.id} version={String(overview.rev)} />
      </Tabs.Panel>
    </Tabs>
  );
}

function Logs({ id, version }: { id: string; version: string }) {
  const logs = useRunLog(id, version);
  if (logs.data === undefined)
    return logs.error ? (
      <Failure title="The log cannot be read" error={logs.error} onRetry={logs.retry} />
    ) : (
      <Pending label="log" />
    );
  return <LogTabs logs={logs.data} />;
}
