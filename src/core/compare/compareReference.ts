import { ownReference } from '../run/ownReference.ts';
import type { RunRecord } from '../run/run.ts';
import { referencesDiffer } from './compareVerdict.ts';

/** Nothing of the run says what scores 1.0: it was measured, and has no score for that alone. */
export const isUnreferenced = ({ overview, profile }: RunRecord): boolean =>
  overview.score?.reference === 'none' && ownReference({ profile }) === null;

/**
 * A run without a reference that another of these is scored against: its own score is 1.0 a tile.
 * Where several are, the first.
 */
export function referenceAmong(records: readonly RunRecord[]): string | null {
  const used = new Set(records.map((r) => r.plan.referenceRunId));
  return records.find((r) => isUnreferenced(r) && used.has(r.overview.id))?.overview.id ?? null;
}

/**
 * The run all could be scored against, where their scores have no common unit, or are missing, for
 * want of one reference: the baseline, which comes first. null = scores are as comparable as they
 * can be.
 */
export function referenceToOffer(
  records: readonly RunRecord[],
): { id: string; name: string } | null {
  const [baseline, ...others] = records;
  if (baseline?.overview.score == null) return null;
  if (records.some(({ profile }) => ownReference({ profile }) !== null)) return null;
  const apart =
    records.some(isUnreferenced) || others.some((record) => referencesDiffer(baseline, record));
  return apart ? { id: baseline.overview.id, name: baseline.overview.name } : null;
}
