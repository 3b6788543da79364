import type * as z from 'zod';

import { durationHint, formatDuration } from '../../../core/base/duration.ts';

/** What stands in the field that a schema complains of. */
export interface FaultyField {
  /** As typed; undefined for one that the form does not have. */
  typed: number | string | undefined;
  /** Its number is a length of time, in milliseconds. */
  isDuration: boolean;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const isEmpty = (typed: FaultyField['typed']): boolean =>
  typeof typed === 'string' && typed.trim() === '';

/** A complaint of a schema as the sentence below its field: what to write there. */
export function fieldFault(
  issue: z.core.$ZodIssue,
  { typed, isDuration }: FaultyField = { typed: undefined, isDuration: false },
): string {
  if (isEmpty(typed) || (issue.code === 'too_small' && issue.origin === 'string'))
    return 'Fill in this field';
  const shown = (limit: number | bigint): string =>
    isDuration ? formatDuration(Number(limit) / 1_000) : String(limit);
  if (issue.code === 'too_small' && issue.origin === 'number')
    return `${issue.inclusive === false ? 'More than' : 'At least'} ${shown(issue.minimum)}`;
  if (issue.code === 'too_big' && issue.origin === 'number')
    return `At most ${shown(issue.maximum)}`;
  if (issue.code === 'invalid_type' && ['number', 'int'].includes(issue.expected))
    return isDuration ? durationHint : issue.expected === 'int' ? 'A whole number' : 'A number';
  return capital(issue.message);
}
