import * as z from 'zod';

import { type HistoryEntry, historyEntry } from '../../../core/history/history.ts';
import { sourceOf } from '../../../core/redact/learn.ts';
import { createRedactor, type Doubt } from '../../../core/redact/redactor.ts';

const rows = z.array(historyEntry);

/**
 * Rows of the history as they may leave, and what a person must look at before they do. `keep`:
 * words that may leave as they are.
 */
export function redactEntries(
  entries: readonly HistoryEntry[],
  keep: readonly string[] = [],
): { entries: HistoryEntry[]; doubts: Doubt[] } {
  const redactor = createRedactor([sourceOf(rows, [...entries])], { keep });
  return { entries: redactor.value(rows, [...entries]), doubts: redactor.doubts() };
}
