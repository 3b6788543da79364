import { Stack } from '@mantine/core';
import { type ComponentProps, type ReactNode, useCallback, useState } from 'react';
import { useParams } from 'react-router';

import { formatClock } from '../../../core/base/format.ts';
import { isForeign } from '../../../core/run/foreign.ts';
import type { RunOverview, RunRecord } from '../../../core/run/run.ts';
import { isEnd } from '../../../core/run/states.ts';
import { type DetachedPanel, detachedPath } from '../../../wire/detached.ts';
import { useConnected, useRunOverview, useRunRecord } from '../../engine/runData.ts';
import { useNow } from '../../engine/useNow.ts';
import { DetachContext } from '../../kit/detachContext.ts';
import { Failure, Pending } from '../../kit/LoadState.tsx';
import { ChartMarkContext, markOf } from '../../kit/mark.ts';
import { StudyLink } from '../../kit/StudyLink.tsx';
import { useDetach } from '../../kit/useDetach.tsx';
import { BundleDialog } from '../bundle/BundleDialog.tsx';
import { EntryStrip } from '../history/EntryStrip.tsx';
import { LiveStrip } from './LiveStrip.tsx';
import { VerdictHead } from './result/VerdictHead.tsx';
import { RunActions, useAskedNote, type WriteBundle } from './RunActions.tsx';
import { AfterRun, BeforeRun, DuringRun } from './RunContent.tsx';
import { RunHeader } from './RunHeader.tsx';
import { RunMarkChips } from './RunMarks.tsx';

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
  const { showsEnd, seeResult } = useShownEnd(ended, !ended && !isBefore(overview));
  const nowMs = useNow(overview.nowMs, !ended && connected);
  const note = useAskedNote();
  const [bundle, setBundle] = useState<{ write: WriteBundle } | null>(null);
  const openWindow = useDetach();
  const detach = useCallback(
    (panel: DetachedPanel) => openWindow(detachedPath(overview.id, panel)),
    [openWindow, overview.id],
  );
  const watched = !showsEnd && !isBefore(overview);
  const actions = (
    <RunActions
      ended={ended}
      seeResult={ended && watched ? seeResult : null}
      overview={overview}
      record={record}
      nowMs={nowMs}
      note={note}
      onBundle={(write) => setBundle({ write })}
    />
  );
  const staleSince = connected || ended ? null : formatClock(overview.nowMs);
  return (
    // A simulated run that came as a bundle lies among real ones.
    <ChartMarkContext value={markOf(overview.origin)}>
      <Stack gap={watched ? 8 : showsEnd ? 'xs' : 'md'}>
        {bundle !== null && (
          <BundleDialog
            of={{ kind: 'run', id: overview.id }}
            onClose={() => setBundle(null)}
            onWrite={(redacted, decided) => {
              setBundle(null);
              bundle.write(redacted ? 'redacted' : 'bundle', decided);
            }}
          />
        )}
        {watched ? (
          <WatchedHead
            overview={overview}
            record={record}
            nowMs={nowMs}
            actions={actions}
            staleSince={staleSince}
          />
        ) : (
          <>
            <RunHeader
              study={record?.plan.study ?? null}
              judged={!isForeign(record?.imported)}
              overview={overview}
              nowMs={nowMs}
              {...(showsEnd && { verdict: <VerdictHead overview={overview} record={record} /> })}
              actions={actions}
              staleSince={staleSince}
            />
            <EntryStrip kind="run" id={overview.id} />
          </>
        )}
        <DetachContext value={detach}>
          {watched ? (
            <DuringRun
              overview={overview}
              record={record}
              nowMs={nowMs}
              onAddNote={note.ask}
              onSeeResult={seeResult}
            />
          ) : showsEnd ? (
            <AfterRun overview={overview} record={record} recordError={recordError} />
          ) : (
            <BeforeRun
              overview={overview}
              record={record}
              recordError={recordError}
              nowMs={nowMs}
            />
          )}
        </DetachContext>
      </Stack>
    </ChartMarkContext>
  );
}

/** The head of a run while its board is watched. */
function WatchedHead({
  record,
  overview,
  ...strip
}: Omit<ComponentProps<typeof LiveStrip>, 'marks'> & { record: RunRecord | undefined }) {
  const study = record?.plan.study ?? null;
  return (
    <LiveStrip
      {...strip}
      overview={overview}
      marks={
        <>
          {study !== null && <StudyLink study={study} />}
          <RunMarkChips
            overview={{ ...overview, verdict: null }}
            resultName=""
            minimumHosts={0}
            hostCount={null}
          />
        </>
      }
    />
  );
}

/**
 * Whether the result is shown. A run that ends while its board is watched stays on it until
 * somebody asks for the result.
 */
function useShownEnd(
  ended: boolean,
  hasBoard: boolean,
): { showsEnd: boolean; seeResult: () => void } {
  const [asked, setAsked] = useState(false);
  const [watched, setWatched] = useState(hasBoard);
  if (hasBoard && !watched) setWatched(true);
  const seeResult = useCallback(() => setAsked(true), []);
  return { showsEnd: ended && (asked || !watched), seeResult };
}
