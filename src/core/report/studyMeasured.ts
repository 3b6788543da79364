import { formatComputed, noValue } from '../base/format.ts';
import { measureWords, type WorkloadNames } from '../metric/measureWords.ts';
import type { ChartChoice } from '../study/figurePlot.ts';
import { pointStateWords } from '../study/stateWords.ts';
import type { StudyOverview } from '../study/study.ts';
import { kneeText } from '../study/studyKnees.ts';
import { studyChart } from '../study/studyModel.ts';
import { curveLabel, namedValue, valueText } from '../study/studyWords.ts';
import type { ReportChart, ReportSection, Tone } from './model.ts';
import { table } from './tables.ts';
import { xyFigure } from './xyFigure.ts';

/** The course of one run that a figure is of; null = the figure is of points, or it was not run. */
export type CourseOf = (choice: ChartChoice) => ReportChart | null;

/**
 * The curves as they are drawn on the page, normalised where the author did; a figure over time as
 * the course of its run, with what was moved during it.
 */
export function curvesSection(
  overview: StudyOverview,
  drawn: readonly ChartChoice[],
  courseOf: CourseOf,
): ReportSection {
  const courses = drawn.flatMap((choice) => courseOf(choice) ?? []);
  const charts = drawn
    .filter((choice) => courseOf(choice) === null)
    .map((choice) => ({
      choice,
      chart: studyChart(overview, choice, choice.normalise),
    }));
  const reference = overview.spec.axes
    .map((a) => namedValue(a, overview.spec.reference?.[a.name] ?? a.values[0]))
    .join(', ');
  const word = overview.origin === 'simulated' ? 'modelled' : 'measured';
  const published =
    overview.published.length > 0
      ? ' Hollow points were published; their sources stand below.'
      : '';
  const normalised = drawn.some((c) => c.normalise)
    ? ` Normalised curves are 1.0 at ${reference}.`
    : '';
  return {
    title: 'Curves',
    tables: [],
    charts: courses,
    notes: [
      ...courses.flatMap(courseNotes),
      ...(charts.length === 0
        ? []
        : [
            `Filled points are ${word} here, each the measure of a run over its steady state, or ` +
              `the mean of its repeats with their least and greatest.${published}${normalised}`,
          ]),
      ...new Set(charts.flatMap(({ chart }) => chart.notes)),
    ],
    figures: charts.map(({ choice, chart: { unit, axis, input } }) =>
      xyFigure({ title: choice.title, unit, xLabel: axis.label, xUnit: axis.unit }, input),
    ),
  };
}

/** What the numbers in the picture of a course stand for. */
const courseNotes = ({ title, marks = [] }: ReportChart): string[] =>
  marks.length === 0
    ? [`${title}: the course of one run.`]
    : [`${title}: the course of one run. ${marks.map(({ text }) => text).join('. ')}.`];

/** The knees of the drawn measures, by every method. */
export function kneeSection(
  overview: StudyOverview,
  drawn: readonly ChartChoice[],
  workloads: WorkloadNames,
): ReportSection {
  const { unit } = overview.spec.axes[0]!;
  const title = (measure: string): string =>
    drawn.find((c) => c.measure === measure)?.title ?? measureWords(measure, workloads).label;
  const shown = overview.knees.filter((k) => drawn.some((c) => c.measure === k.measure));
  const rows = shown.flatMap((k) =>
    k.results.map((r) => [
      title(k.measure),
      k.series === '' ? '' : curveLabel(overview, k.series),
      r.method,
      r.low === null || r.high === null
        ? 'none'
        : r.low === r.high
          ? kneeText(r.low)
          : `${kneeText(r.low)} to ${kneeText(r.high)}`,
      r.estimate === null ? noValue : kneeText(r.estimate),
      r.note,
    ]),
  );
  const several = rows.some((row) => row[1] !== '');
  const columns = [
    'Measure',
    'Curve',
    'Method',
    `Interval${unit === '' ? '' : `, ${unit}`}`,
    'Estimate',
    'Note',
  ];
  return {
    title: 'Knee',
    notes: [],
    charts: [],
    tables: [
      table(
        'Knee',
        several ? columns : columns.filter((_, i) => i !== 1),
        rows.map((row, i) => {
          const named =
            i > 0 && rows[i - 1]![0] === row[0] && rows[i - 1]![1] === row[1]
              ? ['', '', ...row.slice(2)]
              : row;
          return several ? named : named.filter((_, n) => n !== 1);
        }),
        'No knee of these measures: the methods need three to six values of a number axis, ' +
          'and say none outside what was measured.',
        several ? [3, 4] : [2, 3],
      ),
    ],
  };
}

const pointTones: Readonly<Partial<Record<StudyOverview['points'][number]['state'], Tone>>> = {
  passed: 'good',
  qosFailed: 'bad',
  failed: 'bad',
};

/** Every point with its verdict and the drawn measures, not normalised. */
export function pointsSection(
  { spec, points }: StudyOverview,
  drawn: readonly ChartChoice[],
): ReportSection {
  const repeats = points.some((p) => p.repeat > 1);
  const measures = drawn.filter(
    (c, i) => drawn.findIndex((other) => other.measure === c.measure) === i,
  );
  const lead = [...spec.axes.map((a) => a.label), ...(repeats ? ['Repeat'] : []), 'Verdict'];
  const rows = points.map((p) => [
    ...spec.axes.map((a) => valueText(a, p.values[a.name])),
    ...(repeats ? [String(p.repeat)] : []),
    `${pointStateWords[p.state]}${p.detail === '' ? '' : `. ${p.detail}`}`,
    ...measures.map((c) => {
      const v = p.measures[c.measure];
      return v == null ? noValue : formatComputed(v, c.decimals);
    }),
    p.runId ?? noValue,
  ]);
  const columns = [
    ...lead,
    ...measures.map((c) => (c.unit === '' || c.normalise ? c.title : `${c.title}, ${c.unit}`)),
    'Run',
  ];
  return {
    title: 'Points',
    notes: [],
    charts: [],
    tables: [
      {
        ...table(
          'Points',
          columns,
          rows,
          'No points.',
          columns
            .map((_, i) => i)
            .filter((i) => i === 0 || (i >= lead.length && i < columns.length - 1)),
        ),
        tones: points.map((p) =>
          columns.map((_, i) => (i === lead.length - 1 ? (pointTones[p.state] ?? null) : null)),
        ),
        note:
          'As measured, not normalised: the mean of each series over the steady state of the ' +
          'run, folded as the measure says.',
      },
    ],
  };
}
