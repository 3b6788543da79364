import {
  blockAt,
  gaugePx,
  layoutStage,
  shelfOf,
  stageHeight,
  type StageLayout,
} from '../chart/stage/layout.ts';
import type { ReportStage } from './model.ts';
import {
  escapeXml,
  lightSvg,
  round,
  type SvgOptions,
  svgText,
  type SvgTheme,
  titleSvg,
} from './svg.ts';
import { clipText, flowLegend, type LegendPlace } from './svgLegend.ts';

const topPx = 28;
const legendRowPx = 18;
const keyPx = 22;
const sidePx = 8;
/** Below, a letter could not be read. */
const letterPx = 11;
const ink = '#101113';

/** The racks of a stage, laid out as the application draws them, as SVG. */
export function drawStage(
  stage: ReportStage,
  { width = 720, theme = lightSvg, font = 'sans-serif', mark = null }: SvgOptions = {},
): string {
  const inner = width - sidePx * 2;
  const racksPx = stageHeight(stage.racks.length, inner, 200);
  const layout = layoutStage(stage.racks.length, stage.capacity, inner, racksPx);
  const labels = stage.roles.map(({ label }) => label);
  const legend = flowLegend(labels, sidePx, width - sidePx, 11, keyPx);
  const legendTop = topPx + racksPx + 10;
  const height = legendTop + legend.rows * legendRowPx;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" `,
    `viewBox="0 0 ${width} ${height}" font-family="${escapeXml(font)}" role="img" `,
    `aria-label="${escapeXml(stage.summary)}">`,
    titleSvg(stage.title, '', false, mark, width - 16, 12, theme),
    `<g transform="translate(${sidePx} ${topPx})">`,
    ...stage.racks.map((rack, at) => rackSvg(rack, at, layout, theme)),
    ...stage.blocks.map((block) => blockSvg(block, layout, theme)),
    '</g>',
    ...legend.places.map((place, at) => keyOf(stage.roles[at]!, place, legendTop, theme)),
    '</svg>',
  ].join('');
}

function rackSvg(
  { label, cpuPct, cpu, watts, vms }: ReportStage['racks'][number],
  at: number,
  layout: StageLayout,
  theme: SvgTheme,
): string {
  const { x, y, width, height } = layout.racks[at]!;
  const shelf = shelfOf(layout, at);
  const level = ((shelf.height - 2) * Math.min(100, Math.max(0, cpuPct ?? 0))) / 100;
  const one = layout.footPx < 30;
  const words = (ends: boolean, color: string, more = ''): string =>
    `${ends ? 'text-anchor="end" ' : ''}${more}font-size="11" fill="${color}"`;
  return [
    rectSvg(shelf.x + 0.5, shelf.y + 0.5, shelf.width - 1, shelf.height - 1, {
      fill: theme.steady,
      stroke: theme.grid,
    }),
    cpuPct === null
      ? ''
      : rectSvg(shelf.x + 1, shelf.y + shelf.height - 1 - level, gaugePx - 1, level, {
          fill: theme.dimmed,
        }),
    svgText(
      x,
      y + 13,
      clipText(label, width - 24, 11),
      words(false, theme.text, 'font-weight="600" '),
    ),
    svgText(x + width, y + 13, String(vms), words(true, theme.dimmed)),
    svgText(x, y + height - (one ? 4 : 20), cpu, words(false, theme.text)),
    svgText(one ? x + width : x, y + height - 4, watts, words(one, theme.dimmed)),
  ].join('');
}

function blockSvg(
  { host, slot, letter, color, pale }: ReportStage['blocks'][number],
  layout: StageLayout,
  theme: SvgTheme,
): string {
  const side = layout.block;
  const { x, y } = blockAt(layout, host, slot);
  const paint = { fill: color, ...(pale ? { 'fill-opacity': '0.34' } : {}) };
  return (
    rectSvg(x, y, side, side, paint) +
    (side < letterPx
      ? ''
      : letterSvg(
          letter,
          x + side / 2,
          y + side * 0.72,
          Math.min(14, side * 0.62),
          pale ? theme.text : ink,
        ))
  );
}

function keyOf(
  { color, letter }: ReportStage['roles'][number],
  { x, row, text }: LegendPlace,
  top: number,
  theme: SvgTheme,
): string {
  const y = top + row * legendRowPx;
  return (
    rectSvg(x, y, 16, 13, { fill: color }) +
    letterSvg(letter, x + 8, y + 10, 10, ink) +
    svgText(x + keyPx, y + 10.5, text, `font-size="11" fill="${theme.dimmed}"`)
  );
}

const letterSvg = (letter: string, x: number, y: number, px: number, color: string): string =>
  svgText(
    x,
    y,
    letter,
    `text-anchor="middle" font-weight="600" font-size="${round(px)}" fill="${color}"`,
  );

const rectSvg = (
  x: number,
  y: number,
  width: number,
  height: number,
  paint: Readonly<Record<string, string>>,
): string =>
  `<rect x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}"` +
  `${Object.entries(paint)
    .map(([name, value]) => ` ${name}="${value}"`)
    .join('')}/>`;
