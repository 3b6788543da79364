import { createContext } from 'react';

import type { DetachedPanel } from '../../wire/detached.ts';

/**
 * Opens a panel of the run on show in a second window; null where there is no way to (a replay, a
 * window that is detached itself).
 */
export const DetachContext = createContext<((panel: DetachedPanel) => void) | null>(null);
