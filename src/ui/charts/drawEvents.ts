import {
  type ChartEvent,
  type ChartLimit,
  type ChartTheme,
  eventLanePx,
  type Pen,
  type Placement,
  xOf,
  yOf,
} from './draw.ts';

const flagLetters = 28;

/**
 * Events with words of their own: a line over the height, and the words beside it where those
 * before leave room.
 */
function drawFlags(
  pen: Pen,
  flags: readonly ChartEvent[],
  place: Placement,
  theme: ChartTheme,
  limits: readonly ChartLimit[],
): void {
  const { left, top, width, height } = place.plot;
  pen.font = theme.font;
  pen.textAlign = 'left';
  pen.textBaseline = 'top';
  // Words of a limit stand on its line: flags go below them.
  const taken = limits.map((limit) => yOf(place, limit.value));
  const first = top + eventLanePx + 18;
  const textTop =
    [first, first + 18, first + 36].find((y) => taken.every((t) => t < y - 2 || t > y + 30)) ??
    first;
  let free = -Infinity;
  for (const { atMs, kind, text } of [...flags].sort((a, b) => a.atMs - b.atMs)) {
    const x = xOf(place, atMs);
    if (x < left || x > left + width) continue;
    const color = kind === 'fault' || kind === 'abort' ? theme.limit : theme.text;
    pen.fillStyle = color;
    pen.fillRect(x, top, 1, height);
    pen.beginPath();
    outline(pen, [
      [x, top],
      [x + 9, top + 4],
      [x, top + 8],
    ]);
    pen.fill();
    const words = text.length > flagLetters ? `${text.slice(0, flagLetters - 1)}…` : text;
    const wide = pen.measureText(words).width;
    // At the right edge the words stand before the line.
    const start = x + 4 + wide > left + width ? x - 4 - wide : x + 4;
    if (start < Math.max(left, free)) continue;
    free = start + wide + 8;
    pen.globalAlpha = 0.8;
    pen.fillStyle = theme.background;
    pen.fillRect(start - 2, textTop - 1, wide + 4, 14);
    pen.globalAlpha = 1;
    pen.fillStyle = color;
    pen.fillText(words, start, textTop);
  }
}

function outline(pen: Pen, points: readonly (readonly [number, number])[]): void {
  points.forEach(([x, y], i) => {
    if (i === 0) pen.moveTo(x, y);
    else pen.lineTo(x, y);
  });
}

/** What lasted, shaded over the height under all else. */
function drawLasting(
  pen: Pen,
  events: readonly ChartEvent[],
  place: Placement,
  theme: ChartTheme,
): void {
  const { left, top, width, height } = place.plot;
  for (const { atMs, untilMs, kind } of events) {
    if (untilMs === undefined) continue;
    const from = Math.max(left, xOf(place, atMs));
    const to = Math.min(left + width, xOf(place, untilMs));
    if (to <= from) continue;
    pen.globalAlpha = 0.12;
    pen.fillStyle = kind === 'fault' ? theme.limit : theme.text;
    pen.fillRect(from, top, to - from, height);
    pen.globalAlpha = 1;
  }
}

/**
 * Events as marks in the lane along the upper edge: a dot for an operation of the run, a diamond
 * for DRS and HA, a triangle that stands for somebody else, one that hangs for the rest.
 */
export function drawEvents(
  pen: Pen,
  events: readonly ChartEvent[],
  place: Placement,
  theme: ChartTheme,
  limits: readonly ChartLimit[] = [],
): void {
  const { left, top, width } = place.plot;
  drawLasting(pen, events, place, theme);
  drawFlags(
    pen,
    events.filter((event) => event.flag),
    place,
    theme,
    limits,
  );
  for (const event of events) {
    if (event.flag) continue;
    const x = xOf(place, event.atMs);
    if (x < left || x > left + width) continue;
    pen.fillStyle = event.kind === 'fault' || event.kind === 'abort' ? theme.limit : theme.text;
    // Tiles start one after another: thin ticks, or they would hide what matters.
    if (event.kind === 'tileStarted') {
      pen.fillRect(x - 0.5, top + 1, 1, 6);
      continue;
    }
    pen.beginPath();
    if (event.by === 'run') pen.arc(x, top + 4.5, 2.5, 0, 2 * Math.PI);
    else if (event.by === 'drs')
      outline(pen, [
        [x - 4, top + 4.5],
        [x, top + 0.5],
        [x + 4, top + 4.5],
        [x, top + 8.5],
      ]);
    else if (event.by === 'teaming') pen.rect(x - 3, top + 1.5, 6, 6);
    else if (event.by === 'other')
      outline(pen, [
        [x - 4, top + 8],
        [x + 4, top + 8],
        [x, top + 1],
      ]);
    else
      outline(pen, [
        [x - 4, top + 1],
        [x + 4, top + 1],
        [x, top + 8],
      ]);
    pen.fill();
  }
}
