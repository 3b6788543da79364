import { noValue } from '../base/format.ts';
import { boardCharts } from '../chart/boardCharts.ts';
import { tickText } from '../chart/xyModel.ts';
import type { StudyDiagnosis } from '../diagnosis/diagnosis.ts';
import type { WorkloadNames } from '../metric/measureWords.ts';
import type { RunRecord } from '../run/run.ts';
import type { ChartChoice } from '../study/figurePlot.ts';
import { chartsFor, pointAt } from '../study/figureRun.ts';
import type { StudyOverview } from '../study/study.ts';
import { chartChoices } from '../study/studyModel.ts';
import { orderWords, stopWords, valueText } from '../study/studyWords.ts';
import { notCalibrated, whatIfSentence, whatIfWords } from '../study/whatIf.ts';
import { diagnosisSection } from './diagnosisSection.ts';
import type { Report, ReportChart, ReportSection } from './model.ts';
import { markedChartOfRun, type RunSamples } from './runCharts.ts';
import { studyFront, studyNumbers } from './studyFront.ts';
import { curvesSection, kneeSection, pointsSection } from './studyMeasured.ts';
import { basisSection, publishedSection, sourcesSection } from './studyPublished.ts';
import { isoText, table } from './tables.ts';

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
  /** Record and samples of a run of the study; null = it is not stored any more. */
  runOf: (runId: string) => { record: RunRecord; samples: RunSamples } | null;
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
  const courseOf = (choice: ChartChoice): ReportChart | null => courseOfFigure(input, choice);
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
      ...changedFacts(spec),
      ['Plan', input.planName],
      ['Profile', input.profileName],
      ['Testbed', input.testbedNames.join('; ') || noValue],
      [
        'Run',
        overview.startedAtMs === null
          ? 'not started'
          : isoText(overview.startedAtMs) +
            (overview.endedAtMs === null
              ? `, ${overview.state}`
              : ` to ${isoText(overview.endedAtMs)}`),
      ],
      ['Made', isoText(madeAtMs)],
    ],
    numbers: studyNumbers(overview),
    sections: [
      ...studyFront(overview, drawn, courseOf),
      ...(drawn.length > 1 ? [curvesSection(overview, drawn.slice(1), courseOf)] : []),
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

/** A figure over time: the course of the run it is of. */
function courseOfFigure(
  { overview, runOf }: StudyReportInput,
  { measure, shape, title }: ChartChoice,
): ReportChart | null {
  const point = shape?.overTime === true ? pointAt(overview, shape.where) : null;
  const run = point === null ? null : runOf(point.runId);
  if (run === null) return null;
  const [chart] = chartsFor(boardCharts(run.record.overview, run.record.profile), measure);
  return chart === undefined
    ? null
    : markedChartOfRun(run.record, { ...chart, title }, run.samples);
}

/** How the lab of a what-if differs from the one that was calibrated. */
function changedFacts(spec: StudyOverview['spec']): [string, string][] {
  const words = whatIfWords(spec);
  return words.length === 0 ? [] : [['Changed lab', `${words.join('; ')}. ${notCalibrated}`]];
}

/** The limit that a study searched: what passed, what failed, and how often that was confirmed. */
function limitSentence(limit: StudyOverview['limit'], unit: string): string {
  if (limit === null) return '';
  const { lastPass, firstFail, confirmed } = limit;
  const passed =
    lastPass === null ? 'No value passed' : `Passes up to ${tickText(lastPass)}${unit}`;
  const failed =
    firstFail === null ? 'no failure found' : `fails from ${tickText(firstFail)}${unit}`;
  const repeats =
    confirmed === 0
      ? 'not confirmed by a repeat'
      : `confirmed ${confirmed} ${confirmed === 1 ? 'time' : 'times'}`;
  return `${passed}, ${failed}, ${repeats}.`;
}

/**
 * What a study found, in words: its limit, what failed, and how it stands to what was published.
 */
function studySentence(overview: StudyOverview): string {
  const { limit, points, spec, expectations, state } = overview;
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
    whatIfSentence(overview) ?? '',
    limitSentence(limit, unit),
    `${over.length} of ${points.length} ${points.length === 1 ? 'point' : 'points'} run, ` +
      `${count('passed')} ` +
      `passed${failed.map((said) => `, ${said}`).join('')}` +
      `${state === 'done' ? '' : `; the study is ${state}`}.`,
    expectations.length === 0 ? '' : `${inside} of ${expectations.length} published figures met.`,
  ]
    .filter((s) => s !== '')
    .join(' ');
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
