import { counted } from '../../../core/base/counted.ts';
import type { Evidence, Hypothesis } from '../../../core/diagnosis/diagnosis.ts';

export const confidenceWords: Readonly<Record<Hypothesis['confidence'], string>> = {
  strong: 'Strong',
  likely: 'Likely',
  possible: 'Possible',
};

/**
 * Three significant figures, whole from a thousand on, whole numbers as they are; – where nothing
 * was measured.
 */
export function figure(value: number | null): string {
  if (value === null) return '–';
  const size = Math.abs(value);
  if (size >= 1_000) return Math.round(value).toLocaleString('en-GB').replaceAll(',', '\u202f');
  if (Number.isInteger(value)) return String(value);
  return size >= 100 ? value.toFixed(0) : size >= 10 ? value.toFixed(1) : value.toFixed(2);
}

/** Change in words: a sign and a unit, or a factor where it more than doubled. */
export function changeText({ before, after, unit }: Evidence): string {
  if (before === null || after === null) return '–';
  if (before === after) return 'none';
  if (before > 0 && after / before >= 2) return `${figure(after / before)} ×`;
  const change = after - before;
  return `${change > 0 ? '+' : '−'}${figure(Math.abs(change))}${unit === '' ? '' : ` ${unit}`}`;
}

/** `6 of 9 failing workloads, on tiles 1, 2 and 3`. */
export function failingText({ on, of, tiles }: Hypothesis['failing']): string {
  if (of === 0) return 'No workload fails.';
  const listed = tiles.slice(0, 8).map((tile) => tile + 1);
  const named =
    tiles.length === 0
      ? ''
      : `, tile${tiles.length === 1 ? '' : 's'} ` +
        `${listed.join(', ')}${tiles.length > 8 ? ` and ${tiles.length - 8} more` : ''}`;
  return `${on} of ${counted(of, 'failing workload')}${named}`;
}
