import type { ChartController, ChartSurface } from './controller.ts';
import type { ChartGroup } from './group.ts';
import { lastUpdateText } from './provenance.ts';
import {
  eventsNear,
  legendText,
  readings,
  readoutLines,
  spreadText,
  statusText,
  timeText,
} from './readout.ts';
import { highlightKeyOf, highlightOf } from './view.ts';

/** Nodes the chart writes to between React's renders. */
export interface SurfaceNodes {
  canvas: HTMLCanvasElement | null;
  root: HTMLElement | null;
  plot: HTMLElement | null;
  crosshair: HTMLElement | null;
  readout: HTMLElement | null;
  /**
   * One child a series, each with a `[data-value]` node; or one for many series, with
   * `[data-spread]`.
   */
  legend: HTMLElement | null;
  status: HTMLElement | null;
  /** Time of the newest sample. */
  updated: HTMLElement | null;
}
export interface DomSurface extends ChartSurface {
  /** A stable callback ref a node. */
  readonly refs: {
    readonly [N in keyof SurfaceNodes]: (node: NonNullable<SurfaceNodes[N]> | null) => void;
  };
  nodes(): Readonly<SurfaceNodes>;
  bind(controller: ChartController): void;
}

const write = (node: Element | null | undefined, text: string): void => {
  if (node != null && node.textContent !== text) node.textContent = text;
};

export function createDomSurface(group: ChartGroup): DomSurface {
  const nodes: SurfaceNodes = {
    canvas: null,
    root: null,
    plot: null,
    crosshair: null,
    readout: null,
    legend: null,
    status: null,
    updated: null,
  };
  let context: CanvasRenderingContext2D | null = null;
  let controller: ChartController | null = null;

  const refs: DomSurface['refs'] = {
    canvas: (node) => {
      nodes.canvas = node;
      context = null;
    },
    root: (node) => {
      nodes.root = node;
    },
    plot: (node) => {
      nodes.plot = node;
    },
    crosshair: (node) => {
      nodes.crosshair = node;
    },
    readout: (node) => {
      nodes.readout = node;
    },
    legend: (node) => {
      nodes.legend = node;
    },
    status: (node) => {
      nodes.status = node;
    },
    updated: (node) => {
      nodes.updated = node;
    },
  };
  const showReadout = (xPx: number | null): void => {
    const box = nodes.readout;
    if (box === null || controller === null) return;
    const owner = group.cursorOwner() === controller;
    if (xPx === null || !owner) {
      box.hidden = true;
      return;
    }
    const input = controller.input();
    const at = group.cursorMs();
    const { axes, plot } = controller.placement();
    const reachMs = ((axes.x[1] - axes.x[0]) / plot.width) * 6;
    const lines = readoutLines(input, group.get(), readings(input, at));
    const head = document.createElement('strong');
    head.textContent = timeText(input, group.get(), at);
    const rows = lines.map((l) => {
      const row = document.createElement('div');
      const swatch = document.createElement('i');
      swatch.style.background = l.color;
      const label = document.createElement('span');
      label.textContent = l.label;
      const value = document.createElement('b');
      value.textContent = l.text;
      row.append(swatch, label, value);
      return row;
    });
    const marks = eventsNear(input, at, reachMs).map((text) => {
      const row = document.createElement('em');
      row.textContent = text;
      return row;
    });
    box.replaceChildren(head, ...rows, ...marks);
    box.hidden = false;
    const left = xPx > plot.left + plot.width / 2;
    box.style.transform = left
      ? `translate(calc(${xPx - 10}px - 100%), 0)`
      : `translate(${xPx + 10}px, 0)`;
  };
  return {
    refs,
    nodes: () => nodes,
    bind: (next) => {
      controller = next;
    },
    pen: () => (context ??= nodes.canvas?.getContext('2d') ?? null),
    cursor: (xPx) => {
      const line = nodes.crosshair;
      if (line !== null) {
        line.hidden = xPx === null;
        if (xPx !== null) line.style.transform = `translateX(${Math.round(xPx)}px)`;
      }
      showReadout(xPx);
      const at = group.cursorMs();
      const { plot, root } = nodes;
      if (plot !== null && root !== null && controller !== null) {
        const input = controller.input();
        plot.setAttribute('aria-valuenow', String(Math.round(Number.isNaN(at) ? 0 : at / 1_000)));
        plot.setAttribute(
          'aria-valuetext',
          Number.isNaN(at) ? 'no cursor' : timeText(input, group.get(), at),
        );
      }
    },
    readouts: () => {
      if (controller === null) return;
      const input = controller.input();
      const list = readings(input, group.cursorMs());
      const { root, legend, status } = nodes;
      if (root !== null) {
        const empty = input.series.every((s) => Number.isNaN(s.source.lastMs()));
        if (root.hasAttribute('data-empty') !== empty) root.toggleAttribute('data-empty', empty);
      }
      write(status, statusText(list));
      write(nodes.updated, lastUpdateText(input, group.get()));
      const { x } = controller.axes();
      nodes.plot?.setAttribute('aria-valuemin', String(Math.floor(Math.min(0, x[0]) / 1_000)));
      nodes.plot?.setAttribute('aria-valuemax', String(Math.ceil(x[1] / 1_000)));
      if (legend === null) return;
      const spread = legend.querySelector('[data-spread]');
      if (spread !== null) {
        write(spread, spreadText(list));
        const chosen = highlightOf(input, group.get());
        const reading = list.find((r) => highlightKeyOf(r.series) === chosen);
        write(
          legend.querySelector('[data-value]'),
          reading === undefined ? '' : legendText(reading),
        );
        return;
      }
      const values = legend.querySelectorAll('[data-value]');
      list.forEach((reading, i) => write(values[i], legendText(reading)));
    },
  };
}
