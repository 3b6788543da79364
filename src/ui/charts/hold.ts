import { createContext, use, useEffect } from 'react';

/**
 * Asks the page around charts to stay as it is; call what is returned when it may go on. null =
 * nobody is asked.
 */
export const HoldContext = createContext<(() => () => void) | null>(null);

/**
 * Holds the page while `open`: a dialog that somebody reads must not go because the page under it
 * changes.
 */
export function useHold(open: boolean): void {
  const hold = use(HoldContext);
  useEffect(() => (open ? hold?.() : undefined), [open, hold]);
}
