/** `Tile 3`, `Tiles 1 to 4, 6`. Positions count from 0, words from 1. */
export function tileWords(positions: readonly number[]): string {
  const sorted = [...positions].sort((a, b) => a - b);
  const runs: [number, number][] = [];
  for (const position of sorted) {
    const last = runs.at(-1);
    if (last && last[1] === position - 1) last[1] = position;
    else runs.push([position, position]);
  }
  return (
    `${sorted.length === 1 ? 'Tile' : 'Tiles'} ` +
    `${runs.map(([from, to]) => (from === to ? `${from + 1}` : to === from + 1 ? `${from + 1}, ${to + 1}` : `${from + 1} to ${to + 1}`)).join(', ')}`
  );
}
