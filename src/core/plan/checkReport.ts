import {
  type CheckFinding,
  type CheckReport,
  findingKey,
  severities,
  type Waiver,
} from './plan.ts';

/** A finding that forbids the launch: it blocks, and nobody took responsibility for it. */
export const forbidsLaunch = (finding: Pick<CheckFinding, 'severity' | 'waived'>): boolean =>
  finding.severity === 'block' && finding.waived === undefined;

/**
 * What forbids the launch, the first three in words and how many more; without a full stop at the
 * end.
 */
export const forbiddingText = (
  findings: readonly Pick<CheckFinding, 'title' | 'evidence'>[],
): string =>
  `${findings
    .slice(0, 3)
    .map(({ title, evidence }) => `${title}: ${evidence.replace(/\.$/, '')}`)
    .join('; ')}${findings.length > 3 ? `; and ${findings.length - 3} more` : ''}`;

/** A waiver is for what warns or blocks; some blocks make a run impossible and cannot be waived. */
export const canWaive = (finding: Pick<CheckFinding, 'severity' | 'waivable'>): boolean =>
  (finding.severity === 'block' || finding.severity === 'warn') && finding.waivable !== false;

/**
 * The findings with the plan's waivers on them and no others. A waiver of what cannot be waived has
 * no effect.
 */
export function applyWaivers(
  findings: readonly CheckFinding[],
  waivers: readonly Waiver[],
): CheckFinding[] {
  const byKey = new Map(waivers.map((waiver) => [waiver.key, waiver]));
  return findings.map(({ waived: _before, ...finding }) => {
    const waiver = canWaive(finding) ? byKey.get(findingKey(finding)) : undefined;
    return waiver ? { ...finding, waived: { reason: waiver.reason, atMs: waiver.atMs } } : finding;
  });
}

/**
 * Worst first, what is waived after what is not; otherwise by check, then as the check gave them.
 */
export function sortFindings(findings: readonly CheckFinding[]): CheckFinding[] {
  const rank = (finding: CheckFinding): number =>
    severities.indexOf(finding.severity) * 2 + (finding.waived ? 1 : 0);
  return [...findings].sort((a, b) => rank(a) - rank(b));
}

/**
 * What a report says once its findings are known: in order, with waivers, and whether the plan may
 * be launched.
 */
export function settleFindings(
  findings: readonly CheckFinding[],
  waivers: readonly Waiver[],
): Pick<CheckReport, 'findings' | 'ready'> {
  const settled = sortFindings(applyWaivers(findings, waivers));
  return { findings: settled, ready: !settled.some(forbidsLaunch) };
}

/** How many findings of each severity; what is waived counts apart. */
export function countFindings(
  findings: readonly CheckFinding[],
): Record<CheckFinding['severity'] | 'waived', number> {
  const counts = { block: 0, warn: 0, info: 0, ok: 0, waived: 0 };
  for (const finding of findings) counts[finding.waived ? 'waived' : finding.severity] += 1;
  return counts;
}
