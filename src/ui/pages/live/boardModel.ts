import type { RunOverview } from '../../../core/run/run.ts';
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

/** Marks of the lane; changes of state are left out, the bands show them. */
export const runMarks = (overview: Pick<RunOverview, 'events'>, originMs: number): ChartEvent[] =>
  overview.events
    .filter((e) => e.kind !== 'state')
    .map((e) => ({
      id: e.id,
      atMs: e.tMs - originMs,
      ...(e.untilMs === undefined ? {} : { untilMs: e.untilMs - originMs }),
      kind: e.kind,
      text: e.text,
      ...(e.by ? { by: e.by } : {}),
    }));
