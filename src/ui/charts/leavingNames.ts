import { createContext } from 'react';

import type { Replacement } from '../../core/redact/redactor.ts';

/** A name and the pseudonym that reports and bundles of the same runs give it. */
export type LeavingName = Pick<Replacement, 'kind' | 'from' | 'to'>;
/**
 * Asks for the names of what the page is about, with their pseudonyms. null = it is about no run.
 */
export const LeavingNamesContext = createContext<(() => Promise<readonly LeavingName[]>) | null>(
  null,
);
