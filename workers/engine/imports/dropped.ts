/** The same words in every import that left something out: a damaged file never looks whole. */
export const dropped = (count: number, what: 'part' | 'line' | 'row', fileName: string): string =>
  `${count} ${count === 1 ? what : `${what}s`} of ${fileName} ${count === 1 ? 'is' : 'are'} missing or damaged, and left out.`;

/** Lines that are missing before one, by the steps of a tool that prints at even times: more than one and a half of the shortest so far. */
export function createSteps(): (stepS: number) => number {
  let shortestS = Infinity;
  return (stepS) => {
    shortestS = Math.min(shortestS, stepS);
    return stepS > 1.5 * shortestS ? Math.max(1, Math.round(stepS / shortestS) - 1) : 0;
  };
}
