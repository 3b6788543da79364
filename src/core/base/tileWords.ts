/** `3`, `1 to 4, 6`. Positions count from 0, words from 1. */
export function positionWords(positions: readonly number[]): string {
  const sorted = [...positions].sort((a, b) => a - b);
  const runs: [number, number][] = [];
  for (const position of sorted) {
    const last = runs.at(-1);
    if (last && last[1] === position - 1) last[1] = position;
    else runs.push([position, position]);
  }
  return runs
    .map(([from, to]) => {
      if (from === to) return `${from + 1}`;
      return to === from + 1 ? `${from + 1}, ${to + 1}` : `${from + 1} to ${to + 1}`;
    })
    .join(', ');
}

/** `Tile 3`, `Tiles 1 to 4, 6`. Positions count from 0, words from 1. */
export const tileWords = (positions: readonly number[]): string =>
  `${positions.length === 1 ? 'Tile' : 'Tiles'} ${positionWords(positions)}`;
