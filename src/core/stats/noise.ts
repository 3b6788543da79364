import { moments, varianceOf } from './moments.ts';
import type { Estimate } from './welch.ts';

/** What repeats teach about the scatter between runs of one plan. */
export interface NoiseBand {
  /** Pooled coefficient of variation, a share of the mean. */ cv: number;
  df: number;
  /** Repeats it was learnt from. */ runs: number;
  groups: number;
}

/**
 * Scatter between repeats as a share of their mean, pooled over groups of repeats: √(Σ (nᵢ − 1)
 * cvᵢ² / Σ (nᵢ − 1)), the root-mean-square coefficient of variation with weights nᵢ − 1 (pooled as
 * the repeatability variance of ISO 5725-2; relative, as the groups may have different means). null
 * when no group has two repeats with a mean other than 0.
 */
export function noiseBand(groups: readonly (readonly number[])[]): NoiseBand | null {
  let sum = 0,
    df = 0,
    runs = 0,
    used = 0;
  for (const group of groups) {
    if (group.length < 2) continue;
    const of = moments(group);
    if (!Number.isFinite(of.mean) || of.mean === 0) continue;
    sum += ((of.count - 1) * varianceOf(of)) / of.mean ** 2;
    df += of.count - 1;
    runs += of.count;
    used += 1;
  }
  return df === 0 ? null : { cv: Math.sqrt(sum / df), df, runs, groups: used };
}

/**
 * A mean of `count` runs that scatter by `band`: standard error cv · |mean| / √count, with the
 * degrees of freedom of the band.
 */
export const estimateByNoise = (mean: number, count: number, band: NoiseBand): Estimate => ({
  mean,
  standardError: (band.cv * Math.abs(mean)) / Math.sqrt(count),
  df: band.df,
});
