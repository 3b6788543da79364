import { formatExact, noValue } from '../base/format.ts';
import { tickText } from '../chart/xyModel.ts';
import { formatCell } from '../compare/compareText.ts';
import type { StudyDiagnosis } from '../diagnosis/diagnosis.ts';
import type { WorkloadNames } from '../metric/measureWords.ts';
import { measureWords } from '../metric/measureWords.ts';
import { basisInOrder, basisWords, servesWords } from '../study/basisWords.ts';
import type { ExpectationLine, StudyBasis, StudyOverview } from '../study/study.ts';
import { kneeText } from '../study/studyKnees.ts';
import { type ChartChoice, chartChoices, studyChart } from '../study/studyModel.ts';
import { curveLabel, namedValue, valueText } from '../study/studyWords.ts';
import { orderWords, pointStateWords, stopWords } from '../study/studyWords.ts';
import { diagnosisSection } from './diagnosisSection.ts';
import type { Report, ReportSection, Tone } from './model.ts';
import { isoText, table } from './tables.ts';
import { xyFigure } from './xyFigure.ts';

/** What makes a study again: its file as text, and the versions it was made with. */
export interface StudyOrigin {
  fileText: string;
  /** `tilebench study run …`. */ command: string;
  facts: readonly (readonly [string, string])[];
}
export interface StudyReportInput {
  overview: StudyOverview;
  workloads: WorkloadNames;
  planName: string;
  profileName: string;
  testbedNames: readonly string[];
  diagnosis: StudyDiagnosis;
  origin: StudyOrigin;
  appVersion: string;
  madeAtMs: number;
}

/** Measures that are drawn, where the author named none. */
const drawnAtMost = 6;
export const studyMarks = (origins: readonly StudyOverview['origin'][]): Report['marks'] =>
  origins.includes('simulated')
    ? [
        {
          word: 'SIMULATED',
          reason:
            `${origins.every((o) => o === 'simulated') ? 'Every number' : 'A part of the numbers'} ` +
            'comes from the model of the simulated lab, none of it from real machines.',
        },
      ]
    : [];

/**
 * A study: its curves with published figures beside them, knees, every point with its verdict,
 * diagnosis, and how to make it again.
 */
export function studyReport(input: StudyReportInput): Report {
  const { overview, workloads, appVersion, madeAtMs } = input;
  const { spec } = overview;
  const choices = chartChoices(overview, workloads);
  const own = choices.filter((c) => c.group === 'As its author charted it');
  const drawn = (own.length > 0 ? own : choices).slice(0, drawnAtMost);
  return {
    title: `Study ${spec.name}`,
    marks: studyMarks([overview.origin]),
    sentence: studySentence(overview),
    landscape: drawn.length + spec.axes.length > 8,
    facts: [
      [
        'Swept',
        spec.axes
          .map((axis) => `${axis.label}: ${axis.values.map((v) => valueText(axis, v)).join(', ')}`)
          .join('; '),
      ],
      [
        'Order',
        `${orderWords[spec.order]}, ${spec.repeats} ${spec.repeats === 1 ? 'run' : 'runs'} a ` +
          `point; stops: ${stopWords[spec.stopRule].toLowerCase()}`,
      ],
      ['Plan', input.planName],
      ['Profile', input.profileName],
      ['Testbed', input.testbedNames.join('; ') || noValue],
      [
        'Run',
        overview.startedAtMs === null
          ? 'not started'
          : `${isoText(overview.startedAtMs)}${overview.endedAtMs === null ? `, ${overview.state}` : ` to ${isoText(overview.endedAtMs)}`}`,
      ],
      ['Made', isoText(madeAtMs)],
    ],
    sections: [
      curvesSection(overview, drawn),
      kneeSection(overview, drawn, workloads),
      pointsSection(overview, drawn),
      ...(overview.expectations.length === 0
        ? []
        : [publishedSection(overview.expectations, overview.origin)]),
      ...(overview.published.length === 0 ? [] : [sourcesSection(overview, workloads)]),
      ...(overview.basis === undefined || overview.basis.length === 0
        ? []
        : [basisSection(overview.basis)]),
      studyDiagnosisSection(input.diagnosis, 'Why it stops scaling'),
      ...(spec.notes === ''
        ? []
        : [{ title: 'Notes', notes: spec.notes.split(/\n+/), tables: [], charts: [] }]),
      originSection(input.origin, 'How to make it again'),
    ],
    footer:
      `Tilebench ${appVersion}, study ${spec.id}, version ${spec.version}. Times are elapsed ` +
      'in the run where they have no date; dates are UTC.',
  };
}

/**
 * What a study found, in words: its limit, what failed, and how it stands to what was published.
 */
function studySentence({ limit, points, spec, expectations, state }: StudyOverview): string {
  const unit = spec.axes[0]!.unit === '' ? '' : ` ${spec.axes[0]!.unit}`;
  const over = points.filter((p) => p.state !== 'pending' && p.state !== 'running');
  const count = (wanted: StudyOverview['points'][number]['state']): number =>
    points.filter((p) => p.state === wanted).length;
  const failed = [
    [count('qosFailed'), 'missed a QoS limit'],
    [count('failed'), 'failed'],
    [count('aborted'), 'aborted'],
  ]
    .filter(([n]) => Number(n) > 0)
    .map(([n, word]) => `${n} ${word}`);
  const inside = expectations.filter((l) => l.inside).length;
  return [
    limit === null
      ? ''
      : `${limit.lastPass === null ? 'No value passed' : `Passes up to ${tickText(limit.lastPass)}${unit}`}${limit.firstFail === null ? ', no failure found' : `, fails from ${tickText(limit.firstFail)}${unit}`}${limit.confirmed === 0 ? ', not confirmed by a repeat' : `, confirmed ${limit.confirmed} ${limit.confirmed === 1 ? 'time' : 'times'}`}.`,
    `${over.length} of ${points.length} ${points.length === 1 ? 'point' : 'points'} run, ` +
      `${count('passed')} ` +
      `passed${failed.length === 0 ? '' : `, ${failed.join(', ')}`}${state === 'done' ? '' : `; the study is ${state}`}.`,
    expectations.length === 0 ? '' : `${inside} of ${expectations.length} published figures met.`,
  ]
    .filter((s) => s !== '')
    .join(' ');
}

function curvesSection(overview: StudyOverview, drawn: readonly ChartChoice[]): ReportSection {
  const axis = overview.spec.axes[0]!;
  const charts = drawn.map((choice) => ({
    choice,
    chart: studyChart(overview, choice, choice.normalise),
  }));
  const reference = overview.spec.axes
    .map((a) => namedValue(a, overview.spec.reference?.[a.name] ?? a.values[0]))
    .join(', ');
  const word = overview.origin === 'simulated' ? 'modelled' : 'measured';
  return {
    title: 'Curves',
    tables: [],
    charts: [],
    notes: [
      `Filled points are ${word} here, each the measure of a run over its steady state, or ` +
        'the mean of its repeats with their least and ' +
        `greatest.${overview.published.length > 0 ? ' Hollow points were published; their sources stand below.' : ''}${drawn.some((c) => c.normalise) ? ` Normalised curves are 1.0 at ${reference}.` : ''}`,
      ...new Set(charts.flatMap(({ chart }) => chart.notes)),
    ],
    figures: charts.map(({ choice, chart }) =>
      xyFigure(
        { title: choice.title, unit: chart.unit, xLabel: axis.label, xUnit: axis.unit },
        chart.input,
      ),
    ),
  };
}

function kneeSection(
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

function pointsSection(
  { spec, points }: StudyOverview,
  drawn: readonly ChartChoice[],
): ReportSection {
  const repeats = points.some((p) => p.repeat > 1);
  const measures = drawn.filter(
    (c, i) => drawn.findIndex((other) => other.measure === c.measure) === i,
  );
  const lead = [
    ...spec.axes.map((a) => (a.unit === '' ? a.label : `${a.label}`)),
    ...(repeats ? ['Repeat'] : []),
    'Verdict',
  ];
  const rows = points.map((p) => [
    ...spec.axes.map((a) => valueText(a, p.values[a.name])),
    ...(repeats ? [String(p.repeat)] : []),
    `${pointStateWords[p.state]}${p.detail === '' ? '' : `. ${p.detail}`}`,
    ...measures.map((c) => {
      const v = p.measures[c.measure];
      return v == null ? noValue : formatExact(v, c.decimals);
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

const decimalsOf = (value: number): number =>
  Math.abs(value) >= 1_000 ? 0 : Math.abs(value) >= 100 ? 1 : 2;
const figure = (value: number | null, unit: string): string =>
  value === null
    ? noValue
    : `${formatExact(value, decimalsOf(value))}${unit === '' ? '' : ` ${unit}`}`;
function tolerance({ low, high, unit }: ExpectationLine): string {
  if (low !== null && high !== null)
    return low === high ? figure(low, unit) : `${figure(low, '')} to ${figure(high, unit)}`;
  return low !== null
    ? `at least ${figure(low, unit)}`
    : high !== null
      ? `at most ${figure(high, unit)}`
      : noValue;
}

function publishedSection(
  lines: readonly ExpectationLine[],
  origin: StudyOverview['origin'],
): ReportSection {
  const rows = lines.map((l) => [
    l.label,
    figure(l.model, l.unit),
    l.published,
    l.difference === null
      ? noValue
      : `${l.difference > 0 ? '+' : ''}${figure(l.difference, l.unit)}`,
    tolerance(l),
    l.model === null
      ? 'no value yet'
      : l.inside
        ? 'met'
        : l.knownMiss === undefined
          ? 'missed'
          : `missed: ${l.knownMiss}`,
    l.source,
  ]);
  return {
    title: 'Compared with what was published',
    notes: [],
    charts: [],
    tables: [
      {
        ...table(
          'Compared with what was published',
          [
            'What',
            origin === 'simulated' ? 'Modelled' : 'Measured',
            'Published',
            'Difference',
            'Tolerance',
            'Verdict',
            'Source',
          ],
          rows,
          '',
          [1, 2, 3, 4],
        ),
        tones: lines.map((l) => [
          null,
          null,
          null,
          null,
          null,
          l.model === null ? null : l.inside ? 'good' : 'bad',
          null,
        ]),
      },
    ],
  };
}

/**
 * What was published, what has a source, and each constant that was chosen, with the lines it
 * serves.
 */
function basisSection(basis: readonly StudyBasis[]): ReportSection {
  const rows = basisInOrder(basis).map((row) => [
    basisWords[row.kind],
    row.what,
    row.figure,
    servesWords(row),
    row.source,
  ]);
  return {
    title: 'What it rests on',
    notes: [],
    charts: [],
    tables: [
      table('What it rests on', ['Kind', 'What', 'Figure', 'Serves', 'Source'], rows, '', []),
    ],
  };
}

function sourcesSection(
  { published, spec }: StudyOverview,
  workloads: WorkloadNames,
): ReportSection {
  const rows = published.map((p) => [
    measureWords(p.measure, workloads).label,
    p.label,
    spec.axes
      .map((a) => namedValue(a, p.values[a.name]))
      .filter((t) => t !== '')
      .join(', '),
    `${formatCell(p.value, decimalsOf(p.value))}${p.unit === '' ? '' : ` ${p.unit}`}`,
    p.source,
  ]);
  return {
    title: 'Published figures',
    notes: [],
    charts: [],
    tables: [
      table('Published figures', ['Measure', 'What', 'At', 'Value', 'Source'], rows, '', [3]),
    ],
  };
}

/** The diagnosis of a study, or why there is none. */
export function studyDiagnosisSection(
  { diagnosis, why }: StudyDiagnosis,
  title: string,
): ReportSection {
  return diagnosis === null
    ? { title, notes: [why], tables: [], charts: [] }
    : diagnosisSection(diagnosis, title, why);
}

export function originSection(
  { fileText, command, facts }: StudyOrigin,
  title: string,
): ReportSection {
  return {
    title,
    charts: [],
    notes: [
      'Every figure is computed from the stored samples of the runs named above; none is ' +
        'typed in. Published figures are those of the sources that stand beside them. This ' +
        'runs the study again:',
      command,
    ],
    tables: [table('Made with', ['What', 'Value'], facts, '')],
    code: { title: 'The study file: plan, testbed, profile and what is swept', text: fileText },
  };
}
