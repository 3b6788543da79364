import { Group, NativeSelect, SegmentedControl, SimpleGrid, Stack, Text } from '@mantine/core';
import { useMemo, useState } from 'react';

import type { MetricName } from '../../../core/metric/metric.ts';
import { metricWords } from '../../../core/metric/metricWords.ts';
import type { RunRecord } from '../../../core/run/run.ts';
import type { Reader } from '../../../wire/contract.ts';
import type { ChartPhase } from '../../charts/draw.ts';
import { createChartGroup } from '../../charts/group.ts';
import { TimeChart } from '../../charts/TimeChart.tsx';
import { type ChartSeries, storedSource } from '../../engine/series.ts';
import { useSamples } from '../../engine/useSamples.ts';
import { dim } from '../../kit/tones.ts';
import { type OverlayChart, overlayCharts, overlayMetrics, relativeSteady } from './overlays.ts';
import { runStyle } from './RunKey.tsx';

const none: readonly ChartSeries[] = [];
interface Props {
  client: Reader;
  /** The baseline first. */ records: readonly RunRecord[];
}

/**
 * More lines than this in one chart say nothing: then each run has a small chart of its own beside
 * the baseline.
 */
const mostLines = 8;

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
  const requests = useMemo(
    () =>
      overviews
        .map((o, run) => ({
          runId: o.id,
          seriesIds: shown.flatMap((c) =>
            c.lines.filter((l) => l.runIndex === run).map((l) => l.def.id),
          ),
        }))
        .filter((r) => r.seriesIds.length > 0),
    [overviews, shown],
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
  // The baseline and one candidate each; the same arrays while nothing changed.
  const pairs = useMemo(
    () =>
      new Map(
        !multiples
          ? []
          : records
              .slice(1)
              .map(
                (record, i) =>
                  [
                    i + 1,
                    [...lines.values()]
                      .flat()
                      .filter(
                        (line) =>
                          line.key === record.overview.id || line.key === records[0]!.overview.id,
                      ),
                  ] as const,
              ),
      ),
    [multiples, records, lines],
  );
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
        {multiples
          ? shown.flatMap((chart) =>
              records
                .slice(1)
                .map((record, i) => (
                  <TimeChart
                    key={record.overview.id}
                    title={`${record.overview.name}, ${chart.title}`}
                    unit={chart.unit}
                    series={pairs.get(i + 1) ?? none}
                    group={group}
                    phases={phases}
                    emphasis="all"
                    height={130}
                    loading={samples.get === null && samples.error === null}
                    error={samples.error}
                    onRetry={samples.retry}
                    missing={chart.missing.filter(
                      (name) => name === record.overview.name || name === records[0]!.overview.name,
                    )}
                  />
                )),
            )
          : shown.map((chart) => (
              <TimeChart
                key={chart.key}
                title={chart.title}
                unit={chart.unit}
                series={lines.get(chart.key) ?? []}
                group={group}
                phases={phases}
                emphasis="all"
                loading={samples.get === null && samples.error === null}
                error={samples.error}
                onRetry={samples.retry}
                missing={chart.missing}
              />
            ))}
      </SimpleGrid>
    </Stack>
  );
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
    const { color, dash } = runStyle(runIndex);
    return [
      {
        key: overview.id,
        highlightKey: overview.id,
        label: runIndex === 0 ? `${overview.name} (baseline)` : overview.name,
        unit: def.unit,
        color,
        dash,
        source: storedSource(data, def.periodMs),
        originMs: overview.startedAtMs,
        periodMs: def.periodMs,
        lagMs: def.lagMs,
        decimals: def.decimals,
        measuredBy: def.source,
      },
    ];
  });
}
