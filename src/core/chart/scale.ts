/** What axes show: domains in data units, ticks inside them. */
export interface Axes {
  x: readonly [number, number];
  y: readonly [number, number];
  xTicks: readonly number[];
  yTicks: readonly number[];
}

/** The step among 1, 2, 2.5, 5 × 10^n that cuts `span` into at most `count` parts. */
export function niceStep(span: number, count: number): number {
  if (!(span > 0)) return 1;
  const rough = span / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(rough));
  const factor = [1, 2, 2.5, 5, 10].find((f) => f * power >= rough * (1 - 1e-9)) ?? 10;
  return factor * power;
}

/** Multiples of `step` within [from, to]. */
export function ticksBetween(from: number, to: number, step: number): number[] {
  const ticks: number[] = [];
  for (let k = Math.ceil(from / step - 1e-9); k * step <= to + step * 1e-9; k++)
    ticks.push(Number((k * step).toPrecision(12)));
  return ticks;
}

const timeSteps = [
  1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 14_400, 28_800, 86_400,
].map((s) => s * 1_000);
/** The smallest time step that cuts `spanMs` into at most `count` parts. */
export const timeStep = (spanMs: number, count: number): number =>
  timeSteps.find((s) => spanMs / s <= count) ?? Math.ceil(spanMs / count / 86_400_000) * 86_400_000;

/** Steps a live window moves by: about a tenth of it, so that axes stand still while lines grow. */
export const windowStep = (windowMs: number): number =>
  [...timeSteps].reverse().find((s) => s <= windowMs / 10) ?? 1_000;

/** Domain of a live window that ends now: its right edge lies at the next whole step. */
export function liveDomain(nowMs: number, windowMs: number): [number, number] {
  const step = windowStep(windowMs);
  const end = Math.max(windowMs, (Math.floor(nowMs / step) + 1) * step);
  return [end - windowMs, end];
}

/**
 * Domain of a whole run that still grows: ends at a tenth beyond now, rounded to a time step; moves
 * rarely.
 */
export function growingDomain(firstMs: number, nowMs: number): [number, number] {
  const span = Math.max(30_000, nowMs - firstMs);
  const step = timeStep(span, 8);
  return [firstMs, firstMs + (Math.floor(span / step) + 1) * step];
}

/**
 * Value domain that holds [low, high], with nice ends. The old one is kept while it holds the data
 * and the data fill at least half of it, so that axes do not jump with every sample.
 */
export function valueDomain(
  low: number,
  high: number,
  fromZero: boolean,
  ticks: number,
  old: readonly [number, number] | null,
): [number, number] {
  if (!(low <= high)) return old === null ? [0, 1] : [old[0], old[1]];
  const bottom = fromZero && low >= 0 ? 0 : low;
  const top = fromZero && high <= 0 ? 0 : high;
  if (old !== null && bottom >= old[0] && top <= old[1] && top - bottom >= (old[1] - old[0]) * 0.5)
    return [old[0], old[1]];
  const span = top - bottom;
  // A span lost in the rounding of its ends counts as none.
  const pad =
    span > Math.max(1e-12, Math.abs(top) * 1e-9)
      ? span * 0.08
      : Math.abs(top) > 1e-9
        ? Math.abs(top) * 0.1
        : 1;
  const wantTop = top === 0 && fromZero && low < 0 ? 0 : top + pad;
  const wantBottom = bottom === 0 && fromZero ? 0 : bottom - pad;
  const step = niceStep(wantTop - wantBottom, ticks);
  return [Math.floor(wantBottom / step + 1e-9) * step, Math.ceil(wantTop / step - 1e-9) * step];
}

/** No axis of a share goes beyond 100 % where nothing does. `highest`: of what is drawn. */
export const withinShare = (
  domain: readonly [number, number],
  unit: string | undefined,
  highest: number,
): readonly [number, number] =>
  unit === '%' && highest <= 100 && domain[1] > 100 ? [domain[0], 100] : domain;

export function makeAxes(
  x: readonly [number, number],
  y: readonly [number, number],
  width: number,
  height: number,
): Axes {
  const xStep = timeStep(x[1] - x[0], Math.max(2, Math.floor(width / 60)));
  const yStep = niceStep(y[1] - y[0], valueTicks(height));
  return { x, y, xTicks: ticksBetween(x[0], x[1], xStep), yTicks: ticksBetween(y[0], y[1], yStep) };
}
export const valueTicks = (height: number): number =>
  Math.min(8, Math.max(2, Math.floor(height / 34)));

export const sameAxes = (a: Axes, b: Axes): boolean =>
  a.x[0] === b.x[0] &&
  a.x[1] === b.x[1] &&
  a.y[0] === b.y[0] &&
  a.y[1] === b.y[1] &&
  a.xTicks.length === b.xTicks.length &&
  a.yTicks.length === b.yTicks.length;
