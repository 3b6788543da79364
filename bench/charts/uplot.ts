import uPlot from 'uplot';

import { tileStyle } from '../../src/core/chart/palette.ts';
import { randomSource, startMs, valueAt } from './feed.ts';
import type { Wall, WallSize } from './ours.tsx';

function options(width: number, height: number, series: number, legend: boolean): uPlot.Options {
  return {
    width,
    height,
    title: '',
    legend: { show: legend },
    pxAlign: false,
    cursor: { show: true },
    scales: { x: { time: true } },
    series: [
      {},
      ...Array.from({ length: series }, (_, s) => ({
        label: `Tile ${s + 1}`,
        stroke: tileStyle(s).color,
        width: 1.25,
        points: { show: false },
      })),
    ],
  };
}

/**
 * uPlot as its documentation streams: arrays shifted by one, setData. Axes move with every update,
 * as its own do.
 */
export function mountUplot(host: HTMLElement, size: WallSize): Wall {
  const random = randomSource(7);
  let step = 0;
  const data = Array.from(
    { length: size.charts },
    () => [[], ...Array.from({ length: size.series }, () => [])] as number[][],
  );
  const push = (): void => {
    const at = startMs / 1_000 + step;
    for (let c = 0; c < size.charts; c++) {
      const columns = data[c]!;
      columns[0]!.push(at);
      for (let s = 0; s < size.series; s++)
        columns[s + 1]!.push(valueAt(c * size.series + s, step, random));
      if (columns[0]!.length > size.points) for (const column of columns) column.shift();
    }
    step++;
  };
  for (let i = 0; i < size.points; i++) push();
  const box = document.createElement('div');
  box.style.cssText = 'display:flex;flex-wrap:wrap';
  host.append(box);
  const plots = data.map((columns) => {
    const cell = document.createElement('div');
    cell.style.width = `${size.width}px`;
    box.append(cell);
    return new uPlot(
      options(size.width, size.height, size.series, false),
      columns as uPlot.AlignedData,
      cell,
    );
  });
  return {
    update: () => {
      push();
      plots.forEach((plot, i) => {
        plot.setData(data[i] as uPlot.AlignedData);
      });
    },
    close: () => {
      for (const plot of plots) plot.destroy();
      box.remove();
    },
  };
}

export function firstDrawUplot(host: HTMLElement, tMs: Float64Array, value: Float64Array): uPlot {
  return new uPlot(options(800, 300, 1, true), [tMs.map((t) => t / 1_000), value], host);
}
