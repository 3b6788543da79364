import { type CheckFinding, findingKey } from '../../../core/plan/plan.ts';

/** What a row of the list is about: what forbids, warns, is waived, is to know, or is in order. */
export const kinds = ['block', 'warn', 'waived', 'info', 'ok'] as const;
export type Kind = (typeof kinds)[number];
export const kindOf = (finding: CheckFinding): Kind =>
  finding.waived ? 'waived' : finding.severity;
/** What somebody has to look at. */
export const needsAttention = (finding: CheckFinding): boolean =>
  finding.severity === 'block' || finding.severity === 'warn';

/** From this many on, equal findings of many subjects are one row. */
const togetherFrom = 4;
/** Fewer words in common are no title. */
const leastWords = 2;

export interface FindingGroup {
  key: string;
  kind: Kind;
  title: string;
  findings: CheckFinding[];
}

/** The words all titles begin with, without a separator at the end. */
function commonTitle(titles: readonly string[]): string {
  const words = titles.map((title) => title.split(' '));
  const first = words[0] ?? [];
  const end = first.findIndex((word, i) => words.some((other) => other[i] !== word));
  return first
    .slice(0, end < 0 ? first.length : end)
    .join(' ')
    .replace(/[:,]$/, '');
}

/**
 * Findings in their order, many of one kind and id as one group where the first of them stood.
 * `checkTitles` by check id names those whose titles have nothing in common.
 */
export function groupFindings(
  findings: readonly CheckFinding[],
  checkTitles: ReadonlyMap<string, string>,
): FindingGroup[] {
  const together = new Map<string, CheckFinding[]>();
  for (const finding of findings) {
    const key = `${kindOf(finding)} ${finding.id}`;
    together.set(key, [...(together.get(key) ?? []), finding]);
  }
  return [...together].flatMap(([key, all]): FindingGroup[] => {
    if (all.length < togetherFrom)
      return all.map((finding) => ({
        key: findingKey(finding),
        kind: kindOf(finding),
        title: finding.title,
        findings: [finding],
      }));
    const common = commonTitle(all.map((finding) => finding.title));
    const title =
      common.split(' ').length >= leastWords
        ? common
        : (checkTitles.get(all[0]!.checkId ?? '') ?? (common || all[0]!.id));
    return [{ key, kind: kindOf(all[0]!), title: `${title} (${all.length})`, findings: all }];
  });
}
