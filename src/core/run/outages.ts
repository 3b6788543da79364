import { formatClock, formatElapsed } from '../base/format.ts';
import { groupBy } from '../base/groupBy.ts';
import type { RunFinding } from './run.ts';

/** One connection that a run reads from. */
export interface Peer {
  id: string;
  name: string;
  kind: 'client' | 'vcenter' | 'power' | 'host';
}
/** From when to when something was away; null = it still is. */
export interface OutageSpan {
  fromMs: number;
  untilMs: number | null;
}
/** Samples of one series that are not there, in the engine's time. */
export interface Gap {
  /** Connection the series is read from; null = none, or none that is known. */
  peerId: string | null;
  /** The series in words: `Tile 2 Database Throughput`. */
  series: string;
  /** The result or the power is made of it; false = it stands beside them, as a client's own CPU. */
  vital: boolean;
  fromMs: number;
  toMs: number;
}

/** All that was seen of one peer that went away: one cause, told in one finding. */
export interface Outage {
  peer: Peer;
  spans: readonly OutageSpan[];
  /** Workloads without samples while the peer itself answered; empty = the peer was away. */
  silent: readonly string[];
  /** The failure in the words of who saw it, and what to do. */
  detail: string;
  fix?: string;
  /** Samples that did not come afterwards either; null = not known yet. */
  missing: readonly Gap[] | null;
  /** The run was ended after so long without it; null = it was not. */
  endedAfterMs: number | null;
}

const prefix = 'outage.';
/** Id of the one finding about a peer that was away. */
export const outageId = (peerId: string): string => `${prefix}${peerId}`;
/** Peer of a finding about one that was away; null = the finding is about something else. */
export const outagePeerId = ({ id }: Pick<RunFinding, 'id'>): string | null =>
  id.startsWith(prefix) ? id.slice(prefix.length) : null;

/** Most spans that are named; of more, their number and time are. */
const mostSpans = 3;
const mostNames = 4;

/** The first names, and how many more there are. */
export const namesOf = (names: readonly string[]): string =>
  names.length <= mostNames
    ? names.join(', ')
    : `${names.slice(0, mostNames - 1).join(', ')} and ${names.length - mostNames + 1} more`;

/** `1:29–3:47`, `since 1:29`, `3 times, 4:10 in all (1:29–3:47, …)`. Times are of the run. */
function saySpans(spans: readonly OutageSpan[], over: boolean, originMs: number | null): string {
  const at = (ms: number): string =>
    originMs === null ? formatClock(ms) : formatElapsed(ms - originMs);
  const said = ({ fromMs, untilMs }: OutageSpan): string =>
    untilMs === null
      ? over
        ? `from ${at(fromMs)} to the end`
        : `since ${at(fromMs)}`
      : `${at(fromMs)}–${at(untilMs)}`;
  const [only] = spans;
  if (spans.length === 1 && only) return said(only);
  const closed = spans.filter((span) => span.untilMs !== null);
  const ms = closed.reduce((sum, { fromMs, untilMs }) => sum + untilMs! - fromMs, 0);
  const shown = spans.slice(-mostSpans).map(said).join(', ');
  return (
    `${spans.length} times, ${formatElapsed(ms)} in all ` +
    `(${spans.length > mostSpans ? 'at last ' : ''}${shown})`
  );
}

/** `up to 12 s of Tile 2 Database Throughput and 5 more series`. */
export function sayMissing(gaps: readonly Gap[]): string {
  const worst = [...gaps].sort((a, b) => b.toMs - b.fromMs - (a.toMs - a.fromMs));
  const [first] = worst;
  if (!first) return 'nothing';
  const more = worst.length - 1;
  return (
    `${more > 0 ? 'up to ' : ''}${Math.round((first.toMs - first.fromMs) / 1_000)} s of ` +
    `${first.series}${more > 0 ? ` and ${more} more series` : ''}`
  );
}

/**
 * The one finding about a peer that went away, with all it brought: how often and when, that it
 * came back, and what is missing of it. `originMs`: start of the run; `over`: it has ended.
 */
export function outageFinding(
  outage: Outage,
  { originMs, over }: { originMs: number | null; over: boolean },
): RunFinding {
  const { peer, spans, silent, endedAfterMs } = outage;
  const open = spans.some((span) => span.untilMs === null);
  const when = saySpans(spans, over && endedAfterMs === null, originMs);
  const quiet = silent.length > 0;
  const head = quiet
    ? `No sample of ${namesOf(silent)} from ${peer.name} ${when}`
    : peer.kind === 'client'
      ? `${peer.name} lost ${when}`
      : `${peer.name} did not answer ${when}`;
  const lost = (outage.missing ?? []).filter((gap) => gap.vital);
  const severity =
    endedAfterMs !== null ? 'block' : open || quiet || lost.length > 0 ? 'warn' : 'info';
  const tail =
    endedAfterMs !== null
      ? sayEnded(outage, endedAfterMs)
      : open
        ? sayOpen(outage, over)
        : `, recovered${sayBack(outage)}`;
  return {
    id: outageId(peer.id),
    severity,
    text: head + tail,
    ...(outage.fix !== undefined && severity !== 'info' ? { fix: outage.fix } : {}),
    tMs: spans[0]?.fromMs ?? originMs ?? 0,
    spans: [...spans],
    ...(quiet ? { subjects: [...silent] } : {}),
  };
}

function sayEnded({ detail }: Outage, afterMs: number): string {
  return afterMs > 0
    ? `. It stayed lost for ${Math.round(afterMs / 1_000)} s, and the run was ended.`
    : `${detail === '' ? '' : `: ${detail.replace(/\.$/, '')}`}. The run was ended.`;
}

function sayOpen({ peer, detail, silent, missing }: Outage, over: boolean): string {
  if (over) return missing && missing.length > 0 ? `; missing: ${sayMissing(missing)}.` : '.';
  if (silent.length > 0) return ': the client or the program hung.';
  const why = detail === '' ? '' : `: ${detail.replace(/\.$/, '')}`;
  return peer.kind === 'client'
    ? `${why}. Its load goes on; its output is read when it is back.`
    : `${why}.`;
}

function sayBack({ peer, missing }: Outage): string {
  if (missing === null)
    return peer.kind === 'client'
      ? '. Its load went on; what was not read meanwhile is read now.'
      : '.';
  if (missing.length === 0) return ', no sample missing.';
  const lost = missing.filter((gap) => gap.vital);
  return lost.length > 0
    ? `; missing: ${sayMissing(missing)}.`
    : `, no sample of its load missing. Not read meanwhile: ${sayMissing(missing)}.`;
}

/** What is away for longer than so much is what explains a gap beside it. */
const besideMs = 5_000;
const meets = (gap: Gap, { fromMs, untilMs }: OutageSpan): boolean =>
  gap.toMs >= fromMs - besideMs && (untilMs === null || gap.fromMs <= untilMs + besideMs);

/**
 * Whether it was lost each time with this computer's own absence, and all of it is there: then the
 * absence is the cause, and is told by itself.
 */
export const isOwnAbsence = (
  { spans, missing, endedAfterMs }: Outage,
  away: readonly OutageSpan[],
): boolean =>
  endedAfterMs === null &&
  missing?.length === 0 &&
  spans.every(
    ({ fromMs, untilMs }) =>
      untilMs !== null &&
      away.some((own) => fromMs >= own.fromMs && fromMs <= (own.untilMs ?? Infinity) + afterAwayMs),
  );
/** A connection that is found lost so soon after this computer was away was lost by that. */
const afterAwayMs = 30_000;

/** Time in which nobody here could read any peer: the engine was away. */
export interface OwnAbsence {
  findingId: string;
  spans: readonly OutageSpan[];
}

/**
 * Gives each gap to what caused it: an absence of the peer it is read from, else an absence of the
 * engine itself. `rest` has none that is known.
 */
export function gapsByCause(
  gaps: readonly Gap[],
  outages: readonly Outage[],
  own: readonly OwnAbsence[],
): { byPeer: Map<string, Gap[]>; byOwn: Map<string, Gap[]>; rest: Gap[] } {
  const spansOf = new Map(outages.map(({ peer, spans }) => [peer.id, spans]));
  const byPeer = new Map<string, Gap[]>(outages.map(({ peer }) => [peer.id, []]));
  const byOwn = new Map<string, Gap[]>(own.map(({ findingId }) => [findingId, []]));
  const rest: Gap[] = [];
  for (const gap of gaps) {
    const peer =
      gap.peerId !== null && spansOf.get(gap.peerId)?.some((span) => meets(gap, span))
        ? byPeer.get(gap.peerId)
        : undefined;
    const ours = own.find(({ spans }) => spans.some((span) => meets(gap, span)));
    (peer ?? (ours && byOwn.get(ours.findingId)) ?? rest).push(gap);
  }
  return { byPeer, byOwn, rest };
}

/** Gaps that nothing explains: one finding for each peer, however many of its series have one. */
export function gapFindingsOf(
  gaps: readonly Gap[],
  { steadyStartMs, nameOf }: { steadyStartMs: number; nameOf: (peerId: string) => string },
): Omit<RunFinding, 'tMs'>[] {
  return [...groupBy(gaps, (gap) => gap.peerId ?? '')].map(([peerId, own]) => {
    const firstMs = Math.min(...own.map((gap) => gap.fromMs));
    return {
      id: peerId === '' ? 'gap' : `gap.${peerId}`,
      severity: 'warn',
      text:
        `${peerId === '' ? 'Samples' : `Samples from ${nameOf(peerId)}`} are missing: ` +
        `${sayMissing(own)}, from ${formatElapsed(Math.max(0, firstMs - steadyStartMs))} of the ` +
        'steady state on. A gap is drawn as a gap.',
    };
  });
}
