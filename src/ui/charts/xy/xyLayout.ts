import {
  axesOf,
  type Box,
  labelRowPx,
  labelRows,
  placeX,
  placeY,
  plotBox,
  pointX,
  type XyAxes,
  xyAxes,
  type XyBand,
  type XyInput,
  xyMargins,
  type XyMark,
  type XyPoint,
  type XySeries,
} from '../../../core/chart/xyModel.ts';

/** A point and where it stands, px. */
export interface PlacedPoint {
  series: XySeries;
  point: XyPoint;
  px: number;
  py: number;
}
interface LabelPlace {
  /** Centre of the text and its baseline, px. */
  x: number;
  y: number;
}
/** Where everything of a plot stands, px. */
export interface XyLayout {
  input: XyInput;
  width: number;
  height: number;
  box: Box;
  axes: XyAxes;
  /** Points within the shown part of the axis, series by series. */
  points: readonly PlacedPoint[];
  bands: readonly (XyBand & { fromPx: number; toPx: number; place: LabelPlace })[];
  marks: readonly (XyMark & { px: number; place: LabelPlace })[];
}

/** Width of a label about, px: it is placed before it is drawn. */
export const labelPx = (text: string): number => text.length * 6.2 + 8;

/** As many parts of a label, divided by commas, as fit, and always the first: what comes first counts. */
function fittedLabel(text: string, widthPx: number): string {
  const parts = text.split(', ');
  while (parts.length > 1 && labelPx(parts.join(', ')) > widthPx) parts.pop();
  return parts.join(', ');
}

/**
 * Places points, bands, marks and their labels on a plot of this size (px, with its axes). Bands,
 * marks and labels stay inside the box; labels that would cover each other go to rows.
 */
export function xyLayout(input: XyInput, width: number, height: number): XyLayout {
  const box = plotBox(
    width,
    height,
    input.bands.length + input.marks.length,
    input.right !== undefined,
  );
  const axes = xyAxes(input, box);
  const right = box.left + box.width;
  const inside = (px: number): number => Math.min(right, Math.max(box.left, px));
  const bands = input.bands.map((b) => ({
    ...b,
    label: fittedLabel(b.label, box.width),
    fromPx: inside(placeX(axes, box, b.from)),
    toPx: inside(placeX(axes, box, b.to)),
  }));
  const marks = input.marks.map((m) => ({
    ...m,
    label: fittedLabel(m.label, box.width),
    px: inside(placeX(axes, box, m.at)),
  }));
  const label = (key: string, px: number, text: string) => {
    const half = labelPx(text) / 2;
    return {
      key,
      width: half * 2,
      centre: Math.min(right - half, Math.max(box.left + half, px)),
    };
  };
  const labels = [
    ...bands.map((b) => label(b.key, (b.fromPx + b.toPx) / 2, b.label)),
    ...marks.map((m) => label(m.key, m.px, m.label)),
  ];
  const rows = labelRows(labels);
  const places = labels.map((l) => ({
    x: l.centre,
    y: xyMargins.top - 3 + (rows.get(l.key) ?? 0) * labelRowPx,
  }));
  return {
    input,
    width,
    height,
    box,
    axes,
    points: placedPoints(input, axes, box),
    bands: bands.map((b, i) => ({ ...b, place: places[i]! })),
    marks: marks.map((m, i) => ({ ...m, place: places[bands.length + i]! })),
  };
}

const placedPoints = (input: XyInput, axes: XyAxes, box: Box): PlacedPoint[] =>
  input.series.flatMap((series, index) =>
    series.points
      .filter((p) => p.x >= axes.x[0] && p.x <= axes.x[1])
      .map((point) => ({
        series,
        point,
        px: pointX(axes, box, input, index, point.x),
        py: placeY(axesOf(axes, series), box, point.y),
      })),
  );

/** Another point stands where the flaw's icon above this one would. */
export const isCrowded = ({ points }: XyLayout, { px, py }: PlacedPoint): boolean =>
  points.some((o) => Math.abs(o.px - px) < 14 && o.py < py - 1 && o.py > py - 32);

/** Keys of the first of neighbouring points with the same flaw: these say it in words. */
export function firstOfEachFlaw(series: readonly XySeries[]): Set<string> {
  const keys = new Set<string>();
  for (const s of series) {
    const ordered = [...s.points].sort((a, b) => a.x - b.x);
    ordered.forEach((p, i) => {
      if (p.flaw !== null && ordered[i - 1]?.flaw?.word !== p.flaw.word) keys.add(p.key);
    });
  }
  return keys;
}
