import { missedLimits, missedText } from '../limits/index.ts';
import type { RunRecord } from '../run/run.ts';
import type { Score } from '../run/scoreTypes.ts';
import { complianceFindings } from './compliance.ts';
import { qosStateOf } from './qosState.ts';
import { noReference, onlyUnreferenced } from './score.ts';

/** So many broken limits are named in a sentence; the table has all of them. */
const mostNamed = 3;

/** What of the limits keeps a run from being compliant, each limit that broke by its figures. */
function limitReasons(score: Score): string[] {
  if (score.qosPassed) return [];
  switch (qosStateOf(score.periods)) {
    case 'notJudged':
      return ['a QoS limit was not judged: what it is on was not measured'];
    case 'noLimit':
      return ['no period was measured'];
    default: {
      const missed = missedLimits(score);
      const more = missed.length - mostNamed;
      return [
        ...missed.slice(0, mostNamed).map(missedText),
        ...(more > 0 ? [`${more} more ${more === 1 ? 'limit' : 'limits'} broken`] : []),
      ];
    }
  }
}

/**
 * Why a run that ended by itself does not follow its profile's rules, what weighs most first; empty =
 * it does.
 */
export function verdictReasons(record: RunRecord, score: Score): string[] {
  const noTotal =
    score.total === null && !onlyUnreferenced(score)
      ? [
          score.missing.find((text) => text.startsWith('no total')) ??
            `no total: ${score.missing.find((text) => text !== noReference) ?? 'measurements are missing'}`,
        ]
      : [];
  const rules = complianceFindings(record, score)
    .filter(
      (f) =>
        (f.state === 'broken' || f.state === 'unproven') &&
        f.ruleId !== 'qosEveryPeriod' &&
        f.ruleId !== 'allTilesReport',
    )
    .map(
      (f) =>
        `${f.state === 'broken' ? 'rule broken' : 'rule not shown to hold'}: ${f.text} (${f.evidence})`,
    );
  const blocks = record.overview.findings.filter((f) => f.severity === 'block').map((f) => f.text);
  return [...noTotal, ...limitReasons(score), ...rules, ...blocks];
}

/** What is said of the limits of a run that kept to all rules. */
export const keptLimitsText = ({ periods }: Pick<Score, 'periods'>): string =>
  qosStateOf(periods) === 'noLimit' ? 'no QoS limit set' : 'all QoS limits kept';
