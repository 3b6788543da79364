import {
  leftOfLimit,
  limitValue,
  missedLimits,
  missedText,
  scoreHeadroom,
  shortMetric,
} from '../limits/index.ts';
import type { Score } from '../run/scoreTypes.ts';

/** One sentence on the limits of a run: what broke them furthest, or what came nearest to it. */
export function limitSentence(score: Score | null): string {
  if (score === null) return 'No limit was judged: the run has no score.';
  const missed = missedLimits(score);
  const [first] = missed;
  if (first !== undefined) {
    const more = missed.length - 1;
    const others =
      more === 0 ? '' : ` ${more} more ${more === 1 ? 'limit was' : 'limits were'} broken.`;
    return `${missedText(first)}.${others}`;
  }
  const all = scoreHeadroom(score);
  const nearest = all.find(({ headroom }) => headroom !== null);
  const left = nearest === undefined ? null : leftOfLimit(nearest);
  if (nearest === undefined || nearest.value === null || left === null)
    return all.length === 0
      ? 'The profile sets no QoS limit.'
      : 'No limit was judged: what they are on was not measured.';
  return (
    `Every limit was kept. Nearest to its limit came ${nearest.name} ${shortMetric(nearest)} of ` +
    `tile ${nearest.tile + 1}: ${limitValue(nearest.value, nearest.unit)}, ` +
    `${nearest.kind === 'max' ? 'limit' : 'at least'} ${limitValue(nearest.limit, nearest.unit)}, ` +
    `${left.figure} ${left.word}.`
  );
}
