import { recoveryRuleText } from '../acts/effect.ts';
import { noValue } from '../base/format.ts';
import { compareActs, type ComparedAct } from '../run/actsCompared.ts';
import { actFigures, actStateWords } from '../run/actSummary.ts';
import type { RunRecord } from '../run/run.ts';
import type { ReportSection, ReportTable } from './model.ts';
import { table } from './tables.ts';

/** What the same acts cost each run, side by side; nothing where no run has acts. */
export function actsComparedSection(
  records: readonly RunRecord[],
  names: readonly string[],
  heads: readonly string[],
): ReportSection[] {
  const acts = compareActs(records, names);
  if (acts.length === 0) return [];
  const nameOf = (id: string): { name: string; unit: string } => {
    const found = records
      .flatMap((one) => one.profile.workloads)
      .find((workload) => workload.id === id);
    return { name: found?.name ?? id, unit: found?.unit ?? '' };
  };
  const tableOf = (act: ComparedAct): ReportTable =>
    table(
      act.guards.length === 0 ? act.label : `${act.label}: not comparable. ${act.guards.join(' ')}`,
      ['Workload', 'Figure', ...heads],
      act.rows.flatMap(({ workloadId, cells }) => {
        const { name, unit } = nameOf(workloadId);
        return actFigures.map(({ title, say }, i) => [
          i === 0 ? name : '',
          title,
          ...cells.map((cell) => (cell === null ? noValue : say(cell, unit))),
        ]);
      }),
      `Nothing was measured of it: ${act.states
        .map((state, i) => `${heads[i]} ${state === null ? 'has none' : inWord(state.state)}`)
        .join(', ')}.`,
    );
  return [
    {
      title: 'Acts',
      notes: [recoveryRuleText(records.flatMap((one) => one.overview.acts ?? [])[0]?.rule)],
      charts: [],
      tables: acts.map(tableOf),
    },
  ];
}

const inWord = (state: keyof typeof actStateWords): string => actStateWords[state].toLowerCase();
