const steps: readonly (readonly [number, string])[] = [
  [1e12, 'T'],
  [1e9, 'G'],
  [1e6, 'M'],
  [1e3, 'k'],
  [1, ''],
];
/** Shown where there is no value. */
export const noValue = '–';

/**
 * Overview form: three significant figures with SI steps k, M, G, T (`1.23k`, `45.6`, `0.0123`). A
 * value that rounds up into the next step takes it (999.9 → `1.00k`). NaN and infinities give an en
 * dash.
 */
export function formatSi(value: number): string {
  if (!Number.isFinite(value)) return noValue;
  if (value === 0) return '0';
  const sign = value < 0 ? '−' : '';
  const size = Number(Math.abs(value).toPrecision(3));
  if (size < 0.001) return `${sign}<0.001`;
  const [step, letter] = steps.find(([s]) => size >= s) ?? [1, ''];
  const scaled = size / step;
  const decimals =
    scaled >= 100
      ? 0
      : scaled >= 10
        ? 1
        : scaled >= 1
          ? 2
          : Math.min(5, 2 - Math.floor(Math.log10(scaled)));
  return `${sign}${scaled.toFixed(decimals)}${letter}`;
}

/** Units that take a prefix of their own: `1.61 kW`, not `1.61k W`. */
const prefixed = new Set(['W', 'b/s', 'B/s', 'Hz', 'Wh']);
/** Units that lie a thousand apart and have names of their own: `1.97 s`, not `1.97k ms`. */
const ladders: readonly (readonly string[])[] = [
  ['ms', 's'],
  ['KB/s', 'MB/s', 'GB/s'],
  ['Kb/s', 'Mb/s', 'Gb/s'],
];
/** The same quantity in the unit of its ladder in which it is 1 to 1,000; seconds go down to none. */
function onLadder(value: number, unit: string): { value: number; unit: string } {
  const ladder = ladders.find((units) => units.includes(unit));
  if (ladder === undefined || !Number.isFinite(value) || value === 0) return { value, unit };
  let [shown, at] = [value, ladder.indexOf(unit)];
  const size = (): number => Number(Math.abs(shown).toPrecision(3));
  for (; size() >= 1_000 && at < ladder.length - 1; at += 1) shown /= 1_000;
  for (; size() < 1 && at > 0 && unit !== 's'; at -= 1) shown *= 1_000;
  return { value: shown, unit: ladder[at] ?? unit };
}

/** Whether a figure of this unit may be told in another one: `1.97 s` among milliseconds. */
export const hasLargerUnits = (unit: string): boolean =>
  prefixed.has(unit) || ladders.some((units) => units.includes(unit));

/** A value and its unit in overview form; the SI step stands where the unit has one of its own. */
export function formatQuantity(of: number, ofUnit: string): { figure: string; unit: string } {
  const { value, unit } = onLadder(of, ofUnit);
  const figure = formatSi(value);
  const [, digits, step] = /^(.*\d)([kMGT])$/.exec(figure) ?? [];
  return digits !== undefined && step !== undefined && prefixed.has(unit)
    ? { figure: digits, unit: `${step}${unit}` }
    : { figure, unit };
}

/** `1.97 s`, `1.61 kW`, `39.4 Mb/s`: the same as one text. */
export function quantityText(value: number, unit: string): string {
  const shown = formatQuantity(value, unit);
  return `${shown.figure} ${shown.unit}`.trim();
}

/**
 * Exact form for hover and tables: the decimals the source prints, thousands set apart by a thin
 * no-break space.
 */
export function formatExact(value: number, decimals: number): string {
  if (!Number.isFinite(value)) return noValue;
  const [whole = '0', fraction] = Math.abs(value).toFixed(decimals).split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ' ');
  const zero = Number(Math.abs(value).toFixed(decimals)) === 0;
  return `${value < 0 && !zero ? '−' : ''}${grouped}${fraction === undefined ? '' : `.${fraction}`}`;
}

/**
 * Decimals that a mean or another computed figure is shown with: those of its measure, and none
 * where one of the values shown together reaches a thousand. `108 135.5` claims what no mean has.
 */
export const computedDecimals = (decimals: number, ...values: readonly number[]): number =>
  values.some((value) => Math.abs(value) >= 1_000) ? 0 : decimals;

/** A computed figure in full: `108 136`, `942.4`, never a decimal beside thousands. */
export const formatComputed = (value: number, decimals: number): string =>
  formatExact(value, computedDecimals(decimals, value));

/** Value for a machine: plain digits, no grouping; empty for no value. */
export function formatPlain(value: number, decimals: number): string {
  return Number.isFinite(value) ? value.toFixed(decimals) : '';
}

/**
 * Labels of one axis from one end to the other: all with the SI step and decimals the tick distance
 * needs, so that they line up.
 */
export function axisFormatter(
  ends: readonly [number, number],
  tickStep: number,
): (value: number) => string {
  const most = Math.max(...ends.map(Math.abs));
  const [step, letter] = steps.find(([s]) => most >= s) ?? [1, ''];
  const scaled = tickStep / step;
  const decimals =
    [0, 1, 2, 3, 4, 5].find(
      (d) => Math.abs(scaled * 10 ** d - Math.round(scaled * 10 ** d)) < 1e-6,
    ) ?? 6;
  return (value) =>
    value === 0
      ? '0'
      : `${value < 0 ? '−' : ''}${(Math.abs(value) / step).toFixed(decimals)}${letter}`;
}

interface ValueTicks {
  y: readonly [number, number];
  yTicks: readonly number[];
}

/** The same of a value axis whose ticks are known. */
export const valueAxisText = (axes: ValueTicks): ((value: number) => string) =>
  axisFormatter(axes.y, (axes.yTicks[1] ?? 1) - (axes.yTicks[0] ?? 0));

/**
 * A value axis in the unit its values reach, which stands beside the title: thousands of
 * milliseconds are seconds, thousands of watts kilowatts. `text` labels a value of the unit `of`.
 */
export function valueAxis(
  { y, yTicks }: ValueTicks,
  of: string,
): { unit: string; text: (value: number) => string } {
  const most = Math.max(...y.map(Math.abs));
  const top = onLadder(most, of);
  const { figure, unit } = formatQuantity(most, of);
  const isPrefixed = unit !== top.unit;
  const factor = isPrefixed
    ? 1 / (steps.find(([s]) => most >= s)?.[0] ?? 1)
    : most === 0
      ? 1
      : top.value / most;
  if (figure === noValue || factor === 1) return { unit: of, text: valueAxisText({ y, yTicks }) };
  const scaled = valueAxisText({
    y: [y[0] * factor, y[1] * factor],
    yTicks: yTicks.map((tick) => tick * factor),
  });
  return { unit, text: (value) => scaled(value * factor) };
}

const two = (n: number): string => String(n).padStart(2, '0');

/**
 * Elapsed time in a run: `m:ss`, `h:mm:ss`; negative before the start. Milliseconds in, seconds
 * floored.
 */
export function formatElapsed(ms: number): string {
  if (!Number.isFinite(ms)) return noValue;
  const total = Math.floor(Math.abs(ms) / 1_000);
  const hours = Math.floor(total / 3_600);
  const minutes = Math.floor((total % 3_600) / 60);
  const sign = ms < 0 && total > 0 ? '−' : '';
  return hours > 0
    ? `${sign}${hours}:${two(minutes)}:${two(total % 60)}`
    : `${sign}${minutes}:${two(total % 60)}`;
}

/** Local clock time `HH:MM:SS` of an epoch in milliseconds. */
export function formatClock(epochMs: number): string {
  if (!Number.isFinite(epochMs)) return noValue;
  const date = new Date(epochMs);
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

/** An age for people: `4 s`, `3 min`, `2 h`. */
export function formatAge(ms: number): string {
  if (!Number.isFinite(ms)) return noValue;
  const s = Math.max(0, Math.round(ms / 1_000));
  if (s < 120) return `${s} s`;
  return s < 7_200 ? `${Math.round(s / 60)} min` : `${Math.round(s / 3_600)} h`;
}

/** Three significant digits in plain notation, never fewer than the integer part. */
export function threeFigures(value: number): string {
  if (value === 0 || !Number.isFinite(value)) return String(value);
  const decimals = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(Number(value.toPrecision(3))))));
  return value.toFixed(Math.min(decimals, 20));
}
