import { formatElapsed, noValue } from '../base/format.ts';
import { compareWords, type Comparison, formatCell, intervalText } from '../compare/index.ts';
import type { RunRecord } from '../run/run.ts';
import { runStateWord } from '../run/runWords.ts';
import { actsComparedSection } from './actsComparedSection.ts';
import { distributionSection, overlaySection } from './compareFigures.ts';
import { compareFront, compareNumbers } from './compareFront.ts';
import { matrixSection, metricsSection, testsSection } from './compareMetrics.ts';
import type { CompareReportInput } from './compareReportInput.ts';
import { baselineSection, setupSection } from './compareSetup.ts';
import { diagnosisSection } from './diagnosisSection.ts';
import { marksOf } from './marks.ts';
import type { Report, ReportSection } from './model.ts';
import { isoText, table } from './tables.ts';

/**
 * `A`, `B`, …: what a run is called in columns; its name stands in the first table and in every
 * legend.
 */
const runLetter = (index: number): string => String.fromCharCode(65 + index);

/**
 * A comparison of up to eight runs: everything its page shows, with the numbers of its own model.
 */
export function compareReport(input: CompareReportInput): Report {
  const { comparison, records, appVersion, madeAtMs } = input;
  const { runs, guards, sentence } = comparison;
  const first = records[0]!;
  const names = runs.map((run, i) => `${runLetter(i)} ${run.name}`);
  // Few runs have room for their names above a column.
  const heads = runs.length <= 3 ? names : runs.map((_, i) => runLetter(i));
  return {
    title:
      runs.length === 2
        ? `${runs[1]!.name} against ${runs[0]!.name}`
        : `${runs.length} runs, baseline ${runs[0]!.name}`,
    banner: { title: 'These runs must not be compared', reasons: guards },
    marks: marksOf(records.map((r) => r.overview)),
    sentence,
    landscape: runs.length > 4,
    facts: [
      [
        'Compared',
        `${runs.length} runs over their steady states; ${runs[0]!.name} is the baseline`,
      ],
      ...(comparison.scoredAgainst === undefined
        ? []
        : [['Scored against', comparison.scoredAgainst.name] as [string, string]]),
      [
        'Result',
        [...new Set(records.map((r) => r.overview.score?.resultName ?? r.profile.resultName))].join(
          '; ',
        ),
      ],
      [
        'Profile',
        [...new Set(records.map((r) => `${r.profile.name} ${r.profile.version}`))].join('; '),
      ],
      ['Testbed', [...new Set(records.map((r) => r.testbed.name))].join('; ')],
      [
        'Phases',
        [
          ...new Set(
            records.map(
              ({ plan: { phases: p } }) =>
                `${formatElapsed(p.rampUpS * 1_000)} up, ${formatElapsed(p.steadyS * 1_000)} ` +
                `steady in ${p.periods} ${p.periods === 1 ? 'period' : 'periods'}, ` +
                `${formatElapsed(p.rampDownS * 1_000)} down`,
            ),
          ),
        ].join('; '),
      ],
      ['Made', isoText(madeAtMs)],
    ],
    numbers: compareNumbers(comparison),
    sections: [
      ...compareFront(input, names),
      runsSection(comparison, records),
      setupSection(comparison, heads),
      metricsSection(comparison, heads),
      ...(guards.length > 0 || comparison.sides.length < 2 ? [] : [testsSection(comparison)]),
      matrixSection(comparison, names),
      ...actsComparedSection(
        records,
        runs.map((run) => run.name),
        heads,
      ),
      ...(input.diagnosis === null
        ? []
        : [
            diagnosisSection(
              input.diagnosis,
              'Why',
              `${runs[0]!.name} is taken as the run that is well.`,
            ),
          ]),
      distributionSection(input, names),
      overlaySection(input, names),
      baselineSection(first),
      traceSection(comparison, records),
    ],
    footer:
      `Tilebench ${appVersion}, comparison of ${runs.map((r) => r.id).join(', ')}. Times are ` +
      'elapsed in the run where they have no date; dates are UTC.',
  };
}

function runsSection(
  { runs, rows, sides, guards }: Comparison,
  records: readonly RunRecord[],
): ReportSection {
  const told =
    guards.length > 0 || sides.length > 2
      ? []
      : sides.slice(1).flatMap((side, i) => {
          const test = rows[0]?.tests[i + 1];
          const text = test ? intervalText(test) : '';
          return text === ''
            ? []
            : [`${side.name}: ${compareWords[test!.word]}, ${text}; ${test!.basis}.`];
        });
  const cells = runs.map((run, i) => {
    const { overview, planHash } = records[i]!;
    return [
      runLetter(i),
      `${run.name}${i === 0 ? ' (baseline)' : ''}`,
      overview.startedAtMs === null ? noValue : isoText(overview.startedAtMs),
      run.durationS === null ? noValue : formatElapsed(run.durationS * 1_000),
      String(run.tiles),
      formatCell(run.score, 3),
      runStateWord(run.state, run.compliant),
      planHash.slice(0, 8),
    ];
  });
  return {
    title: 'Runs',
    notes: told,
    charts: [],
    tables: [
      table(
        'Runs',
        ['', 'Name', 'Started', 'Length', 'Tiles', 'Score', 'Outcome', 'Plan'],
        cells,
        '',
        [3, 4, 5],
      ),
    ],
  };
}

function traceSection({ runs }: Comparison, records: readonly RunRecord[]): ReportSection {
  const [base, ...others] = runs.map((r) => r.id);
  return {
    title: 'Where the figures come from',
    charts: [],
    notes: [
      'Every figure is computed from the stored samples of the runs named here; none is ' +
        'typed in. The same model as JSON, with all digits:',
      `tilebench runs compare ${[base, ...others].join(' ')} --json`,
      'Samples of a run: tilebench runs export ID --format csv.',
    ],
    tables: [
      table(
        'Runs and versions',
        ['', 'Run', 'Samples', 'Made with', 'Plan hash'],
        runs.map((r, i) => {
          const { appVersion, imported, planHash } = records[i]!;
          const from = imported === undefined ? '' : `, imported from ${imported.fileName}`;
          return [
            runLetter(i),
            r.id,
            formatCell(r.sampleCount, 0),
            `Tilebench ${appVersion}${from}`,
            planHash.slice(0, 16),
          ];
        }),
        '',
        [2],
      ),
    ],
  };
}
