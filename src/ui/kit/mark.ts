import { createContext } from 'react';

/**
 * What every figure below wears when it leaves the window, in pictures, tables and copies:
 * `SIMULATED`, `REPLAY`, or both; null = measured on real machines now. On screen the window says
 * it once.
 */
export const ChartMarkContext = createContext<string | null>(null);

/** The mark of a run by where its numbers come from and whether it is played again; null = none. */
export function markOf(origin: 'real' | 'simulated' | 'replay', replayed = false): string | null {
  const words = [
    ...(origin === 'simulated' ? ['SIMULATED'] : []),
    ...(replayed || origin === 'replay' ? ['REPLAY'] : []),
  ];
  return words.length === 0 ? null : words.join(', ');
}

/**
 * The mark of what is drawn from several runs: a measured run takes nothing from the mark of
 * another beside it.
 */
export function markOfAll(origins: readonly ('real' | 'simulated' | 'replay')[]): string | null {
  return markOf(origins.includes('simulated') ? 'simulated' : 'real', origins.includes('replay'));
}
