import type { Alignment, Cause, Evidence } from './diagnosis.ts';
import { alignmentWeight, type Case } from './diagnosisEvidence.ts';
import type { RunFeatures } from './diagnosisFeatures.ts';
import type { Measured } from './diagnosisMeasured.ts';
import type { Threshold } from './diagnosisThresholds.ts';

/** A hypothesis before it is weighed against the others. */
export interface Candidate {
  cause: Cause;
  subjects: string[];
  /** Ids of the subjects. */ refs: string[];
  score: number;
  alignment: Alignment | null;
  on: { on: number; of: number; share: number; tiles: number[] };
  evidence: Evidence[];
  explanation: string;
  remedy: string;
  /** Processors of every host in use are full. */
  everywhere?: boolean;
  /** They were as full in the first run of as many tiles: alone that tells the two not apart. */
  asBefore?: boolean;
  /** Clock lost to a power limit, in percent. */
  lostPct?: number;
  /** Time in which a client could not offer its load, in percent. */
  behindPct?: number;
}

/** What is known of one cause: how it is found, and what is said of it where it is not. */
export interface Rule {
  /** Hypotheses for the cause; empty where nothing speaks for it. Pure. */
  find: (of: Case) => Candidate[];
  /** Without these the cause can neither be blamed nor cleared. */
  needs: readonly Measured[];
  /**
   * Whether the resource is full as its counters stand: what is full is never cleared, whether it
   * explains the shortfall or not. Absent = nothing that fills up.
   */
  isFull?: (run: RunFeatures) => boolean;
  /** Whether there is anything of it to be said of a run. Absent = always. */
  concerns?: (run: RunFeatures) => boolean;
  /** The figure that came nearest to its threshold, in words. */
  cleared: (run: RunFeatures) => string;
}

type Figures = readonly (number | null | undefined)[];
/** Whether any figure that was measured has reached the end of its threshold. */
export const anyFull = (figures: Figures, { full }: Threshold): boolean =>
  figures.some((figure) => figure != null && figure >= full);
/** Says the largest of the figures that were measured. */
export function sayMost(figures: Figures, say: (most: string) => string, digits = 0): string {
  const known = figures.filter((figure): figure is number => figure != null);
  return known.length === 0 ? 'Below its threshold.' : say(Math.max(...known).toFixed(digits));
}

/** How much a figure rose, as a weight: what was as high before explains the difference less. */
export const riseWeight = (
  before: number | null | undefined,
  after: number,
  full: number,
): number =>
  before == null ? 0.9 : 0.65 + 0.35 * Math.min(1, Math.max(0, (after - before) / full));
/** What fails elsewhere is explained less. */
export const shareWeight = (share: number): number => 0.35 + 0.65 * share;

/**
 * How much a cause explains, 0 to 1: its own strength, lowered by what fails elsewhere, by what was
 * as high before (`rise`, of `riseWeight`) and by times that do not agree, though never below
 * `leastAlignment` for those.
 */
export const explains = (
  strength: number,
  on: Candidate['on'],
  rise: number,
  alignment: Alignment | null,
  leastAlignment = 0.85,
): number =>
  strength * shareWeight(on.share) * rise * Math.max(leastAlignment, alignmentWeight(alignment));

/**
 * Things of one kind that break their threshold together are one hypothesis: the worst leads, the
 * others join where they matter.
 */
export function worstOf(candidates: readonly Candidate[]): Candidate[] {
  const [first, ...rest] = [...candidates].sort((a, b) => b.score - a.score);
  if (first === undefined) return [];
  const joined = rest.filter((one) => one.score >= 0.3 * first.score);
  if (joined.length === 0) return [first];
  const all = [first, ...joined];
  const tiles = [...new Set(all.flatMap((one) => one.on.tiles))].sort((a, b) => a - b);
  const share = Math.min(
      1,
      all.reduce((sum, one) => sum + one.on.share, 0),
    ),
    on = Math.min(
      first.on.of,
      all.reduce((sum, one) => sum + one.on.on, 0),
    );
  // As if all that fails on any of them failed on one.
  const score = Math.min(1, (first.score / shareWeight(first.on.share)) * shareWeight(share));
  return [
    {
      ...first,
      subjects: all.flatMap((one) => one.subjects),
      refs: all.flatMap((one) => one.refs),
      score,
      on: { on, of: first.on.of, share, tiles },
      evidence: all.slice(0, 6).flatMap((one) => one.evidence),
      explanation: `${first.explanation}${
        joined.length > 0
          ? ` So do ${joined
              .flatMap((one) => one.subjects)
              .slice(0, 4)
              .join(', ')}.`
          : ''
      }`,
    },
  ];
}
