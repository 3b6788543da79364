import { Group, Paper, SegmentedControl, Select, Stack, Text, Title } from '@mantine/core';
import { useMemo, useState } from 'react';

import type { ActState } from '../../../../core/acts/act.ts';
import { recoveryRuleText } from '../../../../core/acts/effect.ts';
import { noValue, quantityText } from '../../../../core/base/format.ts';
import { boardCharts } from '../../../../core/chart/boardCharts.ts';
import {
  actFigures,
  actInRun,
  actStateWords,
  actSummaries,
  type ActSummary,
} from '../../../../core/run/actSummary.ts';
import type { RunRecord } from '../../../../core/run/run.ts';
import { steadyWindow } from '../../../../core/run/windows.ts';
import type { ChartEvent } from '../../../charts/draw.ts';
import { createChartGroup } from '../../../charts/group.ts';
import { TimeChart } from '../../../charts/TimeChart.tsx';
import { Table } from '../../../kit/Table.tsx';
import { dim } from '../../../kit/tones.ts';
import { useRunLines, useStoredSamples } from '../../live/useRunLines.ts';

/** Shown before an act and after its recovery. */
const aroundMs = 180_000;
const none: readonly never[] = [];

/** What the plan's acts did: one workload before and after the act, then all of them in figures. */
export function ActsCard({ record }: { record: RunRecord }) {
  const acts = record.overview.acts ?? none;
  const [chosen, setChosen] = useState<string | null>(null);
  const act = acts.find((one) => one.id === chosen) ?? acts[0];
  if (act === undefined) return null;
  return (
    <Paper p="sm" component="section" aria-label="Acts">
      <Group justify="space-between" mb={6}>
        <Title order={2}>Acts</Title>
        {acts.length > 1 && (
          <Select
            w={360}
            aria-label="Act"
            allowDeselect={false}
            data={acts.map((one) => ({
              value: one.id,
              label: actInRun(one, record.overview.startedAtMs),
            }))}
            value={act.id}
            onChange={setChosen}
          />
        )}
      </Group>
      <OneAct key={act.id} act={act} record={record} />
    </Paper>
  );
}

function OneAct({ act, record }: { act: ActState; record: RunRecord }) {
  const { overview, profile } = record;
  const rows = useMemo(() => actSummaries(act, overview.workloads), [act, overview.workloads]);
  const [chosen, setChosen] = useState<string | null>(null);
  const worst = worstOf(rows);
  const row = rows.find((one) => one.workloadId === chosen) ?? worst;
  const nameOf = (id: string): string => profile.workloads.find((w) => w.id === id)?.name ?? id;
  return (
    <Stack gap="xs">
      <Text size="sm">
        <Text span fw={550}>
          {actInRun(act, overview.startedAtMs)}
        </Text>
        {` · ${actStateWords[act.state]}${act.text === '' ? '' : `: ${act.text}`}`}
      </Text>
      {row === undefined ? (
        <Text size="sm" c={dim}>
          It did not begin: there is nothing to measure.
        </Text>
      ) : (
        <>
          {rows.length > 1 && (
            <SegmentedControl
              size="xs"
              aria-label="Workload"
              style={{ alignSelf: 'flex-start', maxWidth: '100%', overflowX: 'auto' }}
              data={rows.map(({ workloadId }) => ({
                value: workloadId,
                label: nameOf(workloadId),
              }))}
              value={row.workloadId}
              onChange={setChosen}
            />
          )}
          <Around key={row.workloadId} act={act} row={row} record={record} />
          <Figures rows={rows} record={record} nameOf={nameOf} />
          <Text size="xs" c={dim}>
            {`${recoveryRuleText(act.rule)} Looked at until the next act, or the end of the steady state. Work lost is what the mean before would have done more until recovery.`}
          </Text>
        </>
      )}
    </Stack>
  );
}

/** The workload that lost the largest part of its work. */
const worstOf = (rows: readonly ActSummary[]): ActSummary | undefined =>
  [...rows].sort((a, b) => b.lost - a.lost || partLost(b) - partLost(a))[0];
const partLost = ({ workLost, throughputBefore }: ActSummary): number =>
  (workLost ?? 0) / Math.max(1e-9, throughputBefore ?? 0);

/** Throughput of one workload around the act, the time to recovery shaded. */
function Around({ act, row, record }: { act: ActState; row: ActSummary; record: RunRecord }) {
  const { overview, profile } = record;
  const load = useStoredSamples(overview.id);
  const chart = useMemo(
    () =>
      boardCharts(overview, profile).find(
        ({ group, defs }) =>
          group === 'throughput' &&
          defs.some(
            (def) => def.metric === 'throughput' && def.entity.id.endsWith(`.${row.workloadId}`),
          ),
      ),
    [overview, profile, row.workloadId],
  );
  const lines = useRunLines(overview, chart?.defs ?? none, { load: chart ? load : undefined });
  const atMs = (act.startedMs ?? lines.originMs) - lines.originMs;
  const endMs = (steadyWindow(overview)?.endMs ?? overview.nowMs) - lines.originMs;
  const untilMs = row.lost > 0 ? endMs : atMs + (row.recoveryS ?? 0) * 1_000;
  const [group] = useState(() =>
    createChartGroup({
      zoom: [Math.max(0, atMs - aroundMs), Math.min(endMs, untilMs + aroundMs)],
    }),
  );
  const events = useMemo(
    (): ChartEvent[] => [
      { id: act.id, atMs, kind: 'act', text: act.label, flag: true },
      ...(untilMs > atMs
        ? [{ id: `${act.id} recovery`, atMs, untilMs, kind: 'recovery', text: 'Until recovery' }]
        : []),
    ],
    [act, atMs, untilMs],
  );
  if (chart === undefined) return null;
  return (
    <TimeChart
      title={chart.title}
      unit={chart.unit}
      series={lines.linesOf(chart)}
      limits={chart.limits}
      phases={lines.phases}
      events={events}
      originMs={lines.originMs}
      group={group}
      height={210}
      loading={lines.loading}
      error={lines.error}
      onRetry={lines.retry}
      defaultHighlight={row.worstTile === null ? null : `tile:${row.worstTile}`}
    />
  );
}

function Figures({
  rows,
  record: { profile },
  nameOf,
}: {
  rows: readonly ActSummary[];
  record: RunRecord;
  nameOf: (workloadId: string) => string;
}) {
  const quantity = (value: number | null, unit: string): string =>
    value === null ? noValue : quantityText(value, unit);
  return (
    <Table aria-label="What the act did" verticalSpacing={3} fz="sm">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Workload</Table.Th>
          {actFigures.map(({ title }) => (
            <Table.Th key={title} ta="right">
              {title}
            </Table.Th>
          ))}
          <Table.Th ta="right">Throughput before</Table.Th>
          <Table.Th ta="right">At the end</Table.Th>
          <Table.Th ta="right">Latency before</Table.Th>
          <Table.Th ta="right">At the end</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((row) => {
          const unit = profile.workloads.find((w) => w.id === row.workloadId)?.unit ?? '';
          return (
            <Table.Tr key={row.workloadId}>
              <Table.Th scope="row">{nameOf(row.workloadId)}</Table.Th>
              {actFigures.map(({ title, say }) => (
                <Table.Td key={title} ta="right">
                  {say(row, unit)}
                </Table.Td>
              ))}
              <Table.Td ta="right">{quantity(row.throughputBefore, unit)}</Table.Td>
              <Table.Td ta="right">{quantity(row.throughputAfter, unit)}</Table.Td>
              <Table.Td ta="right">{quantity(row.latencyBeforeMs, 'ms')}</Table.Td>
              <Table.Td ta="right">{quantity(row.latencyAfterMs, 'ms')}</Table.Td>
            </Table.Tr>
          );
        })}
      </Table.Tbody>
    </Table>
  );
}
