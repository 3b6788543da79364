import { formatClock, formatElapsed, valueAxis } from '../../core/base/format.ts';
import type { Axes } from '../../core/chart/scale.ts';
import { margins } from './chartState.ts';
import {
  type ChartTheme,
  drawLimits,
  drawLine,
  drawPhaseNames,
  drawPhases,
  type Placement,
  plotX,
  plotY,
} from './draw.ts';
import { drawEvents } from './drawEvents.ts';
import type { GroupState } from './group.ts';
import { type ChartInput, highlightKeyOf, highlightOf } from './view.ts';

const headPx = 28;
const legendRowPx = 18;

/** Every text that a picture of a chart shows. */
export const pictureTexts = (
  title: string,
  input: Pick<ChartInput, 'series' | 'limits'>,
): string[] => [
  ...new Set([title, ...[...input.series, ...input.limits].map(({ label }) => label)]),
];

/** The same chart with each of these texts as it leaves. */
export const leavingChart = (input: ChartInput, text: (text: string) => string): ChartInput => ({
  ...input,
  series: input.series.map((one) => ({ ...one, label: text(one.label) })),
  limits: input.limits.map((one) => ({ ...one, label: text(one.label) })),
});

/**
 * Draws title, axes, lines and legend onto a canvas of its own at twice the screen's resolution.
 */
export function chartPicture(
  title: string,
  unit: string,
  input: ChartInput,
  state: GroupState,
  axes: Axes,
  theme: ChartTheme,
  size: { width: number; height: number },
): HTMLCanvasElement {
  const scale = 2;
  const perRow = Math.max(1, Math.floor((size.width - 16) / 150));
  const chosen = highlightOf(input, state);
  const named =
    chosen === null ? input.series : input.series.filter((s) => highlightKeyOf(s) === chosen);
  const canvas = document.createElement('canvas');
  const height = size.height + headPx + Math.ceil(named.length / perRow) * legendRowPx + 6;
  canvas.width = size.width * scale;
  canvas.height = height * scale;
  const pen = canvas.getContext('2d');
  if (pen === null) return canvas;
  pen.setTransform(scale, 0, 0, scale, 0, 0);
  pen.fillStyle = theme.background;
  pen.fillRect(0, 0, size.width, height);
  const plot = {
    left: margins.left,
    top: margins.top + headPx,
    width: size.width - margins.left - margins.right,
    height: size.height - margins.top - margins.bottom,
  };
  const place: Placement = { axes, plot, pixelsWide: plot.width * scale };
  const family = theme.font.slice(theme.font.indexOf(' ') + 1);
  pen.fillStyle = theme.text;
  pen.font = `600 13px ${family}`;
  pen.textBaseline = 'middle';
  const { text: valueText, unit: shownUnit } = valueAxis(axes, unit);
  pen.fillText(`${title} (${shownUnit})`, 8, headPx / 2);
  pen.font = theme.font;
  pen.lineWidth = 1;
  for (const value of axes.yTicks) {
    const y = Math.round(plotY(place, value)) + 0.5;
    pen.strokeStyle = theme.grid;
    pen.beginPath();
    pen.moveTo(plot.left, y);
    pen.lineTo(plot.left + plot.width, y);
    pen.stroke();
    pen.fillStyle = theme.dimmed;
    pen.textAlign = 'right';
    pen.fillText(valueText(value), plot.left - 8, y);
  }
  pen.textAlign = 'center';
  for (const ms of axes.xTicks)
    pen.fillText(
      state.clock ? formatClock(ms + input.originMs) : formatElapsed(ms),
      plotX(place, ms),
      plot.top + plot.height + 12,
    );
  drawPhases(pen, input.phases, place, theme, input.periods);
  pen.save();
  pen.beginPath();
  pen.rect(plot.left, plot.top, plot.width, plot.height);
  pen.clip();
  for (const s of input.series)
    drawLine(
      pen,
      s,
      place,
      chosen === null ? 'normal' : highlightKeyOf(s) === chosen ? 'highlighted' : 'muted',
      theme.muted,
      false,
      -Infinity,
    );
  pen.restore();
  drawPhaseNames(pen, input.phases, place, theme, input.periods);
  drawLimits(pen, input.limits, place, theme);
  drawEvents(pen, input.events, place, theme, input.limits);
  named.forEach((s, i) => {
    const x = 12 + (i % perRow) * 150;
    const y = headPx + size.height + Math.floor(i / perRow) * legendRowPx + 8;
    pen.fillStyle = s.color;
    pen.fillRect(x, y - 2, 16, 3);
    pen.fillStyle = theme.text;
    pen.textAlign = 'left';
    pen.textBaseline = 'middle';
    pen.fillText(chosen === null ? s.label : `${s.label} of ${input.series.length}`, x + 22, y);
  });
  return canvas;
}

/** Offers the picture as a download. Rejects when the browser cannot encode it. */
export async function savePng(canvas: HTMLCanvasElement, fileName: string): Promise<void> {
  const blob = await new Promise<Blob | null>((done) => {
    canvas.toBlob(done, 'image/png');
  });
  if (blob === null) throw new Error('The picture could not be encoded as PNG.');
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(url);
}
