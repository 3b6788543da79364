import type { SeriesSource } from '../engine/series.ts';

/**
 * What a fast clock does to samples on their way: how late a fresh one may be, and how far apart
 * two may lie without a gap, both in the engine's milliseconds.
 */
export interface FastPace {
  slackMs: number;
  gapMs: number;
}

/**
 * At more than the speed of a wall clock the engine tells a few samples of each tenth of a second
 * here and leaves the rest to the store: between two told ones lie minutes of lab time. `rate` as
 * of EngineRateContext; null = an even pace.
 */
export function fastPace(rate: number): FastPace | null {
  if (rate === 1) return null;
  // Paused, or as fast as the machine goes: any distance is possible.
  if (rate === 0) return { slackMs: Infinity, gapMs: 1_800_000 };
  return { slackMs: rate * 3_000, gapMs: rate * 150 };
}

/** The same series, with gaps only where samples lie farther apart than `gapMs`. */
export function looseSource(source: SeriesSource, gapMs: number): SeriesSource {
  return {
    read(fromMs, toMs, into) {
      source.read(fromMs, toMs, into);
      for (let i = 0; i < into.count; i += 1) {
        const part = into.parts[i as 0 | 1];
        part.gapMs = Math.max(part.gapMs, gapMs);
      }
    },
    firstMs: () => source.firstMs(),
    lastMs: () => source.lastMs(),
    lastValue: () => source.lastValue(),
    revision: () => source.revision(),
  };
}
