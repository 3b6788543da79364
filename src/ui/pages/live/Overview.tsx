import { memo, useCallback, useMemo, useSyncExternalStore } from 'react';

import { formatClock, formatElapsed } from '../../../core/base/format.ts';
import type { BoardChart } from '../../../core/chart/boardCharts.ts';
import type { RunEvent } from '../../../core/run/run.ts';
import type { ChartGroup } from '../../charts/group.ts';
import type { ChartSeries } from '../../engine/series.ts';
import { markKind } from './laneModel.ts';
import { LaneShape } from './LaneShape.tsx';
import styles from './live.module.css';
import { rankChart, rankSpecs, type ReadSeries } from './rankModel.ts';
import { RankStrip } from './RankStrip.tsx';

export interface OverviewProps {
  charts: readonly BoardChart[];
  linesOf: (chart: BoardChart) => readonly ChartSeries[];
  read: ReadSeries;
  /** `now`, or what the values are a mean of. */
  when: string;
  nowMs: (() => number) | null;
  /** The past of the run is still being read. */
  reading: boolean;
  group: ChartGroup;
  originMs: number;
  onOpen: (key: string) => void;
}

/** All machines, LUNs, meters and links at a glance, highest first. */
export const Overview = memo(function Overview({
  charts,
  linesOf,
  read,
  when,
  nowMs,
  reading,
  group,
  originMs,
  onOpen,
}: OverviewProps) {
  const { clock } = useSyncExternalStore(group.subscribe, group.get);
  const timeText = useCallback(
    (atMs: number): string => (clock ? formatClock(atMs + originMs) : formatElapsed(atMs)),
    [clock, originMs],
  );
  const strips = useMemo(
    () =>
      rankSpecs.flatMap((spec) => {
        const chart = rankChart(spec, charts);
        // One bar says no more than its chart.
        return chart === undefined || chart.defs.length < 2
          ? []
          : [{ spec, chart, lines: linesOf(chart) }];
      }),
    [charts, linesOf],
  );
  return (
    <div className={styles.overview}>
      {strips.map(({ spec, chart, lines }) => (
        <RankStrip
          key={spec.id}
          spec={spec}
          unit={chart.unit}
          lines={lines}
          read={read}
          when={when}
          nowMs={nowMs}
          reading={reading}
          onOpen={onOpen}
          onSplit={() => {
            onOpen(`chart:${chart.id}`);
          }}
          timeText={timeText}
        />
      ))}
    </div>
  );
});

const newest = 6;

/** What happened last, newest first; each leads to its time on the charts. */
export const LatestEvents = memo(function LatestEvents({
  events,
  group,
  originMs,
}: {
  events: readonly RunEvent[];
  group: ChartGroup;
  originMs: number;
}) {
  const { clock } = useSyncExternalStore(group.subscribe, group.get);
  const timeText = (atMs: number): string =>
    clock ? formatClock(atMs + originMs) : formatElapsed(atMs);
  const last = useMemo(
    () =>
      events
        .filter((e) => markKind(e) !== null)
        .sort((a, b) => b.tMs - a.tMs || b.id - a.id)
        .slice(0, newest),
    [events],
  );
  return (
    <section className={styles.newest} aria-label="Latest events">
      <h3>Latest events</h3>
      {last.length === 0 && <p>None yet.</p>}
      <ul>
        {last.map((event) => {
          const kind = markKind(event)!;
          const at = event.tMs - originMs;
          return (
            <li key={event.id}>
              <button
                type="button"
                title={event.text}
                aria-label={`${timeText(at)}, ${kind.what}: ${event.text}. Shows its time on the charts.`}
                onClick={() => {
                  group.set({ zoom: [Math.max(0, at - 120_000), at + 120_000] });
                }}
              >
                <span>{timeText(at)}</span>
                <LaneShape shape={kind.shape} bad={kind.bad === true} />
                <span>{event.text}</span>
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
});
