import {
  type Gap,
  gapFindingsOf,
  gapsByCause,
  isOwnAbsence,
  type Outage,
  outageFinding,
  outageId,
  outagePeerId,
  type Peer,
  sayMissing,
} from '../../../src/core/run/outages.ts';
import type { RunRecord } from '../../../src/core/run/run.ts';
import { isWhileBehind } from '../../../src/core/run/saturation.ts';
import { steadyPlanned } from '../../../src/core/run/windows.ts';
import type { Connection } from '../../../src/core/testbed/connection.ts';
import type { Clock } from '../deps.ts';
import type { LiveRun } from './liveRun.ts';

/** What fails of a peer: the link of a workload, a workload's samples, a poll. */
export interface Sign {
  /** Unlike every other sign of the same peer. */
  key: string;
  /** Workloads without a sample while their client answers; absent = the peer itself is away. */
  silent?: readonly string[];
  /** The failure in words. */
  detail: string;
  fix?: string;
}

/**
 * Peers of a run that are away, each told once however many of its parts say so: one finding that
 * grows with what becomes known, one event when it goes, one when it is back.
 */
export interface Outages {
  lost(peerId: string, sign: Sign): void;
  /** A part works again; the peer is back once none of its parts says otherwise. */
  back(peerId: string, key: string): void;
  /** The run ends because of it, after so long. */
  endedBy(peerId: string, afterMs: number): void;
  /** At the end: what is missing stands with what caused it. */
  settle(gaps: readonly Gap[]): void;
}

/** Name with what it is before it, where the name does not say that itself. */
const called = (what: string, name: string): string =>
  what.split(' ').some((word) => name.toLowerCase().includes(word.toLowerCase()))
    ? name
    : `${what} ${name}`;

/** Id of the finding about an engine that was away. */
export const restartId = 'engineRestarted';

/** What is known of the peers of one run. */
interface Known {
  run: LiveRun;
  clock: Pick<Clock, 'now'>;
  peerOf: (id: string) => Peer;
  outages: Map<string, Outage>;
  /** Signs that stand now, of each peer. */
  signs: Map<string, Map<string, Sign>>;
}

export function createOutages(
  run: LiveRun,
  connections: readonly Connection[],
  clock: Pick<Clock, 'now'>,
): Outages {
  const { testbed } = run.record();
  const clientIds = new Set(run.overview().workloads.map(({ clientId }) => clientId));
  // One that makes load too is told as a client: then its load is what matters.
  const hostIds = new Set(
    (testbed.hostLogins ?? [])
      .map(({ connectionId }) => connectionId)
      .filter((id) => !clientIds.has(id)),
  );
  const peerOf = (id: string): Peer => {
    const found = connections.find((one) => one.id === id);
    return found?.kind === 'vcenter'
      ? { id, kind: 'vcenter', name: called('vCenter', found.name) }
      : found?.kind === 'power'
        ? { id, kind: 'power', name: called('Power meter', found.name) }
        : hostIds.has(id)
          ? { id, kind: 'host', name: called('Host', found?.name ?? id) }
          : { id, kind: 'client', name: found?.name ?? 'A client' };
  };
  const known: Known = {
    run,
    clock,
    peerOf,
    outages: new Map(storedOutages(run.overview(), peerOf, clock.now())),
    signs: new Map(),
  };
  return {
    lost: (peerId, sign) => noteLost(known, peerId, sign),
    back: (peerId, key) => noteBack(known, peerId, key),
    endedBy(peerId, afterMs) {
      const outage = known.outages.get(peerId);
      if (outage && outage.endedAfterMs === null) tell(known, { ...outage, endedAfterMs: afterMs });
    },
    settle: (gaps) => settleGaps(known, gaps),
  };
}

function tell({ run, outages }: Known, outage: Outage, over = false): void {
  outages.set(outage.peer.id, outage);
  run.finding(outageFinding(outage, { originMs: run.overview().startedAtMs, over }));
}

function noteLost(known: Known, peerId: string, sign: Sign): void {
  const { run, clock, signs } = known;
  const open = signs.get(peerId) ?? new Map<string, Sign>();
  signs.set(peerId, open);
  if (open.get(sign.key)?.detail === sign.detail) return;
  const first = open.size === 0;
  open.set(sign.key, sign);
  const before = known.outages.get(peerId);
  const peer = before?.peer ?? known.peerOf(peerId);
  if (first) run.event('fault', sayLost(peer, sign), { entityId: peerId });
  const all = [...open.values()];
  // Only silent, then and now: once the peer itself was away, that is the cause.
  const onlySilent =
    all.every((one) => one.silent !== undefined) && (!before || before.silent.length > 0);
  const spans = before?.spans ?? [];
  tell(known, {
    peer,
    spans: first ? [...spans, { fromMs: clock.now(), untilMs: null }] : spans,
    silent: onlySilent
      ? [...new Set([...(before?.silent ?? []), ...all.flatMap((one) => one.silent ?? [])])]
      : [],
    detail: sign.detail,
    ...(sign.fix === undefined ? {} : { fix: sign.fix }),
    missing: null,
    endedAfterMs: before?.endedAfterMs ?? null,
  });
}

function sayLost(peer: Peer, { silent = [], detail }: Sign): string {
  if (silent.length > 0) return `${peer.name}: no sample of ${silent.join(', ')}`;
  const why = detail === '' ? '' : ` (${detail})`;
  return `${peer.name} lost${why}${peer.kind === 'client' ? '; its load goes on' : ''}`;
}

function noteBack(known: Known, peerId: string, key: string): void {
  const open = known.signs.get(peerId);
  const outage = known.outages.get(peerId);
  if (!open?.delete(key) || open.size > 0 || !outage) return;
  const nowMs = known.clock.now();
  const spans = outage.spans.map((span) =>
    span.untilMs === null ? { ...span, untilMs: nowMs } : span,
  );
  const lastedMs = nowMs - (spans.at(-1)?.fromMs ?? nowMs);
  known.run.event(
    'recovered',
    `${outage.peer.name} is back after ${Math.round(lastedMs / 1_000)} s` +
      (outage.peer.kind === 'client' ? '; what was not read meanwhile is read now' : ''),
    { entityId: peerId },
  );
  tell(known, { ...outage, spans });
}

function settleGaps(known: Known, gaps: readonly Gap[]): void {
  const { run, outages, peerOf } = known;
  const { overview } = run.record();
  const restart = overview.findings.find((one) => one.id === restartId);
  const { byPeer, byOwn, rest } = gapsByCause(
    gaps,
    [...outages.values()],
    restart?.spans ? [{ findingId: restart.id, spans: restart.spans }] : [],
  );
  const away = overview.events.flatMap(({ kind, tMs, untilMs }) =>
    kind === 'clock' && untilMs !== undefined ? [{ fromMs: tMs, untilMs }] : [],
  );
  for (const outage of outages.values()) {
    const whole = { ...outage, missing: byPeer.get(outage.peer.id) ?? [] };
    if (isOwnAbsence(whole, away)) run.withdraw(outageId(outage.peer.id));
    else tell(known, whole, true);
  }
  if (restart?.spans) {
    const missing = byOwn.get(restart.id) ?? [];
    const said =
      missing.length === 0
        ? 'No sample is missing.'
        : `Not read meanwhile: ${sayMissing(missing)}.`;
    run.finding({
      ...restart,
      severity: missing.some((gap) => gap.vital) ? 'warn' : 'info',
      text: `${restart.text} ${said}`,
    });
  }
  const steadyStartMs = steadyPlanned(overview)?.startMs ?? known.clock.now();
  const nameOf = (id: string): string => peerOf(id).name;
  const unexplained = rest.filter((gap) => !isWhileBehind(overview.findings, gap));
  for (const finding of gapFindingsOf(unexplained, { steadyStartMs, nameOf })) run.finding(finding);
}

/** What an engine before told: what was away then counts until now. */
function* storedOutages(
  { findings }: RunRecord['overview'],
  peerOf: (id: string) => Peer,
  nowMs: number,
): Generator<[string, Outage]> {
  for (const finding of findings) {
    const id = outagePeerId(finding);
    if (id === null || !finding.spans) continue;
    yield [
      id,
      {
        peer: peerOf(id),
        spans: finding.spans.map((span) => ({ ...span, untilMs: span.untilMs ?? nowMs })),
        silent: finding.subjects ?? [],
        detail: '',
        ...(finding.fix === undefined ? {} : { fix: finding.fix }),
        missing: null,
        endedAfterMs: null,
      },
    ];
  }
}
