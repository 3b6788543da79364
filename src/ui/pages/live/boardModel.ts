import type { RunOverview } from '../../../core/run/run.ts';
import { saturatedSpans } from '../../../core/run/saturation.ts';
import type { ChartEvent, ChartPhase } from '../../charts/draw.ts';

/** Epoch that counts as 0:00. */
export const runOrigin = (
  overview: Pick<RunOverview, 'startedAtMs' | 'createdAtMs' | 'phases'>,
): number => overview.startedAtMs ?? overview.phases[0]?.startMs ?? overview.createdAtMs;

export const runPhases = (overview: RunOverview, originMs: number): ChartPhase[] =>
  overview.phases.map((p) => ({
    name: p.name,
    fromMs: p.startMs - originMs,
    toMs: (p.endMs ?? p.plannedEndMs) - originMs,
  }));

/** The plan's acts as flags: where each began. */
export const actFlags = (
  { acts = [] }: Pick<RunOverview, 'acts'>,
  originMs: number,
): ChartEvent[] =>
  acts.flatMap(({ id, startedMs, label }) =>
    startedMs === null
      ? []
      : [
          {
            id: `act ${id}`,
            atMs: startedMs - originMs,
            kind: 'act',
            text: label,
            flag: true as const,
          },
        ],
  );

/**
 * Marks of the lane, and what is shaded because it lasted; changes of state are left out, the bands
 * show them.
 */
export const runMarks = (
  overview: Pick<RunOverview, 'events' | 'findings' | 'acts'>,
  originMs: number,
): ChartEvent[] => [
  ...actFlags(overview, originMs),
  ...overview.events
    .filter((e) => e.kind !== 'state' && e.kind !== 'act')
    .map((e) => ({
      id: e.id,
      atMs: e.tMs - originMs,
      ...(e.untilMs === undefined ? {} : { untilMs: e.untilMs - originMs }),
      kind: e.kind,
      text: e.text,
      ...(e.by ? { by: e.by } : {}),
    })),
  ...behindMarks(overview, originMs),
];

/** When clients fell behind their load: nothing measured then is to be trusted. */
const behindMarks = ({ findings }: Pick<RunOverview, 'findings'>, originMs: number): ChartEvent[] =>
  saturatedSpans(findings).map(({ fromMs, untilMs, text }, i) => ({
    id: `behind ${i}`,
    atMs: fromMs - originMs,
    untilMs: untilMs - originMs,
    kind: 'behind',
    text,
  }));
