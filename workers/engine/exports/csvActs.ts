import type { ActEffect, ActState } from '../../../src/core/acts/act.ts';
import { workUnit } from '../../../src/core/run/actSummary.ts';
import type { RunRecord } from '../../../src/core/run/run.ts';
import { steadyPlanned } from '../../../src/core/run/windows.ts';
import { badCursor } from './badCursor.ts';
import { csvText } from './csv.ts';
import type { PageWriter } from './types.ts';

/** Columns of an act, then of what it did to one workload of one tile. */
const columns: readonly [
  string,
  (of: { record: RunRecord; act: ActState; effect: ActEffect | null }) => string | number | null,
][] = [
  ['act', ({ act }) => act.label],
  ['kind', ({ act }) => act.kind],
  ['state', ({ act }) => act.state],
  ['by', ({ act }) => act.by],
  ['planned_steady_s', ({ record, act }) => steadyS(record, act.plannedMs)],
  ['began_steady_s', ({ record, act }) => steadyS(record, act.startedMs)],
  ['done_steady_s', ({ record, act }) => steadyS(record, act.doneMs)],
  ['put_back_steady_s', ({ record, act }) => steadyS(record, act.endedMs)],
  ['tile', (of) => workloadOf(of)?.tile ?? null],
  ['workload', (of) => workloadOf(of)?.workloadId ?? null],
  ['outcome', ({ effect }) => effect?.outcome ?? null],
  ['recovery_s', ({ effect }) => effect?.recoveryS ?? null],
  ['work_lost', ({ effect }) => effect?.workLost ?? null],
  ['work_unit', (of) => (unitOf(of) === '' ? null : workUnit(unitOf(of)))],
  ['qos_broken_s', ({ effect }) => effect?.violatedS ?? null],
  ['not_measured_s', ({ effect }) => effect?.missingS ?? null],
  ['throughput_before', ({ effect }) => effect?.throughputBefore ?? null],
  ['throughput_at_end', ({ effect }) => effect?.throughputAfter ?? null],
  ['throughput_unit', (of) => unitOf(of) || null],
  ['latency_before_ms', ({ effect }) => effect?.latencyBeforeMs ?? null],
  ['latency_at_end_ms', ({ effect }) => effect?.latencyAfterMs ?? null],
  ['origin', ({ record }) => record.overview.origin],
];

type Of = Parameters<(typeof columns)[number][1]>[0];

const steadyS = ({ overview }: RunRecord, tMs: number | null): number | null => {
  const steady = steadyPlanned(overview);
  return tMs === null || !steady ? null : (tMs - steady.startMs) / 1_000;
};
const workloadOf = ({ record, effect }: Of) =>
  record.overview.workloads.find((one) => one.entityId === effect?.entityId);
const unitOf = (of: Of): string =>
  of.record.profile.workloads.find((one) => one.id === workloadOf(of)?.workloadId)?.unit ?? '';

/** What the acts of a run did: a row for each workload of each tile; one where none was measured. */
export function csvOfActs(record: RunRecord): string {
  const cell = (value: string | number | null): string =>
    value === null ? '' : typeof value === 'number' ? String(value) : csvText(value);
  const rows = (record.overview.acts ?? []).flatMap((act) =>
    (act.effects?.length ? act.effects : [null]).map((effect) =>
      columns.map(([, value]) => cell(value({ record, act, effect }))),
    ),
  );
  return [columns.map(([name]) => name), ...rows].map((row) => `${row.join(',')}\r\n`).join('');
}

/** One page: a plan has few acts. */
export const actPages = (): PageWriter => (_id, record, cursor) => {
  if (cursor !== null) throw badCursor(cursor);
  const total = Math.max(1, record.overview.acts?.length ?? 0);
  return { bytes: Buffer.from(csvOfActs(record)), cursor: null, done: total, total };
};
