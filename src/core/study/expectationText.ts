import { formatExact, noValue } from '../base/format.ts';
import type { ExpectationLine } from './study.ts';

/** Decimals that a figure of this size is printed with. */
export const figureDecimals = (value: number): number =>
  Math.abs(value) >= 1_000 ? 0 : Math.abs(value) >= 100 ? 1 : 2;

/** A published or modelled figure with its unit. */
export const figureText = (value: number | null, unit: string): string =>
  value === null
    ? noValue
    : `${formatExact(value, figureDecimals(value))}${unit === '' ? '' : ` ${unit}`}`;

/** How far the model lies above (`+`) or below what was published. */
export const differenceText = ({ difference, unit }: ExpectationLine): string =>
  `${difference !== null && difference > 0 ? '+' : ''}${figureText(difference, unit)}`;

/** What is still met. */
export function toleranceText({ low, high, unit }: ExpectationLine): string {
  if (low !== null && high !== null)
    return low === high
      ? figureText(low, unit)
      : `${figureText(low, '')} to ${figureText(high, unit)}`;
  if (low !== null) return `at least ${figureText(low, unit)}`;
  return high === null ? noValue : `at most ${figureText(high, unit)}`;
}
