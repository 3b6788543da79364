import { Stack } from '@mantine/core';
import { type ReactNode, useCallback, useState } from 'react';
import { useParams } from 'react-router';

import { formatClock } from '../../../core/base/format.ts';
import { isForeign } from '../../../core/run/foreign.ts';
import type { RunOverview, RunRecord } from '../../../core/run/run.ts';
import { isEnd } from '../../../core/run/states.ts';
import { type DetachedPanel, detachedPath } from '../../../wire/detached.ts';
import { HoldContext } from '../../charts/hold.ts';
import { useConnected, useRunOverview, useRunRecord } from '../../engine/runData.ts';
import { useNow } from '../../engine/useNow.ts';
import { DetachContext } from '../../kit/detachContext.ts';
import { Failure, Pending } from '../../kit/LoadState.tsx';
import { ChartMarkContext, markOf } from '../../kit/mark.ts';
import { useDetach } from '../../kit/useDetach.tsx';
import { BundleDialog } from '../bundle/BundleDialog.tsx';
import { EntryStrip } from '../history/EntryStrip.tsx';
import { VerdictHead } from './result/VerdictHead.tsx';
import { RunActions, useAskedNote, type WriteBundle } from './RunActions.tsx';
import { AfterRun, BeforeRun, DuringRun } from './RunContent.tsx';
import { RunHeader } from './RunHeader.tsx';

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
  const connected = useConnected();
  const ended = isEnd(overview.state);
  const { showsEnd, hold } = useShownEnd(ended);
  const nowMs = useNow(overview.nowMs, !ended && connected);
  const note = useAskedNote();
  const [bundle, setBundle] = useState<{ write: WriteBundle } | null>(null);
  const openWindow = useDetach();
  const detach = useCallback(
    (panel: DetachedPanel) => openWindow(detachedPath(overview.id, panel)),
    [openWindow, overview.id],
  );
  return (
    // A simulated run that came as a bundle lies among real ones.
    <HoldContext value={hold}>
      <ChartMarkContext value={markOf(overview.origin)}>
        <Stack gap={showsEnd ? 'xs' : 'md'}>
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
            {...(showsEnd && { verdict: <VerdictHead overview={overview} record={record} /> })}
            actions={
              <RunActions
                ended={ended}
                overview={overview}
                record={record}
                nowMs={nowMs}
                note={note}
                onBundle={(write) => setBundle({ write })}
              />
            }
            staleSince={connected || ended ? null : formatClock(overview.nowMs)}
          />
          <EntryStrip kind="run" id={overview.id} />
          <DetachContext value={detach}>
            {showsEnd ? (
              <AfterRun overview={overview} record={record} recordError={recordError} />
            ) : isBefore(overview) ? (
              <BeforeRun
                overview={overview}
                record={record}
                recordError={recordError}
                nowMs={nowMs}
              />
            ) : (
              <DuringRun overview={overview} record={record} nowMs={nowMs} onAddNote={note.ask} />
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
