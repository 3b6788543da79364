import { valueAxisText } from '../../../core/base/format.ts';
import {
  axesOf,
  axisTitle,
  type Box,
  labelRowPx,
  linePath,
  placeX,
  placeY,
  plotBox,
  pointX,
  shapePath,
  type XyAxes,
  xyAxes,
  type XyInput,
  xyMargins,
  type XySeries,
} from '../../../core/chart/xyModel.ts';
import type { ChartTheme } from '../draw.ts';
import type { XyText } from './xyText.ts';

const headPx = 28;
const legendRowPx = 18;
const entryPx = 210;
/** Pixels of the file for one of the screen. */
const scale = 2;

interface Sheet {
  pen: CanvasRenderingContext2D;
  theme: ChartTheme;
  input: XyInput;
  size: { width: number; height: number };
  box: Box;
  axes: XyAxes;
}

/**
 * Title with its mark, axes, bands, lines, points and legend on a canvas of its own, at twice the
 * screen's resolution.
 */
export function xyPicture(
  text: XyText,
  input: XyInput,
  theme: ChartTheme,
  size: { width: number; height: number },
): HTMLCanvasElement {
  const perRow = Math.max(1, Math.floor((size.width - 16) / entryPx));
  const canvas = document.createElement('canvas');
  const height = headPx + size.height + Math.ceil(input.series.length / perRow) * legendRowPx + 8;
  canvas.width = size.width * scale;
  canvas.height = height * scale;
  const pen = canvas.getContext('2d');
  if (pen === null) return canvas;
  pen.setTransform(scale, 0, 0, scale, 0, 0);
  pen.fillStyle = theme.background;
  pen.fillRect(0, 0, size.width, height);
  const box = plotBox(
    size.width,
    size.height,
    input.bands.length + input.marks.length,
    input.right !== undefined,
  );
  const sheet: Sheet = { pen, theme, input, size, box, axes: xyAxes(input, box) };
  drawTitle(sheet, text);
  pen.translate(0, headPx);
  drawScale(sheet, text);
  drawBands(sheet);
  drawMarks(sheet);
  for (const [index, series] of input.series.entries()) {
    drawLine(sheet, series);
    drawPoints(sheet, series, index);
  }
  drawLegend(sheet, perRow);
  return canvas;
}

function write(
  { pen, theme }: Sheet,
  text: string,
  x: number,
  y: number,
  align: CanvasTextAlign,
  color: string,
  font = theme.font,
): void {
  pen.font = font;
  pen.fillStyle = color;
  pen.textAlign = align;
  pen.textBaseline = 'middle';
  pen.fillText(text, x, y);
}

function drawTitle(sheet: Sheet, { title, unit, mark }: XyText): void {
  const { theme } = sheet;
  const family = theme.font.slice(theme.font.indexOf(' ') + 1);
  write(
    sheet,
    `${title}${mark === null ? '' : `, ${mark}`}${unit === '' ? '' : ` (${unit})`}`,
    8,
    headPx / 2,
    'left',
    theme.text,
    `600 13px ${family}`,
  );
}

function drawScale(sheet: Sheet, { xLabel, xUnit }: XyText): void {
  const { pen, theme, size, box, axes } = sheet;
  const valueText = valueAxisText(axes);
  pen.lineWidth = 1;
  pen.strokeStyle = theme.grid;
  for (const y of axes.yTicks) {
    const py = Math.round(placeY(axes, box, y)) + 0.5;
    pen.beginPath();
    pen.moveTo(box.left, py);
    pen.lineTo(box.left + box.width, py);
    pen.stroke();
    write(sheet, valueText(y), box.left - 8, py, 'right', theme.dimmed);
  }
  drawRightScale(sheet);
  for (const t of axes.xTicks) {
    const px = placeX(axes, box, t.at);
    write(sheet, t.label, px, box.top + box.height + 13, 'center', theme.dimmed);
  }
  const middle = box.left + box.width / 2;
  write(sheet, axisTitle(xLabel, xUnit), middle, size.height - 9, 'center', theme.dimmed);
}

/** Values of the axis at the right, with what it is of above them. */
function drawRightScale(sheet: Sheet): void {
  const { pen, theme, input, box, axes, size } = sheet;
  if (axes.right === null || input.right === undefined) return;
  const own = { ...axes, ...axes.right };
  const edge = box.left + box.width;
  const valueText = valueAxisText(own);
  for (const y of own.yTicks)
    write(sheet, valueText(y), edge + 8, placeY(own, box, y), 'left', theme.dimmed);
  pen.save();
  pen.translate(size.width - 8, box.top + box.height / 2);
  pen.rotate(-Math.PI / 2);
  write(sheet, axisTitle(input.right.label, input.right.unit), 0, 0, 'center', theme.dimmed);
  pen.restore();
}

function drawBands(sheet: Sheet): void {
  const { pen, theme, input, box, axes } = sheet;
  input.bands.forEach((b, i) => {
    const from = placeX(axes, box, b.from);
    pen.fillStyle = b.faint ? theme.band : theme.kneeBand;
    pen.fillRect(from, box.top, Math.max(2, placeX(axes, box, b.to) - from), box.height);
    const x = Math.min(from + 4, box.left + box.width - 180);
    write(sheet, b.label, x, xyMargins.top - 6 + i * labelRowPx, 'left', theme.text);
  });
}

function drawMarks(sheet: Sheet): void {
  const { pen, theme, input, box, axes } = sheet;
  input.marks.forEach((m, i) => {
    const px = placeX(axes, box, m.at);
    pen.strokeStyle = theme.text;
    pen.setLineDash([6, 4]);
    pen.beginPath();
    pen.moveTo(px, box.top);
    pen.lineTo(px, box.top + box.height);
    pen.stroke();
    pen.setLineDash([]);
    const y = xyMargins.top - 6 + (input.bands.length + i) * labelRowPx;
    write(sheet, m.label, px - 6, y, 'right', theme.text);
  });
}

const shownPoints = ({ axes }: Sheet, { points }: XySeries) =>
  points.filter((p) => p.x >= axes.x[0] && p.x <= axes.x[1]);

/** Joins measured points along a number axis. */
function drawLine(sheet: Sheet, series: XySeries): void {
  const { pen, input, box, axes } = sheet;
  pen.strokeStyle = series.color;
  pen.lineWidth = 2;
  const points = shownPoints(sheet, series);
  if (series.published || input.categories !== null || points.length < 2) return;
  pen.setLineDash([...series.dash]);
  pen.stroke(new Path2D(linePath(points, axesOf(axes, series), box)));
  pen.setLineDash([]);
}

/** Points with their flaws, measured ones over categories on bars. */
function drawPoints(sheet: Sheet, series: XySeries, index: number): void {
  const { pen, theme, input, box, axes } = sheet;
  const own = axesOf(axes, series);
  for (const p of shownPoints(sheet, series)) {
    const px = pointX(axes, box, input, index, p.x);
    const py = placeY(own, box, p.y);
    pen.save();
    pen.translate(px, py);
    pen.fillStyle = series.color;
    if (!series.published && input.categories !== null) {
      pen.globalAlpha = 0.3;
      pen.fillRect(-9, 0, 18, placeY(own, box, 0) - py);
      pen.globalAlpha = 1;
    }
    const outline = new Path2D(shapePath(series.shape, series.published ? 7.5 : 5));
    if (series.published) pen.stroke(outline);
    else pen.fill(outline);
    pen.restore();
    if (p.flaw !== null) write(sheet, `▲ ${p.flaw.word}`, px + 8, py - 12, 'left', theme.limit);
  }
}

function drawLegend(sheet: Sheet, perRow: number): void {
  const { pen, theme, input, size } = sheet;
  input.series.forEach((s, i) => {
    const x = 12 + (i % perRow) * entryPx;
    const y = size.height + Math.floor(i / perRow) * legendRowPx + 10;
    pen.save();
    pen.translate(x + 8, y);
    pen.fillStyle = s.published ? theme.background : s.color;
    pen.strokeStyle = s.color;
    const outline = new Path2D(shapePath(s.shape, 5));
    pen.fill(outline);
    pen.stroke(outline);
    pen.restore();
    write(sheet, s.label, x + 22, y, 'left', theme.text);
  });
}
