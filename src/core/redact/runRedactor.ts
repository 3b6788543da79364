import { type RunRecord, runRecord } from '../run/run.ts';
import { sourceOf } from './learn.ts';
import { createRedactor, type Redactor } from './redactor.ts';

/**
 * A redactor that knows every name and address of these runs. `keep`: words that may leave as they
 * are.
 */
export const runRedactor = (
  records: readonly RunRecord[],
  keep: readonly string[] = [],
): Redactor =>
  createRedactor(
    records.map((record) => sourceOf(runRecord, record)),
    { keep },
  );
