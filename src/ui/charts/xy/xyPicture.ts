import { axisFormatter } from '../../../core/base/format.ts';
import {
  axisTitle,
  labelRowPx,
  linePath,
  placeX,
  placeY,
  plotBox,
  pointX,
  shapePath,
  xyAxes,
  type XyInput,
  xyMargins,
} from '../../../core/chart/xyModel.ts';
import type { ChartTheme } from '../draw.ts';
import type { XyText } from './xyText.ts';

const headPx = 28;
const legendRowPx = 18;
const entryPx = 210;

/**
 * Title with its mark, axes, bands, lines, points and legend on a canvas of its own, at twice the
 * screen's resolution.
 */
export function xyPicture(
  { title, unit, xLabel, xUnit, mark }: XyText,
  input: XyInput,
  theme: ChartTheme,
  size: { width: number; height: number },
): HTMLCanvasElement {
  const scale = 2;
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
  const family = theme.font.slice(theme.font.indexOf(' ') + 1);
  const write = (
    text: string,
    x: number,
    y: number,
    align: CanvasTextAlign,
    color: string,
    font = theme.font,
  ): void => {
    pen.font = font;
    pen.fillStyle = color;
    pen.textAlign = align;
    pen.textBaseline = 'middle';
    pen.fillText(text, x, y);
  };
  write(
    `${title}${mark === null ? '' : `, ${mark}`}${unit === '' ? '' : ` (${unit})`}`,
    8,
    headPx / 2,
    'left',
    theme.text,
    `600 13px ${family}`,
  );
  pen.translate(0, headPx);
  const box = plotBox(size.width, size.height, input.bands.length + input.marks.length);
  const axes = xyAxes(input, box);
  const valueText = axisFormatter(
    Math.max(Math.abs(axes.y[0]), Math.abs(axes.y[1])),
    (axes.yTicks[1] ?? 1) - (axes.yTicks[0] ?? 0),
  );
  pen.lineWidth = 1;
  pen.strokeStyle = theme.grid;
  for (const y of axes.yTicks) {
    const py = Math.round(placeY(axes, box, y)) + 0.5;
    pen.beginPath();
    pen.moveTo(box.left, py);
    pen.lineTo(box.left + box.width, py);
    pen.stroke();
    write(valueText(y), box.left - 8, py, 'right', theme.dimmed);
  }
  for (const t of axes.xTicks)
    write(t.label, placeX(axes, box, t.at), box.top + box.height + 13, 'center', theme.dimmed);
  write(
    axisTitle(xLabel, xUnit),
    box.left + box.width / 2,
    size.height - 9,
    'center',
    theme.dimmed,
  );
  input.bands.forEach((b, i) => {
    const from = placeX(axes, box, b.from);
    pen.fillStyle = b.faint ? theme.band : 'rgba(200, 120, 20, 0.18)';
    pen.fillRect(from, box.top, Math.max(2, placeX(axes, box, b.to) - from), box.height);
    write(
      b.label,
      Math.min(from + 4, box.left + box.width - 180),
      xyMargins.top - 6 + i * labelRowPx,
      'left',
      theme.text,
    );
  });
  input.marks.forEach((m, i) => {
    const px = placeX(axes, box, m.at);
    pen.strokeStyle = theme.text;
    pen.setLineDash([6, 4]);
    pen.beginPath();
    pen.moveTo(px, box.top);
    pen.lineTo(px, box.top + box.height);
    pen.stroke();
    pen.setLineDash([]);
    write(
      m.label,
      px - 6,
      xyMargins.top - 6 + (input.bands.length + i) * labelRowPx,
      'right',
      theme.text,
    );
  });
  for (const [index, s] of input.series.entries()) {
    pen.strokeStyle = s.color;
    pen.lineWidth = 2;
    const points = s.points.filter((p) => p.x >= axes.x[0] && p.x <= axes.x[1]);
    if (!s.published && input.categories === null && points.length > 1) {
      pen.setLineDash([...s.dash]);
      pen.stroke(new Path2D(linePath(points, axes, box)));
      pen.setLineDash([]);
    }
    for (const p of points) {
      pen.save();
      pen.translate(pointX(axes, box, input, index, p.x), placeY(axes, box, p.y));
      if (!s.published && input.categories !== null) {
        pen.globalAlpha = 0.3;
        pen.fillStyle = s.color;
        pen.fillRect(-9, 0, 18, placeY(axes, box, 0) - placeY(axes, box, p.y));
        pen.globalAlpha = 1;
      }
      const outline = new Path2D(shapePath(s.shape, s.published ? 7.5 : 5));
      pen.fillStyle = s.color;
      if (s.published) pen.stroke(outline);
      else pen.fill(outline);
      pen.restore();
      if (p.flaw !== null)
        write(
          `▲ ${p.flaw.word}`,
          pointX(axes, box, input, index, p.x) + 8,
          placeY(axes, box, p.y) - 12,
          'left',
          theme.limit,
        );
    }
  }
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
    write(s.label, x + 22, y, 'left', theme.text);
  });
  return canvas;
}
