import type { ChartController, ChartSurface } from './controller.ts';
import type { ChartGroup } from './group.ts';
import { lastUpdateText } from './provenance.ts';
import {
  eventsNear,
  isLongStatus,
  legendText,
  type Reading,
  readings,
  type ReadoutLine,
  readoutLines,
  spreadText,
  statusText,
  timeText,
} from './readout.ts';
import { type ChartInput, highlightKeyOf, highlightOf } from './view.ts';

/** Nodes the chart writes to between React's renders. */
export interface SurfaceNodes {
  canvas: HTMLCanvasElement | null;
  root: HTMLElement | null;
  plot: HTMLElement | null;
  crosshair: HTMLElement | null;
  /** The part that a drag covers. */
  selection: HTMLElement | null;
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
  /** Shows the part that a drag covers, px of the plot; null hides it. */
  readonly select: (fromPx: number | null, toPx: number) => void;
}

const write = (node: Element | null | undefined, text: string): void => {
  if (node != null && node.textContent !== text) node.textContent = text;
};

/** The nodes of a chart, and what is written to them between React's renders. */
export function createDomSurface(group: ChartGroup): DomSurface {
  const nodes: SurfaceNodes = {
    canvas: null,
    root: null,
    plot: null,
    crosshair: null,
    selection: null,
    readout: null,
    legend: null,
    status: null,
    updated: null,
  };
  let context: CanvasRenderingContext2D | null = null;
  let controller: ChartController | null = null;
  return {
    refs: nodeRefs(nodes, () => {
      context = null;
    }),
    nodes: () => nodes,
    bind: (next) => {
      controller = next;
    },
    select: (fromPx, toPx) => {
      const box = nodes.selection;
      if (box === null) return;
      box.hidden = fromPx === null;
      if (fromPx === null) return;
      box.style.left = `${Math.min(fromPx, toPx)}px`;
      box.style.width = `${Math.abs(toPx - fromPx)}px`;
    },
    pen: () => (context ??= nodes.canvas?.getContext('2d') ?? null),
    cursor: (xPx) => {
      const line = nodes.crosshair;
      if (line !== null) {
        line.hidden = xPx === null;
        if (xPx !== null) line.style.transform = `translateX(${Math.round(xPx)}px)`;
      }
      if (controller === null) return;
      if (nodes.readout !== null) writeReadout(nodes.readout, controller, group, xPx);
      if (nodes.plot !== null && nodes.root !== null)
        writeCursorTime(nodes.plot, controller.input(), group);
    },
    readouts: () => {
      if (controller !== null) writeValues(nodes, controller, group);
    },
  };
}

/** `onCanvas`: another canvas has another context. */
const nodeRefs = (nodes: SurfaceNodes, onCanvas: () => void): DomSurface['refs'] => ({
  canvas: (node) => {
    nodes.canvas = node;
    onCanvas();
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
  selection: (node) => {
    nodes.selection = node;
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
});

/** The box beside the cursor, on the chart that moved it; null = the cursor is outside. */
function writeReadout(
  box: HTMLElement,
  controller: ChartController,
  group: ChartGroup,
  xPx: number | null,
): void {
  if (xPx === null || group.cursorOwner() !== controller) {
    box.hidden = true;
    return;
  }
  const input = controller.input();
  const at = group.cursorMs();
  const { axes, plot } = controller.placement();
  const reachMs = ((axes.x[1] - axes.x[0]) / plot.width) * 6;
  const head = document.createElement('strong');
  head.textContent = timeText(input, group.get(), at);
  const rows = readoutLines(input, group.get(), readings(input, at)).map(readoutRow);
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
}

function readoutRow(line: ReadoutLine): HTMLElement {
  const row = document.createElement('div');
  const swatch = document.createElement('i');
  swatch.style.background = line.color;
  const label = document.createElement('span');
  label.textContent = line.label;
  const value = document.createElement('b');
  value.textContent = line.text;
  row.append(swatch, label, value);
  return row;
}

/** Time of the cursor for screen readers: the plot is a slider. */
function writeCursorTime(plot: HTMLElement, input: ChartInput, group: ChartGroup): void {
  const at = group.cursorMs();
  plot.setAttribute('aria-valuenow', String(Math.round(Number.isNaN(at) ? 0 : at / 1_000)));
  plot.setAttribute(
    'aria-valuetext',
    Number.isNaN(at) ? 'no cursor' : timeText(input, group.get(), at),
  );
}

/** Values beside the lines: badge, time of the newest sample, legend, range of the slider. */
function writeValues(nodes: SurfaceNodes, controller: ChartController, group: ChartGroup): void {
  const input = controller.input();
  const list = readings(input, group.cursorMs());
  const { root, legend } = nodes;
  if (root !== null) {
    const empty = input.series.every((s) => Number.isNaN(s.source.lastMs()));
    if (root.hasAttribute('data-empty') !== empty) root.toggleAttribute('data-empty', empty);
  }
  write(nodes.status, statusText(list));
  nodes.status?.toggleAttribute('data-long', isLongStatus(list));
  write(nodes.updated, lastUpdateText(input, group.get()));
  const { x } = controller.axes();
  nodes.plot?.setAttribute('aria-valuemin', String(Math.floor(Math.min(0, x[0]) / 1_000)));
  nodes.plot?.setAttribute('aria-valuemax', String(Math.ceil(x[1] / 1_000)));
  if (legend !== null) writeLegend(legend, list, input, group);
}

function writeLegend(
  legend: HTMLElement,
  list: readonly Reading[],
  input: ChartInput,
  group: ChartGroup,
): void {
  const spread = legend.querySelector('[data-spread]');
  if (spread !== null) {
    write(spread, spreadText(list));
    const chosen = highlightOf(input, group.get());
    const reading = list.find((r) => highlightKeyOf(r.series) === chosen);
    write(legend.querySelector('[data-value]'), reading === undefined ? '' : legendText(reading));
    return;
  }
  const values = legend.querySelectorAll('[data-value]');
  list.forEach((reading, i) => write(values[i], legendText(reading)));
}
