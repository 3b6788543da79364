import { Button, Popover } from '@mantine/core';
import { IconArrowsDiff, IconFlag, IconRefresh } from '@tabler/icons-react';
import { useCallback, useEffect, useState } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';

import { formatElapsed } from '../../../core/base/format.ts';
import type { RunOverview, RunRecord } from '../../../core/run/run.ts';
import { compareAddress } from '../../addresses/compareAddress.ts';
import { type Confirmed, type ExportKind, exportRun } from '../../engine/exportRun.ts';
import { useAbortRun } from '../../engine/runData.ts';
import { useSendCommand } from '../../engine/sendCommand.ts';
import { useClient, useDesktop } from '../../engine/services.ts';
import { usePageActions } from '../../kit/pageActions.ts';
import { AbortRun } from './AbortRun.tsx';
import { ExportRun } from './ExportRun.tsx';
import { MoreActions } from './MoreActions.tsx';
import { NoteForm } from './NoteForm.tsx';
import { RunAgainSheet } from './RunAgainSheet.tsx';

interface RunProps {
  overview: RunOverview;
  record: RunRecord | undefined;
}

/** Writes a run to a file with what was decided of its texts. */
export type WriteBundle = (kind: ExportKind, decided: Confirmed) => void;

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

/**
 * What can be done with a run. `onBundle`: a bundle was asked for. What stands in both states stays
 * in its place when the run ends: a button in focus, an open menu.
 */
export function RunActions({
  ended,
  seeResult,
  overview,
  record,
  nowMs,
  note,
  onBundle,
}: RunProps & {
  ended: boolean;
  /** Shows the result of a run that ended while its board is watched; null = it is shown. */
  seeResult: (() => void) | null;
  nowMs: number;
  note: AskedNote;
  onBundle: (write: WriteBundle) => void;
}) {
  const { startedAtMs } = overview;
  return (
    <>
      {seeResult !== null ? (
        <Button size="xs" variant="filled" onClick={seeResult}>
          See result
        </Button>
      ) : ended ? (
        <Leave overview={overview} record={record} onBundle={onBundle} />
      ) : (
        <>
          {startedAtMs !== null && <AddNote overview={overview} nowMs={nowMs} note={note} />}
          <Abort overview={overview} />
        </>
      )}
      <MoreActions overview={overview} profile={record?.profile ?? null} />
    </>
  );
}

/** What goes on from a run that has ended: a file, a comparison, the next run. */
function Leave({
  overview,
  record,
  onBundle,
}: RunProps & { onBundle: (write: WriteBundle) => void }) {
  const client = useClient();
  const desktop = useDesktop();
  const navigate = useNavigate();
  const [again, setAgain] = useState(false);
  // The plan of a run that came in a file is not here: it can be compared, not run again.
  const canRun = record !== undefined && record.imported === undefined;
  const measured = overview.series.length > 0;
  const compare = {
    id: 'compare',
    title: 'Compare with…',
    run: () => void navigate(compareAddress(overview.id, [])),
  };
  const repeat = { id: 'again', title: 'Run again…', run: () => setAgain(true) };
  usePageActions([...(canRun ? [repeat] : []), ...(measured ? [compare] : [])]);
  return (
    <>
      <ExportRun
        hasActs={(overview.acts ?? []).length > 0}
        run={(kind, onProgress, signal, decided) =>
          exportRun(client, desktop, overview.id, kind, onProgress, signal, decided)
        }
        onBundle={onBundle}
      />
      {measured && (
        <Button
          size="xs"
          variant={canRun || record === undefined ? 'default' : 'filled'}
          leftSection={<IconArrowsDiff size={14} aria-hidden />}
          onClick={compare.run}
        >
          {compare.title}
        </Button>
      )}
      {canRun && (
        <Button
          size="xs"
          variant="filled"
          leftSection={<IconRefresh size={14} aria-hidden />}
          onClick={repeat.run}
        >
          {repeat.title}
        </Button>
      )}
      {again && record !== undefined && (
        <RunAgainSheet
          record={record}
          onClose={() => setAgain(false)}
          onStarted={(runId) => {
            setAgain(false);
            void navigate(`/runs/${runId}`);
          }}
        />
      )}
    </>
  );
}

/** A note on a moment; palette, menu and keyboard ask for one by the address: ?note=1. */
function AddNote({
  overview: { id, startedAtMs },
  nowMs,
  note,
}: {
  overview: RunOverview;
  nowMs: number;
  note: AskedNote;
}) {
  const send = useSendCommand();
  const [params] = useSearchParams();
  const { key } = useLocation();
  const focusKey = params.has('note')
    ? `${key} ${note.tick}`
    : note.tick > 0
      ? String(note.tick)
      : null;
  const [open, setOpen] = useState(false);
  const [seen, setSeen] = useState<string | null>(null);
  if (focusKey !== seen) {
    setSeen(focusKey);
    setOpen(focusKey !== null);
  }
  return (
    <Popover
      opened={open}
      onChange={setOpen}
      position="bottom-end"
      shadow="md"
      trapFocus
      returnFocus
      transitionProps={{ duration: 0 }}
    >
      <Popover.Target>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconFlag size={14} aria-hidden />}
          onClick={() => setOpen((now) => !now)}
        >
          Note
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <NoteForm
          focusKey={focusKey}
          at={note.atMs === null ? null : formatElapsed(note.atMs - (startedAtMs ?? 0))}
          onAdd={async (text) => {
            await send(
              'run.annotate',
              { id, text, tMs: Math.round(note.atMs ?? nowMs) },
              { refusal: 'here' },
            );
            note.added();
            setOpen(false);
          }}
        />
      </Popover.Dropdown>
    </Popover>
  );
}

/** Ends the run; asked for by the address too: ?abort=1. */
function Abort({ overview: { id, abortReason } }: { overview: RunOverview }) {
  const abort = useAbortRun();
  const [params, setParams] = useSearchParams();
  return (
    <AbortRun
      asked={params.has('abort')}
      onAsk={(asked) => setParams(asked ? { abort: '1' } : {}, { replace: true })}
      ending={abortReason !== null}
      onAbort={(hard) => abort(id, hard)}
    />
  );
}
