import { formatExact, noValue } from '../../../core/base/format.ts';
import { gaugePx, shelfOf, type StageLayout } from '../../../core/chart/stage/layout.ts';
import type { StageFigure, StageHost, StageScene } from '../../../core/chart/stage/scene.ts';
import type { Pen } from '../draw.ts';
import type { StagePlace } from './stageKeys.ts';
import { type Block, progress, xNow, yNow } from './stageMotion.ts';
import { roleColor, type StageTheme } from './stageTheme.ts';

export interface StagePicture {
  scene: StageScene;
  /** Names as they fit on racks. */
  names: readonly string[];
  layout: StageLayout;
  blocks: readonly Block[];
  current: StagePlace | null;
  /** VMs of other tiles are faded. */
  tile: number | null;
  theme: StageTheme;
}

const nearPct = 80;
const fullPct = 95;
/** A VM without load. */
const idleAlpha = 0.34;
const mutedAlpha = 0.16;
/** Smaller blocks have no letter. */
const letterPx = 12;

/** Draws the racks, what is written at them, and the blocks that stand. */
export function drawStage(pen: Pen, picture: StagePicture, standing: readonly Block[]): void {
  const { scene, current } = picture;
  pen.textBaseline = 'middle';
  for (let host = 0; host < scene.hosts.length; host++) drawRack(pen, picture, host);
  drawWords(pen, picture);
  drawBlocks(pen, picture, standing, Infinity);
  if (current !== null) drawCurrent(pen, picture, current);
}

const levelColor = (pct: number, theme: StageTheme): string =>
  pct >= fullPct ? theme.over : pct >= nearPct ? theme.near : theme.fill;

/** A rack, filled from below as high as its host's CPU is. */
function drawRack(pen: Pen, { scene, layout, theme }: StagePicture, at: number): void {
  const { x, y, width, height } = shelfOf(layout, at);
  const { value, staleMs } = scene.hosts[at]!.cpuPct;
  pen.fillStyle = theme.edge;
  pen.fillRect(x, y, width, height);
  pen.fillStyle = theme.rack;
  pen.fillRect(x + 1, y + 1, width - 2, height - 2);
  if (value === null) return;
  const level = (Math.min(100, Math.max(0, value)) / 100) * (height - 2);
  pen.fillStyle = staleMs > 0 ? theme.lost : levelColor(value, theme);
  pen.globalAlpha = 0.13;
  pen.fillRect(x + 1, y + height - 1 - level, width - 2, level);
  pen.globalAlpha = staleMs > 0 ? 0.5 : 1;
  pen.fillRect(x + 1, y + height - 1 - level, gaugePx - 1, level);
  pen.globalAlpha = 1;
}

/** Names above the racks, figures below them. */
function drawWords(pen: Pen, picture: StagePicture): void {
  const { scene, layout, theme, names } = picture;
  pen.textAlign = 'left';
  pen.font = `600 12px ${theme.family}`;
  pen.fillStyle = theme.ink;
  scene.hosts.forEach((host, at) => {
    const { x, y, width } = layout.racks[at]!;
    const count = scene.placed ? String(host.vms) : '';
    pen.fillText(fitted(pen, names[at]!, width - count.length * 7 - 6), x, y + 9);
  });
  pen.font = `12px ${theme.family}`;
  pen.fillStyle = theme.quiet;
  pen.textAlign = 'right';
  if (scene.placed)
    scene.hosts.forEach((host, at) => {
      const { x, y, width } = layout.racks[at]!;
      pen.fillText(String(host.vms), x + width, y + 9);
    });
  scene.hosts.forEach((host, at) => {
    drawFigures(pen, picture, host, at);
  });
}

/** In brackets where it is old: there is no room for more, and the readout says how old. */
const figureText = ({ value, staleMs }: StageFigure, unit: string): string =>
  value === null
    ? `${noValue} ${unit}`
    : staleMs > 0
      ? `(${formatExact(value, 0)} ${unit})`
      : `${formatExact(value, 0)} ${unit}`;

function drawFigures(
  pen: Pen,
  { layout, theme }: StagePicture,
  { cpuPct, watts }: StageHost,
  at: number,
): void {
  const { x, y, width, height } = layout.racks[at]!;
  const bottom = y + height;
  const one = layout.footPx < 30;
  pen.textAlign = 'left';
  pen.fillStyle = cpuPct.value === null || cpuPct.staleMs > 0 ? theme.quiet : theme.ink;
  pen.fillText(
    one ? `${figureText(cpuPct, '%')} CPU` : figureText(cpuPct, '%'),
    x,
    bottom - (one ? 8 : 24),
  );
  pen.fillStyle = theme.quiet;
  pen.textAlign = one ? 'right' : 'left';
  pen.fillText(figureText(watts, 'W'), one ? x + width : x, bottom - 8);
}

/** The end of a name is what tells hosts apart: cut before one of its parts where that fits. */
function fitted(pen: Pen, name: string, width: number): string {
  const fits = (text: string): boolean => pen.measureText(text).width <= width;
  if (fits(name)) return name;
  const cuts = Array.from({ length: name.length - 1 }, (_, at) => at + 1);
  const parts = cuts.filter((at) => /[-_.]/.test(name[at]!));
  const cut = [...parts, ...cuts].find((at) => fits(`…${name.slice(at)}`));
  return cut === undefined ? '…' : `…${name.slice(cut)}`;
}

/** Blocks where they are at a time, with their letters where there is room. */
export function drawBlocks(
  pen: Pen,
  picture: StagePicture,
  blocks: readonly Block[],
  nowMs: number,
): void {
  const { theme, scene, layout } = picture;
  const side = layout.block;
  // Read back, a colour of the canvas is made into text: it is remembered here instead.
  let fill = '';
  let alpha = 1;
  pen.globalAlpha = 1;
  for (const block of blocks) {
    const { vm } = block;
    const color = vm.state === 'lost' ? theme.lost : roleColor(scene.roles[vm.role]!.ordinal);
    if (color !== fill) pen.fillStyle = fill = color;
    const share = progress(block.sinceMs, nowMs);
    const shown = alphaOf(block, picture, share);
    if (shown !== alpha) pen.globalAlpha = alpha = shown;
    pen.fillRect(xNow(block, share), yNow(block, share), side, side);
  }
  pen.globalAlpha = 1;
  if (side >= letterPx) drawLetters(pen, picture, blocks, nowMs);
}

function alphaOf({ vm, comes }: Block, { tile }: StagePicture, share: number): number {
  const rest = tile !== null && vm.tile !== tile ? mutedAlpha : vm.state === 'idle' ? idleAlpha : 1;
  return comes ? rest * share : rest;
}

function drawLetters(
  pen: Pen,
  { scene, layout, theme, tile }: StagePicture,
  blocks: readonly Block[],
  nowMs: number,
): void {
  pen.font = `600 ${Math.min(18, Math.round(layout.block * 0.62))}px ${theme.family}`;
  pen.textAlign = 'center';
  pen.textBaseline = 'middle';
  let ink = '';
  for (const block of blocks) {
    const { vm } = block;
    if (tile !== null && vm.tile !== tile) continue;
    const color =
      vm.state === 'lost' ? theme.onLost : vm.state === 'idle' ? theme.ink : theme.letter;
    if (color !== ink) pen.fillStyle = ink = color;
    const share = progress(block.sinceMs, nowMs);
    pen.fillText(
      vm.state === 'lost' ? '×' : scene.roles[vm.role]!.letter,
      xNow(block, share) + layout.block / 2,
      yNow(block, share) + layout.block / 2 + 0.5,
    );
  }
}

/** A frame round what is read out, and round the other VMs of its tile. */
function drawCurrent(
  pen: Pen,
  { layout, blocks, theme }: StagePicture,
  { host, vm }: StagePlace,
): void {
  pen.strokeStyle = theme.ink;
  const frame = (x: number, y: number, width: number, height: number): void => {
    pen.beginPath();
    pen.rect(x, y, width, height);
    pen.stroke();
  };
  if (vm === null) {
    const { x, y, width, height } = shelfOf(layout, host);
    pen.lineWidth = 2;
    frame(x + 1, y + 1, width - 2, height - 2);
    return;
  }
  const tile = blocks.find((block) => block.vm.ref === vm)?.vm.tile ?? null;
  for (const block of blocks) {
    const own = block.vm.ref === vm;
    if (!own && (tile === null || block.vm.tile !== tile)) continue;
    pen.lineWidth = own ? 3 : 1;
    frame(block.x - 0.5, block.y - 0.5, layout.block + 1, layout.block + 1);
  }
}
