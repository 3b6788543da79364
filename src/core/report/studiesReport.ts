import { inSentence } from '../base/counted.ts';
import { noValue } from '../base/format.ts';
import { compareWords, formatCell, formatDelta } from '../compare/index.ts';
import type { StudyDiagnosis } from '../diagnosis/diagnosis.ts';
import type { StudyComparison } from '../study/studyComparison.ts';
import {
  curveChart,
  gapChart,
  gapInterval,
  gapWord,
  type MeasureChoice,
  measureChoices,
  summaryText,
} from '../study/studyCurves.ts';
import { toneOf } from './compareMetrics.ts';
import type { Report, ReportSection, ReportTable, Tone } from './model.ts';
import { short } from './studyFront.ts';
import {
  originSection,
  studyDiagnosisSection,
  studyMarks,
  type StudyOrigin,
} from './studyReport.ts';
import { isoText, table } from './tables.ts';
import { xyFigure } from './xyFigure.ts';

export interface StudiesReportInput {
  comparison: StudyComparison;
  /** In the order they were asked for. */
  studies: readonly {
    id: string;
    name: string;
    planName: string;
    points: number;
    diagnosis: StudyDiagnosis;
    origin: StudyOrigin;
  }[];
  appVersion: string;
  madeAtMs: number;
}
/** Measures that are drawn with their gap. */
const drawnAtMost = 4;

/** Curves of one or several studies over each other, with the gap at each value both measured. */
export function studiesReport({
  comparison,
  studies,
  appVersion,
  madeAtMs,
}: StudiesReportInput): Report {
  const { curves: all, guards, sentence, axis, charted } = comparison;
  const choices = measureChoices(comparison);
  const shared = choices.filter((c) => c.of.summary.some((s) => s !== null));
  const wanted = shared.filter((c) => charted.some((own) => own.measure === c.measure));
  const drawn = (wanted.length > 0 ? wanted : shared.length > 0 ? shared : choices).slice(
    0,
    drawnAtMost,
  );
  return {
    title:
      studies.length === 1
        ? `Curves of ${studies[0]!.name}`
        : `Studies ${studies.map((s) => s.name).join(' and ')}`,
    banner: { title: 'These curves must not be compared', reasons: guards },
    marks: studyMarks(all.map((c) => c.origin)),
    sentence,
    landscape: all.length > 3,
    facts: [
      [
        'Compared',
        `${all.length} curves over ${inSentence(axis.label)}; ${all[0]!.name} is the baseline`,
      ],
      ['Studies', studies.map((s) => `${s.name} (${s.points} points)`).join('; ')],
      ['Plans', [...new Set(studies.map((s) => s.planName))].join('; ')],
      ...comparison.qos.flatMap((text, i) =>
        text === '' ? [] : [[`QoS, ${all[i]!.name}`, text] as const],
      ),
      ['Made', isoText(madeAtMs)],
    ],
    sections: [
      { ...curves(comparison, drawn.slice(0, 1)), title: 'The curves', part: 'summary' },
      ...drawn.slice(0, 1).map((c) => ({
        ...short({
          title: 'The gap at each value',
          charts: [],
          notes: [],
          tables: [gapTable(comparison, c)],
        }),
        part: 'summary' as const,
        newPage: true as const,
      })),
      ...(drawn.length > 1
        ? [
            curves(comparison, drawn.slice(1)),
            {
              title: 'The gap at each value, further measures',
              charts: [],
              notes: [],
              tables: drawn.slice(1).map((c) => gapTable(comparison, c)),
            },
          ]
        : []),
      allMeasures(comparison, shared),
      ...studies.map((s) =>
        studyDiagnosisSection(
          s.diagnosis,
          studies.length === 1 ? 'Why it stops scaling' : `Why ${s.name} stops scaling`,
        ),
      ),
      ...studies.map((s) =>
        originSection(
          s.origin,
          studies.length === 1 ? 'How to make it again' : `How to make ${s.name} again`,
        ),
      ),
    ],
    footer: `Tilebench ${appVersion}, curves of ${studies.map((s) => s.id).join(', ')}. Dates are UTC.`,
  };
}

/** Curves of the measures over each other, each with its gap. */
const curves = (comparison: StudyComparison, drawn: readonly MeasureChoice[]): ReportSection => ({
  title: 'Curves',
  charts: [],
  notes: [
    'Each point is the measure of a run over its steady state, or the mean of its ' +
      'repeats. Only values that both curves measured have a gap; nothing is ' +
      'interpolated. One run a value: a gap may be noise. With repeats on both sides the ' +
      'word is by Welch at 5 %, each value by itself, with the 95 % interval of the gap ' +
      'and the smallest gap that would be found in 4 of 5 cases; “ahead” and “behind” ' +
      'only name the direction.',
  ],
  tables: [],
  figures: drawn.flatMap((c) => [
    xyFigure(
      { title: c.title, unit: c.unit, xLabel: comparison.axis.label, xUnit: comparison.axis.unit },
      curveChart(comparison, c),
    ),
    ...(c.of.gapPct.some((list, i) => i > 0 && list.some((v) => v !== null))
      ? [
          xyFigure(
            {
              title: `${c.title}, gap to ${comparison.curves[0]!.name}`,
              unit: '%',
              xLabel: comparison.axis.label,
              xUnit: comparison.axis.unit,
            },
            gapChart(comparison, c),
          ),
        ]
      : []),
  ]),
});

const signed = (value: number, decimals: number): string =>
  `${value > 0 ? '+' : value < 0 ? '−' : ''}${formatCell(Math.abs(value), decimals)}`;

function gapTable(
  { axis, curves }: StudyComparison,
  { title, unit, decimals, of }: MeasureChoice,
): ReportTable {
  const rows = axis.places.map((place, p) => [
    axis.places.length === 1 ? 'all' : place.label,
    ...curves.flatMap((_, i) => {
      const repeats = of.repeats[i]![p]!;
      const value = `${formatCell(of.values[i]![p] ?? null, decimals)}${repeats > 1 ? ` (${repeats} runs)` : ''}`;
      if (i === 0) return [value];
      const gap = of.gap[i]![p] ?? null,
        pct = of.gapPct[i]![p] ?? null,
        word = of.words[i]![p] ?? null;
      const said =
        word === null ? gapWord(of, i, p) : `${compareWords[word]} (${gapInterval(of, i, p)})`;
      return [
        value,
        gap === null ? noValue : signed(gap, decimals),
        pct === null ? noValue : `${formatDelta(pct)}${said === '' ? '' : `, ${said}`}`,
      ];
    }),
  ]);
  const columns = [
    axis.label,
    ...curves.flatMap((c, i) => (i === 0 ? [c.name] : [c.name, 'Gap', 'Gap, %'])),
  ];
  const tones = axis.places.map((_, p) => [
    null,
    ...curves.flatMap((_c, i): (Tone | null)[] =>
      i === 0 ? [null] : [null, null, toneOf(of.words[i]![p])],
    ),
  ]);
  return {
    ...table(
      `${title}${unit === '' ? '' : `, ${unit}`}`,
      columns,
      rows,
      'Nothing measured.',
      columns.map((_, i) => i),
    ),
    tones,
  };
}

function allMeasures({ curves }: StudyComparison, shared: readonly MeasureChoice[]): ReportSection {
  const columns = ['Measure', 'Unit', 'Good', ...curves.slice(1).map((c) => `${c.name}, mean gap`)];
  return {
    title: 'All measures',
    notes: [],
    charts: [],
    tables: [
      {
        ...table(
          'All measures',
          columns,
          shared.map((c) => [
            c.title,
            c.unit,
            c.of.better ?? 'neither',
            ...c.of.summary.slice(1).map(summaryText),
          ]),
          'No value was measured on the baseline and another curve.',
          columns.map((_, i) => i).slice(3),
        ),
        note: 'Mean of the gaps at the values both measured, from the least to the greatest.',
      },
    ],
  };
}
