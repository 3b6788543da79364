import { recoveryRuleText } from '../acts/effect.ts';
import { noValue, quantityText } from '../base/format.ts';
import { actFigures, actInRun, actStateWords, actSummaries } from '../run/actSummary.ts';
import type { RunRecord } from '../run/run.ts';
import type { ReportSection } from './model.ts';
import { table } from './tables.ts';

/** What the plan's acts did; nothing where it has none. */
export function actsSection({ overview, profile }: RunRecord): ReportSection[] {
  const { acts = [] } = overview;
  if (acts.length === 0) return [];
  const quantity = (value: number | null, unit: string): string =>
    value === null ? noValue : quantityText(value, unit);
  return [
    {
      title: 'Acts',
      notes: [recoveryRuleText(acts.find((one) => one.rule)?.rule)],
      charts: [],
      tables: acts.map((act) =>
        table(
          `${actInRun(act, overview.startedAtMs)}: ${actStateWords[act.state]}. ${act.text}`.trim(),
          ['Workload', ...actFigures.map((one) => one.title), 'Before', 'At the end'],
          actSummaries(act, overview.workloads).map((row) => {
            const workload = profile.workloads.find((w) => w.id === row.workloadId);
            const unit = workload?.unit ?? '';
            return [
              workload?.name ?? row.workloadId,
              ...actFigures.map(({ say }) => say(row, unit)),
              quantity(row.throughputBefore, unit),
              quantity(row.throughputAfter, unit),
            ];
          }),
          'It did not begin: there is nothing to measure.',
        ),
      ),
    },
  ];
}
