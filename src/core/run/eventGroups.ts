import { counted } from '../base/counted.ts';
import type { RunEvent, RunFinding, RunOverview } from './run.ts';
import { otherFindings, saturationFindings } from './saturation.ts';

/** One thing that happened in a run, with all that came of it. */
export interface EventGroup {
  key: string;
  tone: 'bad' | 'warn' | 'note' | 'info';
  atMs: number;
  /** It lasted till then; null = a moment, or it never ended. */
  untilMs: number | null;
  text: string;
  fix?: string | undefined;
}

/** Faults of one client that follow each other within this are one. */
const oneFaultMs = 120_000;
const tones = { block: 'bad', warn: 'warn', info: 'info' } as const;
const rank: Readonly<Record<EventGroup['tone'], number>> = { bad: 0, warn: 1, note: 2, info: 3 };

/**
 * What happened in a run, one cause one line, what weighs most first and then by time: workloads
 * that one client lost together, moves and operations as counts, findings with what they are about.
 * Phases and starts of tiles are left out: the chart shows them.
 */
export function eventGroups(
  overview: Pick<RunOverview, 'events' | 'findings' | 'workloads'>,
): EventGroup[] {
  const faults = faultGroups(overview);
  const others = otherFindings(overview.findings);
  const told = new Set(faults.flatMap(({ about }) => about));
  // `link.client-2`, `silent.t1.web`: a finding of the very thing a fault is about.
  const findingOf = (about: readonly string[]): RunFinding | undefined =>
    others.find((f) => about.some((id) => f.id.endsWith(`.${id}`)));
  const rest = [
    ...others.filter((f) => ![...told].some((id) => f.id.endsWith(`.${id}`))),
    // That a client was lost does not tell that it fell behind while it was there.
    ...saturationFindings(overview.findings),
  ];
  const groups = [
    ...faults.map(({ about, count, ...group }): EventGroup => {
      const finding = findingOf(about);
      const text = finding?.text ?? group.text;
      return {
        ...group,
        tone: finding?.severity === 'block' ? 'bad' : 'warn',
        text: count === 1 ? text : `${text} ${counted(count, 'workload')} hit.`,
        ...(finding?.fix === undefined ? {} : { fix: finding.fix }),
      };
    }),
    ...rest.map((finding): EventGroup => ({
      key: `${finding.id}@${finding.tMs}`,
      tone: tones[finding.severity],
      ...lasting(finding, overview.events),
      text: finding.text,
      ...(finding.fix === undefined ? {} : { fix: finding.fix }),
    })),
    ...plainGroups(
      overview.events.filter((e) => !rest.some((finding) => isStandingFor(finding, e))),
      new Set(rest.map((f) => f.text)),
    ),
  ];
  return groups.sort((a, b) => rank[a.tone] - rank[b.tone] || a.atMs - b.atMs);
}

/** Every sleep, stand-still and step of this computer's clock is told in one finding of its kind. */
const isStandingFor = ({ id }: RunFinding, { kind, untilMs }: RunEvent): boolean =>
  kind === 'clock' && id === (untilMs === undefined ? 'clock.step' : 'clock.away');

/** From the first to the last of the events a finding stands for; without one, when it was found. */
function lasting(
  finding: RunFinding,
  events: readonly RunEvent[],
): Pick<EventGroup, 'atMs' | 'untilMs'> {
  const [behind] = saturationFindings([finding]);
  if (behind?.spans) {
    const untilMs = behind.spans.at(-1)?.untilMs ?? null;
    return { atMs: behind.tMs, untilMs };
  }
  const own = events.filter((event) => isStandingFor(finding, event));
  if (own.length === 0) return { atMs: finding.tMs, untilMs: null };
  const atMs = Math.min(...own.map(({ tMs }) => tMs));
  const untilMs = Math.max(...own.map((event) => event.untilMs ?? event.tMs));
  return { atMs, untilMs: untilMs > atMs ? untilMs : null };
}

interface FaultGroup extends EventGroup {
  /** Client and entities it hit. */
  about: string[];
  count: number;
}

function faultGroups({
  events,
  workloads,
}: Pick<RunOverview, 'events' | 'workloads'>): FaultGroup[] {
  const clientOf = new Map(workloads.map((w) => [w.entityId, w.clientId]));
  const open: (FaultGroup & { client: string; lastMs: number; lost: Set<string> })[] = [];
  for (const { kind, entityId, tMs, text, id } of [...events].sort((a, b) => a.tMs - b.tMs)) {
    if (entityId === undefined || (kind !== 'fault' && kind !== 'recovered')) continue;
    const client = clientOf.get(entityId) ?? entityId;
    const last = open.findLast((group) => group.client === client);
    if (kind === 'recovered') {
      if (last === undefined) continue;
      last.lost.delete(entityId);
      last.lastMs = tMs;
      if (last.lost.size === 0) last.untilMs = tMs;
      continue;
    }
    if (last !== undefined && (last.lost.size > 0 || tMs - last.lastMs < oneFaultMs)) {
      last.lastMs = tMs;
      last.untilMs = null;
      last.lost.add(entityId);
      if (!last.about.includes(entityId)) {
        last.about.push(entityId);
        last.count += 1;
      }
      continue;
    }
    open.push({
      key: `fault ${id}`,
      tone: 'warn',
      atMs: tMs,
      untilMs: null,
      text,
      about: [client, entityId],
      count: 1,
      client,
      lastMs: tMs,
      lost: new Set([entityId]),
    });
  }
  return open.map(({ client: _client, lastMs: _lastMs, lost: _lost, ...group }) => group);
}

const manyWords: Readonly<Partial<Record<RunEvent['kind'], (events: RunEvent[]) => string>>> = {
  drs: (events) => counted(events.length, 'DRS event'),
  vcenter: (events) => counted(events.length, 'vCenter event'),
  vm: (events) => counted(events.length, 'VM event'),
  operation: (events) => {
    const failed = events.filter((e) => e.operation?.ok === false).length;
    return `${counted(events.length, 'operation')}${failed === 0 ? '' : `, ${failed} failed`}`;
  },
};

/** Notes and other moments each by itself, events that come in numbers as their count. */
function plainGroups(events: readonly RunEvent[], told: ReadonlySet<string>): EventGroup[] {
  const plain = events.filter(
    (e) =>
      e.kind !== 'state' &&
      e.kind !== 'tileStarted' &&
      !(e.entityId !== undefined && (e.kind === 'fault' || e.kind === 'recovered')) &&
      !told.has(e.text),
  );
  const single = (e: RunEvent): EventGroup => ({
    key: `event ${e.id}`,
    tone:
      e.kind === 'abort'
        ? 'bad'
        : e.kind === 'fault'
          ? 'warn'
          : e.kind === 'note' || e.kind === 'act'
            ? 'note'
            : 'info',
    atMs: e.tMs,
    untilMs: e.untilMs ?? null,
    text: e.text,
  });
  const kinds = [...new Set(plain.map((e) => e.kind))];
  return kinds.flatMap((kind) => {
    const own = plain.filter((e) => e.kind === kind);
    const many = manyWords[kind];
    if (many === undefined || own.length === 1) return own.map(single);
    const atMs = Math.min(...own.map((e) => e.tMs));
    const untilMs = Math.max(...own.map((e) => e.tMs));
    return [{ key: kind, tone: 'info' as const, atMs, untilMs, text: many(own) }];
  });
}
