import { quantileSorted } from './quantile.ts';

/**
 * Bins are [edge, next edge), the last one closed; `edges` has one entry more than there are bins.
 */
export const leastBins = 5,
  mostBins = 60;

/**
 * Common edges for several samples, each ascending: bin width 2 · IQR / ∛n of the largest sample
 * (D. Freedman and P. Diaconis, "On the histogram as a density estimator: L₂ theory", Z.
 * Wahrscheinlichkeitstheorie 57 (1981) 453–476), with 5 to 60 bins over the range of all (bounds:
 * this app's choice). One distinct value gives one bin of width 1 around it; no values give no
 * edges.
 */
export function histogramEdges(samples: readonly ArrayLike<number>[]): number[] {
  const filled = samples.filter((s) => s.length > 0);
  if (filled.length === 0) return [];
  const low = Math.min(...filled.map((s) => s[0]!)),
    high = Math.max(...filled.map((s) => s[s.length - 1]!));
  if (low === high) return [low - 0.5, low + 0.5];
  const largest = filled.reduce((a, b) => (b.length > a.length ? b : a));
  const width =
    (2 * (quantileSorted(largest, 0.75) - quantileSorted(largest, 0.25))) /
    Math.cbrt(largest.length);
  const wanted = width > 0 ? Math.ceil((high - low) / width) : mostBins;
  const bins = Math.max(leastBins, Math.min(mostBins, wanted));
  return Array.from({ length: bins + 1 }, (_, i) =>
    i === bins ? high : low + ((high - low) * i) / bins,
  );
}

/** How many of ascending values lie in each bin; values outside the edges are in none. */
export function histogramCounts(ascending: ArrayLike<number>, edges: readonly number[]): number[] {
  const counts = new Array<number>(Math.max(0, edges.length - 1)).fill(0);
  const last = edges.length - 1;
  let bin = 0;
  for (let i = 0; i < ascending.length && last > 0; i += 1) {
    const value = ascending[i]!;
    if (value < edges[0]! || value > edges[last]!) continue;
    while (bin < last - 1 && value >= edges[bin + 1]!) bin += 1;
    counts[bin]! += 1;
  }
  return counts;
}
