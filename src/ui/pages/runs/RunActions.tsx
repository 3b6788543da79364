import { Button } from '@mantine/core';
import { IconArrowsDiff, IconPlayerTrackNext, IconPresentation } from '@tabler/icons-react';
import { useCallback, useEffect, useState } from 'react';
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router';

import { formatElapsed } from '../../../core/base/format.ts';
import type { RunOverview, RunRecord } from '../../../core/run/run.ts';
import { compareAddress } from '../../addresses/compareAddress.ts';
import { presentRunPath } from '../../addresses/presentTarget.ts';
import { replayPath } from '../../addresses/replayPath.ts';
import { type Confirmed, type ExportKind, exportRun } from '../../engine/exportRun.ts';
import { useAbortRun } from '../../engine/runData.ts';
import { useSendCommand } from '../../engine/sendCommand.ts';
import { useClient, useDesktop } from '../../engine/services.ts';
import { DetachMenu } from '../live/DetachMenu.tsx';
import { AbortRun } from './AbortRun.tsx';
import { ExportRun } from './ExportRun.tsx';
import { NoteForm } from './NoteForm.tsx';
import { RunAgain } from './RunAgain.tsx';

interface RunProps {
  overview: RunOverview;
  record: RunRecord | undefined;
}

/** Writes a run to a file with what was decided of its texts. */
export type WriteBundle = (kind: ExportKind, decided: Confirmed) => void;

/** What can be done with a run that has ended. `onBundle`: a bundle was asked for. */
export function EndedActions({
  overview,
  record,
  onBundle,
}: RunProps & { onBundle: (write: WriteBundle) => void }) {
  const client = useClient();
  const desktop = useDesktop();
  const navigate = useNavigate();
  return (
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
      <Present id={overview.id} />
      <Detach overview={overview} record={record} />
      <ExportRun
        run={(kind, onProgress, signal, decided) =>
          exportRun(client, desktop, overview.id, kind, onProgress, signal, decided)
        }
        onBundle={onBundle}
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
  );
}

/** The note that is asked for: how often so far, and for which moment; null = now. */
export interface AskedNote {
  tick: number;
  atMs: number | null;
  ask: (atMs: number | null) => void;
  /** It was added: the next one is for now again. */
  added: () => void;
}

/** Asks for notes: by the menu of the desktop, and by `ask` from the board. */
export function useAskedNote(): AskedNote {
  const desktop = useDesktop();
  const [note, setNote] = useState<{ tick: number; atMs: number | null }>({ tick: 0, atMs: null });
  const ask = useCallback(
    (atMs: number | null) => setNote((now) => ({ tick: now.tick + 1, atMs })),
    [],
  );
  useEffect(
    () =>
      desktop.onCommand((command) => {
        if (command === 'run.note') ask(null);
      }),
    [desktop, ask],
  );
  const added = useCallback(() => setNote((now) => ({ ...now, atMs: null })), []);
  return { ...note, ask, added };
}

/** What can be done with a run that has not ended: note a moment, present, abort. */
export function RunningActions({
  overview,
  record,
  nowMs,
  note,
}: RunProps & { nowMs: number; note: AskedNote }) {
  const send = useSendCommand();
  const abort = useAbortRun();
  // The commands of palette, menu and keyboard come as an address: ?note=1, ?abort=1.
  const [params, setParams] = useSearchParams();
  const { key } = useLocation();
  const { startedAtMs } = overview;
  const focusKey = params.has('note')
    ? `${key} ${note.tick}`
    : note.tick > 0
      ? String(note.tick)
      : null;
  return (
    <>
      {startedAtMs !== null && (
        <NoteForm
          focusKey={focusKey}
          at={note.atMs === null ? null : formatElapsed(note.atMs - startedAtMs)}
          onAdd={async (text) => {
            await send(
              'run.annotate',
              { id: overview.id, text, tMs: Math.round(note.atMs ?? nowMs) },
              { refusal: 'here' },
            );
            note.added();
          }}
        />
      )}
      <Present id={overview.id} />
      <Detach overview={overview} record={record} />
      <AbortRun
        asked={params.has('abort')}
        onAsk={(asked) => setParams(asked ? { abort: '1' } : {}, { replace: true })}
        ending={overview.abortReason !== null}
        onAbort={(hard) => abort(overview.id, hard)}
      />
    </>
  );
}

function Present({ id }: { id: string }) {
  return (
    <Button
      size="xs"
      variant="default"
      component={Link}
      to={presentRunPath(id)}
      leftSection={<IconPresentation size={14} aria-hidden />}
    >
      Present
    </Button>
  );
}

/** Panels of a run that has started, in windows of their own. */
const Detach = ({ overview, record }: RunProps) =>
  overview.startedAtMs !== null && (
    <DetachMenu overview={overview} profile={record?.profile ?? null} />
  );
