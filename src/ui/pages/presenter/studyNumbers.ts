import type { WorkloadStatus } from '../../../core/run/run.ts';
import { referenceOf } from '../../../core/study/figurePlot.ts';
import type { StudyOverview, StudyPoint } from '../../../core/study/study.ts';
import { valueText } from '../../../core/study/studyWords.ts';
import {
  type BigNumber,
  bigNumber,
  type NumbersRecord,
  transactionsAMinute,
  usersOf,
} from './numbers.ts';

const over: ReadonlySet<StudyPoint['state']> = new Set(['passed', 'qosFailed', 'failed']);
/** Points that have a result, in the order of the study. */
export const donePoints = (overview: StudyOverview): StudyPoint[] =>
  overview.points.filter((p) => over.has(p.state));

/**
 * The point whose numbers are shown: the one done last in the order of the study, of one curve
 * where that is asked for and has any; null before the first.
 */
export function newestPoint(overview: StudyOverview, curve?: string): StudyPoint | null {
  const done = donePoints(overview);
  const second = overview.spec.axes[1];
  const own =
    curve === undefined || second === undefined
      ? []
      : done.filter((p) => String(p.values[second.name]) === curve);
  return own.at(-1) ?? done.at(-1) ?? null;
}

/**
 * What a study gives of the big numbers at one of its points; what it cannot give is not in the
 * list.
 * - tiles: the point's value by the name the study gives it, where it sweeps tiles; else the tiles
 *   of the run's plan. Where a tile is a single VM, once.
 * - VMs and users: of the point's run, as for a run (`record` null: not known yet, not shown).
 * - transactions a minute: sum of `throughput.<workload>.sum` of workloads whose unit counts
 *   transactions, over the steady state.
 * - watts a VM: the measure of that name.
 * - scaling, by the name of its curve where there are several: mean score of the points with the
 *   same values over the score of the study's reference point; missing before that has run.
 */
export function studyNumbers(
  overview: StudyOverview,
  point: StudyPoint,
  record: NumbersRecord | null,
  workloads: readonly Pick<WorkloadStatus, 'tile' | 'workloadId' | 'vmName'>[],
): BigNumber[] {
  const { axes } = overview.spec;
  const swept = axes.find((a) => a.parameter.kind === 'tiles');
  const numbers: BigNumber[] = [];
  const value = swept === undefined ? record?.plan.tiles : point.values[swept.name];
  const vms = new Set(workloads.flatMap((w) => (w.vmName === null ? [] : [w.vmName]))).size;
  if (typeof value === 'number' && (swept !== undefined || vms !== value))
    numbers.push({
      ...bigNumber('tiles', value),
      ...(swept === undefined ? {} : { label: swept.label }),
    });
  if (vms > 0 && (swept === undefined || vms !== value)) numbers.push(bigNumber('vms', vms));
  if (record !== null) {
    const users = usersOf(record, workloads);
    if (users !== null) numbers.push(bigNumber('users', users));
    const rates = record.profile.workloads.flatMap((w) => {
      const factor = transactionsAMinute(w.unit);
      const sum = point.measures[`throughput.${w.id}.sum`];
      return factor === null || sum === undefined ? [] : [sum === null ? null : sum * factor];
    });
    if (rates.length > 0)
      numbers.push(
        bigNumber(
          'transactions',
          rates.every((r): r is number => r !== null) ? rates.reduce((sum, r) => sum + r, 0) : null,
        ),
      );
  }
  const watts = point.measures['wattsPerVm'];
  if (watts !== undefined && watts !== null) numbers.push(bigNumber('wattsPerVm', watts));
  const scores = overview.points
    .filter(
      (p) =>
        over.has(p.state) &&
        axes.every((a) => String(p.values[a.name]) === String(point.values[a.name])),
    )
    .flatMap((p) => {
      const s = p.measures['score'];
      return s == null ? [] : [s];
    });
  if (scores.length > 0) {
    const reference = referenceOf(overview, 'score');
    const number = bigNumber(
      'scaling',
      reference === null || reference === 0
        ? null
        : scores.reduce((a, b) => a + b, 0) / scores.length / reference,
    );
    const second = axes[1];
    numbers.push(
      second === undefined
        ? number
        : { ...number, label: `${number.label}, ${valueText(second, point.values[second.name])}` },
    );
  }
  return numbers;
}
