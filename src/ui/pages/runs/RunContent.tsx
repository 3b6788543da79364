import { Button, Stack, Tabs, Title } from '@mantine/core';
import { type ReactNode, useState } from 'react';

import type { RunOverview, RunRecord } from '../../../core/run/run.ts';
import { overviewStateWord } from '../../../core/run/runWords.ts';
import { isEnd } from '../../../core/run/states.ts';
import { useRunList, useRunLog } from '../../engine/runData.ts';
import { useSendCommand } from '../../engine/sendCommand.ts';
import { useLiveRun } from '../../engine/useLiveRun.ts';
import { LiveRunFault } from '../../kit/LiveRunFault.tsx';
import { Failure, Pending } from '../../kit/LoadState.tsx';
import { EntryStrip } from '../history/EntryStrip.tsx';
import { ActsNotice } from '../live/ActsNotice.tsx';
import { EarlyAbortNotice } from '../live/EarlyAbortNotice.tsx';
import { LiveBoard } from '../live/LiveBoard.tsx';
import { useStoredSamples } from '../live/useRunLines.ts';
import { EsxtopPanel } from './EsxtopPanel.tsx';
import { EventList } from './EventList.tsx';
import { Findings } from './Findings.tsx';
import { LogTabs } from './LogTabs.tsx';
import { PlanSummary } from './PlanSummary.tsx';
import { RunMarks } from './RunMarks.tsx';
import { RunResult } from './RunResult.tsx';
import { SetupView } from './SetupView.tsx';
import { WorkloadTable } from './WorkloadTable.tsx';

interface PartProps {
  overview: RunOverview;
  record: RunRecord | undefined;
  recordError: ReactNode;
}

/** The plan and what was found of it, before a run has started. */
export function BeforeRun({ overview, record, recordError, nowMs }: PartProps & { nowMs: number }) {
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

/** The live board of a run, its workloads, its events. */
export function DuringRun({
  overview,
  record,
  nowMs,
  onAddNote,
  onSeeResult,
}: {
  overview: RunOverview;
  record: RunRecord | undefined;
  nowMs: number;
  onAddNote: (atMs: number | null) => void;
  onSeeResult: () => void;
}) {
  const send = useSendCommand();
  const live = useLiveRun(overview.id);
  return (
    <Tabs defaultValue="board" keepMounted={false}>
      <Tabs.List aria-label="Run">
        <Tabs.Tab value="board">Live board</Tabs.Tab>
        <Tabs.Tab value="workloads">Workloads</Tabs.Tab>
        <Tabs.Tab value="events">{`Events (${overview.events.length})`}</Tabs.Tab>
        <Tabs.Tab value="plan">Plan</Tabs.Tab>
        {overview.esxtop && <Tabs.Tab value="esxtop">Diagnose with esxtop</Tabs.Tab>}
      </Tabs.List>
      <Tabs.Panel value="board" pt={8}>
        <LiveBoard
          overview={overview}
          source="live"
          live={live.series}
          reading={live.state !== 'ready'}
          profile={record?.profile}
          onAddNote={onAddNote}
          alerts={
            <>
              {isEnd(overview.state) && <EndedBar overview={overview} onSeeResult={onSeeResult} />}
              <EarlyAbortNotice
                overview={overview}
                nowMs={nowMs}
                onLetRun={() => send('run.letRun', { id: overview.id }, { refusal: 'here' })}
              />
              <ActsNotice
                overview={overview}
                nowMs={nowMs}
                onDone={(actId) =>
                  send('run.actDone', { id: overview.id, actId }, { refusal: 'here' })
                }
              />
              <LiveRunFault run={live} />
            </>
          }
        />
      </Tabs.Panel>
      <Tabs.Panel value="workloads" pt="sm">
        <WorkloadTable overview={overview} record={record} nowMs={nowMs} />
      </Tabs.Panel>
      <Tabs.Panel value="events" pt="sm">
        <EventList overview={overview} />
      </Tabs.Panel>
      <Tabs.Panel value="esxtop" pt="sm">
        <EsxtopPanel
          overview={overview}
          nowMs={nowMs}
          onLook={(hostRef) =>
            send('run.esxtop', { id: overview.id, hostRef }, { refusal: 'here' })
          }
        />
      </Tabs.Panel>
      <Tabs.Panel value="plan" pt="sm">
        <Stack gap="md">
          <EntryStrip kind="run" id={overview.id} />
          {record ? <PlanSummary record={record} /> : <Pending label="plan" />}
        </Stack>
      </Tabs.Panel>
    </Tabs>
  );
}

/** The run has ended while one looks at its board, which stays until one asks for the result. */
function EndedBar({ overview, onSeeResult }: { overview: RunOverview; onSeeResult: () => void }) {
  return (
    <p role="status" aria-label="End of the run">
      <strong>{`Run ended: ${overviewStateWord(overview)}.`}</strong>
      <Button size="compact-sm" variant="filled" onClick={onSeeResult}>
        See result
      </Button>
    </p>
  );
}

/** The result of a run and all that is kept of it. */
export function AfterRun({ overview, record, recordError }: PartProps) {
  const summary = useRunList().data?.find((r) => r.id === overview.id);
  const send = useSendCommand();
  const [tab, setTab] = useState('result');
  const load = useStoredSamples(overview.id);
  if (record === undefined) return recordError ?? <Pending label="result" />;
  // The overview is the newer of the two: a note added after the end is in it.
  const whole = { ...record, overview };
  const hasLooks = (overview.esxtop?.looks.length ?? 0) > 0;
  return (
    <Tabs value={tab} onChange={(next) => setTab(next ?? 'result')} keepMounted={false}>
      <Tabs.List aria-label="Run">
        <Tabs.Tab value="result">Result</Tabs.Tab>
        <Tabs.Tab value="charts">Charts</Tabs.Tab>
        <Tabs.Tab value="events">{`Events (${overview.events.length})`}</Tabs.Tab>
        <Tabs.Tab value="setup">Set-up</Tabs.Tab>
        {hasLooks && <Tabs.Tab value="esxtop">esxtop</Tabs.Tab>}
        <Tabs.Tab value="log">Log</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="result" pt="sm">
        <RunResult
          record={whole}
          summary={summary}
          onTidy={() => send('run.tidy', { id: overview.id }, { refusal: 'here' })}
          onTab={setTab}
        />
      </Tabs.Panel>
      <Tabs.Panel value="charts" pt="sm">
        <LiveBoard overview={overview} source="stored" load={load} profile={record.profile} />
      </Tabs.Panel>
      <Tabs.Panel value="events" pt="sm">
        <Stack gap="md">
          <Findings overview={overview} />
          <EventList overview={overview} />
        </Stack>
      </Tabs.Panel>
      <Tabs.Panel value="setup" pt="sm">
        <SetupView record={whole} />
      </Tabs.Panel>
      {hasLooks && (
        <Tabs.Panel value="esxtop" pt="sm">
          <EsxtopPanel overview={overview} nowMs={overview.nowMs} onLook={null} />
        </Tabs.Panel>
      )}
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
