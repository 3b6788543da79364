import { Group, NativeSelect, SegmentedControl, SimpleGrid, Stack, Text } from '@mantine/core';
import { useMemo, useState } from 'react';

import type { MetricName } from '../../../core/metric/metric.ts';
import { metricWords } from '../../../core/metric/metricWords.ts';
import type { RunRecord } from '../../../core/run/run.ts';
import type { Reader } from '../../../wire/contract.ts';
import { chartLine } from '../../charts/chartLine.ts';
import type { ChartPhase } from '../../charts/draw.ts';
import { createChartGroup } from '../../charts/group.ts';
import { TimeChart } from '../../charts/TimeChart.tsx';
import { type ChartSeries, storedSource } from '../../engine/series.ts';
import { useSamples } from '../../engine/useSamples.ts';
import { dim } from '../../kit/tones.ts';
import { type OverlayChart, overlayCharts, overlayMetrics, relativeSteady } from './overlays.ts';

const none: readonly ChartSeries[] = [];
interface Props {
  client: Reader;
  /** The baseline first. */ records: readonly RunRecord[];
}

/**
 * More lines than this in one chart say nothing: then each run has a small chart of its own beside
 * the baseline.
 */
export const mostLines = 8;

/**
 * The same measure of every run laid over each other, by time in the run, with shared axes, cursor
 * and zoom.
 */
export function Overlays({ client, records }: Props) {
  const overviews = useMemo(() => records.map((r) => r.overview), [records]);
  const charts = useMemo(() => overlayCharts(overviews), [overviews]);
  const metrics = useMemo(() => overlayMetrics(charts), [charts]);
  const [chosen, setChosen] = useState<MetricName | null>(null);
  const metric = chosen !== null && metrics.includes(chosen) ? chosen : metrics[0];
  const [one, setOne] = useState<string | null>(null);
  const multiples = records.length > mostLines;
  const all = useMemo(
    () => charts.filter((c) => c.lines[0]?.def.metric === metric),
    [charts, metric],
  );
  const single = all.find((c) => c.key === one) ?? all[0];
  const shown = useMemo(
    () => (multiples ? all.filter((c) => c === single) : all),
    [all, multiples, single],
  );
  const drawn = useOverlayLines(client, records, shown);
  if (metric === undefined)
    return (
      <Text size="sm" c={dim}>
        None of these runs has samples.
      </Text>
    );
  return (
    <Stack gap="sm">
      <Group gap="sm">
        <SegmentedControl
          size="xs"
          aria-label="Measure"
          style={{ alignSelf: 'flex-start' }}
          data={metrics.map((m) => ({ value: m, label: metricWords[m] }))}
          value={metric}
          onChange={(value) => setChosen(metrics.find((m) => m === value) ?? null)}
        />
        {multiples && single && (
          <NativeSelect
            size="xs"
            aria-label="Series of the small charts"
            value={single.key}
            data={all.map((c) => ({ value: c.key, label: c.title }))}
            onChange={(e) => setOne(e.currentTarget.value)}
          />
        )}
      </Group>
      <SimpleGrid cols={{ base: 1, md: multiples ? 3 : 2 }} spacing="md">
        {multiples ? (
          <Multiples shown={shown} records={records} drawn={drawn} />
        ) : (
          shown.map(({ key, title, unit, missing }) => (
            <TimeChart
              key={key}
              title={title}
              unit={unit}
              series={drawn.lines.get(key) ?? []}
              missing={missing}
              {...drawn.common}
            />
          ))
        )}
      </SimpleGrid>
    </Stack>
  );
}

/** Each run in a small chart of its own beside the baseline. */
function Multiples({
  shown,
  records,
  drawn: { lines, common },
}: {
  shown: readonly OverlayChart[];
  records: readonly RunRecord[];
  drawn: ReturnType<typeof useOverlayLines>;
}) {
  // The baseline and one candidate each; the same arrays while nothing changed.
  const pairs = useMemo(() => {
    const all = [...lines.values()].flat();
    return records
      .slice(1)
      .map(({ overview }) =>
        all.filter((line) => line.key === overview.id || line.key === records[0]!.overview.id),
      );
  }, [lines, records]);
  return shown.flatMap((chart) =>
    records
      .slice(1)
      .map(({ overview }, i) => (
        <TimeChart
          key={overview.id}
          title={`${overview.name}, ${chart.title}`}
          unit={chart.unit}
          series={pairs[i] ?? none}
          height={130}
          missing={chart.missing.filter(
            (name) => name === overview.name || name === records[0]!.overview.name,
          )}
          {...common}
        />
      )),
  );
}

/** Lines of the charts shown, by chart, and what all charts share. */
export function useOverlayLines(
  client: Reader,
  records: readonly RunRecord[],
  shown: readonly OverlayChart[],
) {
  const requests = useMemo(
    () =>
      records
        .map(({ overview }, run) => ({
          runId: overview.id,
          seriesIds: shown.flatMap((c) =>
            c.lines.filter((l) => l.runIndex === run).map((l) => l.def.id),
          ),
        }))
        .filter((r) => r.seriesIds.length > 0),
    [records, shown],
  );
  const samples = useSamples(client, requests);
  const [group] = useState(() => createChartGroup());
  const phases = useMemo(() => baselinePhases(records[0]), [records]);
  const lines = useMemo(
    () =>
      new Map(
        shown.map((chart) => [
          chart.key,
          samples.get === null ? [] : chartLines(chart, records, samples.get),
        ]),
      ),
    [shown, records, samples],
  );
  const common = {
    group,
    phases,
    emphasis: 'all',
    loading: samples.get === null && samples.error === null,
    error: samples.error,
    onRetry: samples.retry,
  } as const;
  return { lines, common };
}

/** The steady state of the baseline as the band behind every chart. */
function baselinePhases(record: RunRecord | undefined): ChartPhase[] {
  const steady = record === undefined ? null : relativeSteady(record.overview);
  return steady === null ? [] : [{ name: 'steady', fromMs: steady.startMs, toMs: steady.endMs }];
}

function chartLines(
  chart: OverlayChart,
  records: readonly RunRecord[],
  get: NonNullable<ReturnType<typeof useSamples>['get']>,
): ChartSeries[] {
  // The baseline is drawn first, so that candidates lie over it.
  return chart.lines.flatMap(({ runIndex, def }) => {
    const overview = records[runIndex]!.overview;
    const data = get(overview.id, def.id);
    if (data === undefined || overview.startedAtMs === null) return [];
    return [
      chartLine(def, {
        source: storedSource(data, def.periodMs),
        originMs: overview.startedAtMs,
        place: runIndex,
        of: { kind: 'run', id: overview.id, name: overview.name },
      }),
    ];
  });
}
