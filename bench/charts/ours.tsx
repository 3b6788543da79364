import { MantineProvider } from '@mantine/core';
import { flushSync } from 'react-dom';
import { createRoot, type Root } from 'react-dom/client';

import { tileStyle } from '../../src/core/chart/palette.ts';
import { createChartGroup } from '../../src/ui/charts/group.ts';
import { TimeChart } from '../../src/ui/charts/TimeChart.tsx';
import { createLiveSeries } from '../../src/ui/engine/liveSeries.ts';
import { type ChartSeries, storedSource } from '../../src/ui/engine/series.ts';
import { benchDefs, randomSource, startMs, valueAt } from './feed.ts';

export interface Wall {
  update(): void;
  close(): void;
}
export interface WallSize {
  charts: number;
  series: number;
  points: number;
  width: number;
  height: number;
}

/**
 * Our charts over the live store: mounts, fills with `points` seconds, then one sample a series an
 * update.
 */
export function mountOurs(host: HTMLElement, size: WallSize): Wall {
  const live = createLiveSeries();
  const total = size.charts * size.series;
  live.define('r', benchDefs(total));
  const random = randomSource(7);
  let step = 0;
  const batch = new Float64Array(total * 3);
  const second = (): void => {
    const tMs = startMs + step * 1_000;
    for (let id = 0; id < total; id++) {
      batch[id * 3] = id;
      batch[id * 3 + 1] = tMs;
      batch[id * 3 + 2] = valueAt(id, step, random);
    }
    step++;
    live.ingest('r', batch);
  };
  for (let i = 0; i < size.points; i++) second();
  const group = createChartGroup({ windowMs: size.points * 1_000 });
  const feed = (listener: () => void): (() => void) => live.subscribe('r', listener);
  const nowMs = (): number => startMs + (step - 1) * 1_000;
  const charts = Array.from({ length: size.charts }, (_, c) =>
    Array.from({ length: size.series }, (__, s): ChartSeries => ({
      key: `s${s}`,
      label: `Tile ${s + 1}`,
      unit: 'tps',
      color: tileStyle(s).color,
      dash: [],
      source: live.source('r', c * size.series + s),
      originMs: startMs,
      periodMs: 1_000,
      lagMs: 0,
      decimals: 2,
    })),
  );
  const root = createRoot(host);
  flushSync(() => {
    root.render(
      <MantineProvider>
        <div style={{ display: 'flex', flexWrap: 'wrap' }}>
          {charts.map((series, c) => (
            <div key={c} style={{ width: size.width }}>
              <TimeChart
                title={`Chart ${c + 1}`}
                unit="tps"
                series={series}
                group={group}
                feed={feed}
                nowMs={nowMs}
                originMs={startMs}
                emphasis="all"
                height={size.height}
              />
            </div>
          ))}
        </div>
      </MantineProvider>,
    );
  });
  return {
    update: second,
    close: () => {
      root.unmount();
      live.drop('r');
    },
  };
}

/**
 * The application around a chart, mounted before the clock starts: a chart is opened in a running
 * console.
 */
export function mountShell(host: HTMLElement): Root {
  const root = createRoot(host);
  flushSync(() => {
    root.render(
      <MantineProvider>
        <div />
      </MantineProvider>,
    );
  });
  return root;
}

/** One line of stored points, from nothing. */
export function firstDrawOurs(root: Root, tMs: Float64Array, value: Float64Array): void {
  const series: ChartSeries[] = [
    {
      key: 'a',
      label: 'Tile 1',
      unit: 'tps',
      color: tileStyle(0).color,
      dash: [],
      source: storedSource({ tMs, value }, 100),
      originMs: tMs[0]!,
      periodMs: 100,
      lagMs: 0,
      decimals: 2,
    },
  ];
  flushSync(() => {
    root.render(
      <MantineProvider>
        <div style={{ width: 800 }}>
          <TimeChart title="One line" unit="tps" series={series} originMs={tMs[0]} height={300} />
        </div>
      </MantineProvider>,
    );
  });
}
