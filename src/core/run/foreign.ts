import type { RunRecord } from './run.ts';

/**
 * Results of another tool: no plan, no profile whose rules could be kept, no score. A bundle brings
 * all of them.
 */
export const isForeign = (imported: RunRecord['imported']): boolean =>
  imported !== undefined && imported.format !== 'Bundle';
