import { namesOf } from './outages.ts';
import type { RunFinding } from './run.ts';

/** A span of the run's time, [fromMs, untilMs). */
export interface Span {
  fromMs: number;
  untilMs: number;
}

/** How well one client kept up with all loads it offers, as their own programs told. */
export interface Saturation {
  client: { id: string; name: string };
  /** Loads that fell behind, in words. */
  loads: readonly string[];
  /** When its programs told anything, and when one of them was behind; in order, apart. */
  told: readonly Span[];
  behind: readonly Span[];
  /** The greatest lateness while it was behind, and the least that counts for any of its loads. */
  lateMs: number;
  limitMs: number;
  /** Some of the time it was not late: its processors were full. */
  busy: boolean;
}

const prefix = 'saturated.';
const isSaturation = ({ id }: Pick<RunFinding, 'id'>): boolean => id.startsWith(prefix);
/** Findings about clients that fell behind, and all others. */
export const saturationFindings = (findings: readonly RunFinding[]): RunFinding[] =>
  findings.filter(isSaturation);
export const otherFindings = (findings: readonly RunFinding[]): RunFinding[] =>
  findings.filter((finding) => !isSaturation(finding));

/** Spans further apart than this, in the end as many as may be shown, stay apart. */
const mostSpans = 60;
/** Below so much of the time it weighs little: this app's choice, as the rule of compliance has it. */
const littlePct = 1;

/**
 * Puts one more span into a list that is in order and apart; what touches another becomes one with
 * it. In place: a run has thousands.
 */
export function addSpan(spans: Span[], { fromMs, untilMs }: Span): void {
  // New ones come last, but for a second load of the same client.
  let at = spans.length;
  while (at > 0 && spans[at - 1]!.untilMs >= fromMs) at -= 1;
  let end = at;
  let whole = { fromMs, untilMs };
  while (end < spans.length && spans[end]!.fromMs <= untilMs) {
    whole = {
      fromMs: Math.min(whole.fromMs, spans[end]!.fromMs),
      untilMs: Math.max(whole.untilMs, spans[end]!.untilMs),
    };
    end += 1;
  }
  spans.splice(at, end - at, whole);
}

const lengthS = (spans: readonly Span[]): number =>
  Math.round(spans.reduce((sum, { fromMs, untilMs }) => sum + untilMs - fromMs, 0) / 1_000);

/** At most so many spans: those that lie closest together are shown as one. */
function shownSpans(spans: readonly Span[], most: number): Span[] {
  if (spans.length <= most) return spans.map((span) => ({ ...span }));
  const breaks = spans
    .slice(1)
    .map(({ fromMs }, i) => ({ at: i + 1, gapMs: fromMs - spans[i]!.untilMs }))
    .sort((a, b) => b.gapMs - a.gapMs || b.at - a.at)
    .slice(0, most - 1);
  const isBreak = new Set(breaks.map(({ at }) => at));
  const shown: Span[] = [];
  for (const [i, span] of spans.entries()) {
    const last = shown.at(-1);
    if (last && !isBreak.has(i)) last.untilMs = span.untilMs;
    else shown.push({ ...span });
  }
  return shown;
}

const sayMs = (ms: number): string =>
  ms >= 1_000 ? `${(ms / 1_000).toFixed(1)} s` : `${Math.round(ms)} ms`;

/** The one finding about a client that fell behind its load; null = it never did. */
export function saturationFinding(of: Saturation): RunFinding | null {
  const first = of.behind[0];
  if (!first) return null;
  const behindS = Math.max(1, lengthS(of.behind));
  const toldS = Math.max(behindS, lengthS(of.told));
  const isLate = of.lateMs > of.limitMs;
  const why = [
    ...(isLate
      ? [`it began up to ${sayMs(of.lateMs)} late, more than ${sayMs(of.limitMs)} is too late`]
      : []),
    ...(of.busy ? ['its processors were full'] : []),
  ].join('; ');
  return {
    id: `${prefix}${of.client.id}`,
    severity: (behindS / toldS) * 100 < littlePct ? 'info' : 'warn',
    text:
      `${of.client.name} could not offer the load of ${namesOf(of.loads)} in ${behindS} of ` +
      `${toldS} seconds: ${why}. What was measured then is the client, not what it loads.`,
    fix: 'Give this load a faster client or more of them, no other tile on its client, or a lower rate.',
    tMs: first.fromMs,
    spans: shownSpans(of.behind, mostSpans),
    subjects: [...of.loads],
  };
}

/** When clients fell behind, each span with the words of its finding. */
export const saturatedSpans = (
  findings: readonly RunFinding[],
): { fromMs: number; untilMs: number; text: string }[] =>
  saturationFindings(findings).flatMap(({ spans = [], text }) =>
    spans.map(({ fromMs, untilMs }) => ({ fromMs, untilMs: untilMs ?? fromMs, text })),
  );

/** A line is written after the second it is about. */
const besideMs = 2_000;

/** Whether a client was behind for as long as samples of its load are missing: that says why. */
export const isWhileBehind = (
  findings: readonly RunFinding[],
  { peerId, fromMs, toMs }: { peerId: string | null; fromMs: number; toMs: number },
): boolean =>
  findings.some(
    ({ id, spans = [] }) =>
      peerId !== null &&
      id === `${prefix}${peerId}` &&
      spans.some(
        (span) => fromMs >= span.fromMs - besideMs && toMs <= (span.untilMs ?? Infinity) + besideMs,
      ),
  );
