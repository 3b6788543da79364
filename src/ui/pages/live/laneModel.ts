import { formatElapsed } from '../../../core/base/format.ts';
import type { RunEvent, RunOverview } from '../../../core/run/run.ts';
import { phaseWords } from '../../../core/run/runWords.ts';
import { saturatedSpans } from '../../../core/run/saturation.ts';

export type MarkShape = 'circle' | 'diamond' | 'triangle' | 'square' | 'flag' | 'cross' | 'tick';
export interface LaneMark {
  id: number;
  atMs: number;
  shape: MarkShape;
  what: string;
  text: string;
  bad: boolean;
}
export interface LaneSpan {
  fromMs: number;
  toMs: number;
  label: string;
  /** Has not ended. */ open: boolean;
  /** Lies upon phases and periods of the same lane: drawn across them, without words. */
  upon?: true;
}
export interface Lane {
  id: string;
  title: string;
  spans: readonly LaneSpan[];
  marks: readonly LaneMark[];
}

interface MarkKind {
  lane: string;
  shape: MarkShape;
  what: string;
  bad?: boolean;
}
/** Lane, shape and word of an event: its kind, and for what moved a VM by whom. */
export function markKind(event: Pick<RunEvent, 'kind' | 'by' | 'operation'>): MarkKind | null {
  switch (event.kind) {
    case 'state':
      return null;
    case 'tileStarted':
      return { lane: 'tiles', shape: 'tick', what: 'Tile started' };
    case 'operation':
      return event.operation?.ok === false
        ? { lane: 'operations', shape: 'cross', what: 'Operation failed', bad: true }
        : { lane: 'operations', shape: 'circle', what: 'Operation of this run' };
    case 'drs':
      return { lane: 'moves', shape: 'diamond', what: 'DRS or HA' };
    case 'vm':
      return event.by === 'run'
        ? { lane: 'operations', shape: 'circle', what: 'Operation of this run' }
        : event.by === 'drs'
          ? { lane: 'moves', shape: 'diamond', what: 'DRS or HA' }
          : event.by === 'teaming'
            ? { lane: 'moves', shape: 'square', what: 'Teaming of uplinks' }
            : { lane: 'moves', shape: 'triangle', what: 'Somebody else' };
    case 'vcenter':
      return { lane: 'moves', shape: 'square', what: 'vCenter' };
    case 'note':
      return { lane: 'notes', shape: 'flag', what: 'Note' };
    case 'fault':
      return { lane: 'faults', shape: 'cross', what: 'Fault', bad: true };
    case 'recovered':
      return { lane: 'faults', shape: 'circle', what: 'Recovered' };
    case 'clock':
      return { lane: 'clock', shape: 'triangle', what: 'Slept, stood still or clock stepped' };
    case 'act':
      return { lane: 'acts', shape: 'flag', what: 'Act of the plan' };
    case 'abort':
      return { lane: 'faults', shape: 'square', what: 'Abort', bad: true };
  }
}

const laneTitles: readonly (readonly [id: string, title: string])[] = [
  ['tiles', 'Tiles'],
  ['acts', 'Acts'],
  ['operations', 'Operations'],
  ['moves', 'DRS and other moves'],
  ['notes', 'Notes'],
  ['faults', 'Faults'],
  ['clients', 'Clients'],
  ['clock', 'This computer'],
];

/**
 * What happened, a lane a kind: phases and periods as spans, the rest as marks in time order. Times
 * are relative to `originMs`; a lane of marks only where there is one.
 */
export function boardLanes(
  overview: Pick<RunOverview, 'phases' | 'periods' | 'events' | 'findings'>,
  originMs: number,
): Lane[] {
  const marks = overview.events
    .flatMap((event) => {
      const kind = markKind(event);
      return kind === null
        ? []
        : [
            {
              lane: kind.lane,
              mark: {
                id: event.id,
                atMs: event.tMs - originMs,
                shape: kind.shape,
                what: kind.what,
                text: event.text,
                bad: kind.bad === true,
              },
            },
          ];
    })
    .sort((a, b) => a.mark.atMs - b.mark.atMs || a.mark.id - b.mark.id);
  return [
    {
      id: 'phases',
      title: 'Phases',
      marks: [],
      spans: overview.phases.map((p) => ({
        fromMs: p.startMs - originMs,
        toMs: (p.endMs ?? p.plannedEndMs) - originMs,
        label: phaseWords[p.name],
        open: p.endMs === null,
      })),
    },
    {
      id: 'periods',
      title: 'Periods',
      marks: [],
      spans: overview.periods.map((p) => ({
        fromMs: p.startMs - originMs,
        toMs: p.endMs - originMs,
        label: `Period ${p.index + 1}`,
        open: false,
      })),
    },
    ...laneTitles
      .map(([id, title]) => ({
        id,
        title,
        spans:
          id === 'clock'
            ? awaySpans(overview.events, originMs)
            : id === 'clients'
              ? behindSpans(overview.findings, originMs)
              : [],
        marks: marks.filter((m) => m.lane === id).map((m) => m.mark),
      }))
      .filter((lane) => lane.marks.length > 0 || lane.spans.length > 0),
  ];
}

/**
 * Everything that happened on one lane: periods, the phases around them, and every mark. Marks of
 * tiles that start are left out: a ramp-up is full of them.
 */
export function oneLane(lanes: readonly Lane[]): Lane {
  const spansOf = (id: string): readonly LaneSpan[] => lanes.find((l) => l.id === id)?.spans ?? [];
  const periods = spansOf('periods');
  const phases = spansOf('phases').filter(
    ({ label }) => periods.length === 0 || label !== phaseWords.steady,
  );
  return {
    id: 'all',
    title: 'What happened',
    // What lies upon others comes after them: it is drawn over them.
    spans: [
      ...[...phases, ...periods].sort((a, b) => a.fromMs - b.fromMs),
      ...[...spansOf('clients'), ...spansOf('clock')].map((span) => ({
        ...span,
        upon: true as const,
      })),
    ],
    marks: lanes
      .filter(({ id }) => id !== 'tiles')
      .flatMap(({ marks }) => marks)
      .sort((a, b) => a.atMs - b.atMs || a.id - b.id),
  };
}

/**
 * Whether the words of a span fit into its share of the lane (percent), on the narrowest window: a
 * part of a letter says nothing.
 */
export const labelFits = (label: string, sharePct: number): boolean =>
  sharePct >= label.length * 0.85;

/** When this computer slept or stood still. */
const awaySpans = (events: RunOverview['events'], originMs: number): LaneSpan[] =>
  events.flatMap(({ kind, tMs, untilMs }) =>
    kind === 'clock' && untilMs !== undefined
      ? [{ fromMs: tMs - originMs, toMs: untilMs - originMs, label: 'Away', open: false }]
      : [],
  );

/** When clients could not offer their load in time. */
const behindSpans = (findings: RunOverview['findings'], originMs: number): LaneSpan[] =>
  saturatedSpans(findings).map(({ fromMs, untilMs }) => ({
    fromMs: fromMs - originMs,
    toMs: untilMs - originMs,
    label: 'Client behind',
    open: false,
  }));

/**
 * Marks that would lie on each other are drawn as one with their number. `reachMs`: time under a
 * mark's width.
 */
export function bunches(marks: readonly LaneMark[], reachMs: number): LaneMark[][] {
  const made: LaneMark[][] = [];
  for (const mark of marks) {
    const last = made.at(-1);
    if (last !== undefined && mark.atMs - last[0]!.atMs < reachMs) last.push(mark);
    else made.push([mark]);
  }
  return made;
}

/** The lanes in a sentence. */
export function lanesSummary(lanes: readonly Lane[]): string {
  const spans = lanes.flatMap((lane) =>
    lane.spans.map(
      (s) =>
        `${s.label} ${formatElapsed(s.fromMs)} to ${formatElapsed(s.toMs)}${s.open ? ' as planned' : ''}`,
    ),
  );
  const marks = lanes
    .filter((lane) => lane.id !== 'phases' && lane.id !== 'periods')
    .map((lane) => `${lane.title}: ${lane.marks.length === 0 ? 'none' : lane.marks.length}`);
  return `${[...spans, ...marks].join('. ')}.`;
}
