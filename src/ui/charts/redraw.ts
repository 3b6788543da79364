import { axesEveryMs, type ChartState, moveAxes, placementOf, sharedMoved } from './chartState.ts';
import {
  type ChartTheme,
  drawLimits,
  drawLine,
  drawPhaseNames,
  drawPhases,
  type Pen,
  type Placement,
  widen,
} from './draw.ts';
import { drawEvents } from './drawEvents.ts';
import { highlightKeyOf, highlightOf, staleAgeMs, timeDomain } from './view.ts';

/**
 * Brings the canvas up to date. A redraw that finds only newer samples draws just those onto what
 * is there: the axes of a live chart stand still for a tenth of the window, so this is the common
 * case.
 */
export function redraw(state: ChartState, pen: Pen, theme: ChartTheme): void {
  const { input, group, axes } = state;
  const now = input.nowMs === null ? null : input.nowMs();
  const x = timeDomain(input, group.get());
  const change =
    state.whole || sharedMoved(state, x) || x[0] !== axes.x[0] || x[1] !== axes.x[1]
      ? 'whole'
      : inspect(state, now);
  // Paused stands still; what arrives meanwhile is drawn when it follows again.
  if (change === 'same' || (change === 'appended' && group.get().pausedAtMs !== null)) return;
  state.whole = false;
  if (change === 'whole' || isDashed(state) || !drawAppended(state, pen, theme, now))
    drawWhole(state, pen, theme, x, now);
}

const isDashed = ({ input }: ChartState): boolean => input.series.some((s) => s.dash.length > 0);

/** What changed since the last drawing: nothing, only newer samples, or more than that. */
function inspect(state: ChartState, now: number | null): 'same' | 'appended' | 'whole' {
  const { drawnTo, revisions, stale } = state;
  const { series } = state.input;
  let appended = false;
  for (let i = 0; i < series.length; i++) {
    const s = series[i]!;
    const isStale = staleAgeMs(s, now) > 0 ? 1 : 0;
    if (s.source.revision() !== revisions[i] || isStale !== stale[i]) return 'whole';
    if (!Object.is(s.source.lastMs(), drawnTo[i])) {
      if (Number.isNaN(drawnTo[i])) return 'whole';
      appended = true;
    }
  }
  return appended ? 'appended' : 'same';
}

function remember({ input, drawnTo, revisions, stale }: ChartState, now: number | null): void {
  input.series.forEach((s, i) => {
    drawnTo[i] = s.source.lastMs();
    revisions[i] = s.source.revision();
    stale[i] = staleAgeMs(s, now) > 0 ? 1 : 0;
  });
}

function drawWhole(
  state: ChartState,
  pen: Pen,
  theme: ChartTheme,
  x: readonly [number, number],
  now: number | null,
): void {
  const { input, size } = state;
  moveAxes(state, x);
  remember(state, now);
  const place = placementOf(state);
  prepare(state, pen, place);
  pen.clearRect(0, 0, size.width, size.height);
  drawPhases(pen, input.phases, place, theme, input.periods);
  drawLines(state, pen, place, theme, () => -Infinity);
  drawPhaseNames(pen, input.phases, place, theme, input.periods);
  drawLimits(pen, input.limits, place, theme);
  drawEvents(pen, input.events, place, theme, input.limits);
  pen.restore();
  state.counts.full++;
}

/** False where the new samples do not fit the axes. */
function drawAppended(state: ChartState, pen: Pen, theme: ChartTheme, now: number | null): boolean {
  const { input, range, axes, drawnTo } = state;
  range.low = Infinity;
  range.high = -Infinity;
  input.series.forEach((s, i) => widen(s, [drawnTo[i]! - s.originMs, axes.x[1]], range));
  const grows = range.low < axes.y[0] || range.high > axes.y[1];
  if (grows && state.wallMs() - state.axesAtMs >= axesEveryMs) return false;
  const place = placementOf(state);
  prepare(state, pen, place);
  drawLines(state, pen, place, theme, (i) => drawnTo[i]! - input.series[i]!.originMs);
  pen.restore();
  remember(state, now);
  // Clipped for now: the axes may move once a second.
  if (grows) state.whole = true;
  state.counts.appended++;
  return true;
}

function prepare({ size }: ChartState, pen: Pen, { plot }: Placement): void {
  pen.setTransform(size.dpr, 0, 0, size.dpr, 0, 0);
  pen.save();
  pen.lineJoin = 'round';
  pen.beginPath();
  pen.rect(plot.left, plot.top - 1, plot.width, plot.height + 2);
  pen.clip();
}

/** Lines from a time of each series on (`sinceOf`, run-relative); the highlighted ones on top. */
function drawLines(
  { input, group, stale }: ChartState,
  pen: Pen,
  place: Placement,
  { muted }: ChartTheme,
  sinceOf: (index: number) => number,
): void {
  const chosen = highlightOf(input, group.get());
  for (const wanted of [false, true]) {
    input.series.forEach((s, i) => {
      const highlighted = chosen !== null && highlightKeyOf(s) === chosen;
      if (highlighted === wanted)
        drawLine(
          pen,
          s,
          place,
          chosen === null ? 'normal' : highlighted ? 'highlighted' : 'muted',
          muted,
          stale[i] === 1,
          sinceOf(i),
        );
    });
  }
}
