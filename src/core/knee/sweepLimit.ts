import type { StudySpec } from '../study/study.ts';

/** One run of the search, ended. */
export interface Tried {
  value: number;
  passed: boolean;
}
export type LimitSearch = NonNullable<StudySpec['findLimit']>;
export interface LimitState {
  /** What to run next; null = the search is over. */
  next: number | null;
  phase: 'coarse' | 'bisect' | 'confirm' | 'done';
  /** Highest value below the lowest failing one whose runs all passed. */
  lastPass: number | null;
  /** Lowest value of which a run failed. */
  firstFail: number | null;
  /** Runs beyond the first that both sides of the boundary have. */
  confirmed: number;
  note: string;
}

/**
 * The next value of a search for the highest one that passes, from what was tried so far; order of
 * `tried` does not matter. Coarse steps up to the first failure; bisection, on the grid of
 * `resolution`, between it and the last pass; then both sides of the boundary are run
 * `confirmations` more times. A value passes when all its runs did: a pass that does not hold when
 * repeated moves the boundary down, and the search goes on. Nothing outside [from, to] is run or
 * concluded.
 */
export function limitState(search: LimitSearch, tried: readonly Tried[]): LimitState {
  const { from, to, coarseStep, resolution, confirmations } = search;
  const inside = tried.filter(({ value }) => value >= from && value <= to);
  const failing = inside.filter((t) => !t.passed).map((t) => t.value);
  const firstFail = failing.length > 0 ? Math.min(...failing) : null;
  const passing = inside
    .map((t) => t.value)
    .filter((value) => firstFail === null || value < firstFail);
  const lastPass = passing.length > 0 ? Math.max(...passing) : null;
  const runsOf = (value: number): number => inside.filter((t) => t.value === value).length;
  const sides = [lastPass, firstFail].filter((value): value is number => value !== null);
  const confirmed = sides.length > 0 ? Math.min(...sides.map(runsOf)) - 1 : 0;
  const above =
    firstFail === null
      ? []
      : [
          ...new Set(
            inside
              .filter((t) => t.value > firstFail && t.passed && !failing.includes(t.value))
              .map((t) => t.value),
          ),
        ];
  const odd = above.length > 0 ? ` ${above.sort((a, b) => a - b).join(', ')} passed above it.` : '';
  const state = (next: number | null, phase: LimitState['phase'], note: string): LimitState => ({
    next,
    phase,
    lastPass,
    firstFail,
    confirmed: Math.max(0, confirmed),
    note: note + (next === null ? odd : ''),
  });

  if (firstFail === null) {
    if (lastPass === null) return state(from, 'coarse', '');
    if (lastPass < to) return state(Math.min(to, lastPass + coarseStep), 'coarse', '');
  } else if (lastPass === null && firstFail > from) {
    return state(from, 'coarse', '');
  } else if (lastPass !== null && firstFail - lastPass > resolution) {
    const middle = between(from, resolution, lastPass, firstFail);
    if (middle !== null) return state(middle, 'bisect', '');
  }
  if (confirmed < confirmations)
    return state(
      sides.find((value) => runsOf(value) - 1 < confirmations)!,
      'confirm',
      '',
    );
  if (firstFail === null)
    return state(
      null,
      'done',
      `Every value up to ${to} passed: the limit is not inside the range.`,
    );
  if (lastPass === null)
    return state(
      null,
      'done',
      `${from}, the lowest value, failed already: the limit is not inside the range.`,
    );
  return state(null, 'done', `${lastPass} passed, ${firstFail} failed.`);
}

/** The grid value nearest to the middle, strictly between; null where the grid has none. */
function between(from: number, resolution: number, low: number, high: number): number | null {
  const snapped = from + Math.round(((low + high) / 2 - from) / resolution) * resolution;
  // Whole steps of a fraction like 0.1 must not leave dust in the name of a point.
  const clean = Number(snapped.toPrecision(12));
  return clean > low && clean < high ? clean : null;
}
