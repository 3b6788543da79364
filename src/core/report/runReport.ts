import { formatElapsed, formatExact, formatSi, noValue, quantityText } from '../base/format.ts';
import { type BoardChart, boardCharts } from '../chart/boardCharts.ts';
import { lineLook } from '../chart/line.ts';
import { gapLimitMs } from '../metric/gap.ts';
import type { SeriesData, SeriesDef } from '../metric/metric.ts';
import { metricWord } from '../metric/metricWords.ts';
import type { RunRecord } from '../run/run.ts';
import { overviewStateWord, severityWords } from '../run/runWords.ts';
import type { QosResult, Score } from '../run/scoreTypes.ts';
import { qosStateOf, qosStateWords } from '../score/qosState.ts';
import { formatResult } from '../score/score.ts';
import { workloadTotals } from '../score/totals.ts';
import { setupFacts } from '../snapshot/setupFacts.ts';
import type { Report, ReportChart, ReportLine, ReportSection } from './model.ts';
import { stageStill } from './stageStill.ts';
import { isoText, table } from './tables.ts';

/** Points of a line in a report: a picture has no more columns. */
export const reportPoints = 1_200;
/** Lines of a chart; of more, those with the highest means, and the title says so. */
const maxLines = 24;

/**
 * Everything about one run. `read` gives the samples of a series, decimated to at most
 * `reportPoints`.
 */
export function runReport(record: RunRecord, read: Read): Report {
  const { overview, plan, testbed, profile } = record;
  const started = overview.startedAtMs;
  return {
    title: `Run ${overview.name}`,
    marks: runMarkWords(record),
    sentence: overview.verdict?.sentence ?? `State: ${overviewStateWord(overview)}.`,
    facts: [
      [
        'Result',
        overview.score === null
          ? noValue
          : `${formatResult(overview.score, profile.scoring)}, ${overview.score.resultName}`,
      ],
      ['Started', started === null ? noValue : isoText(started)],
      [
        'Duration',
        started === null || overview.endedAtMs === null
          ? noValue
          : formatElapsed(overview.endedAtMs - started),
      ],
      ['Profile', `${profile.name} ${profile.version}`],
      ['Testbed', `${testbed.name}, version ${testbed.version}`],
      ['Tiles', String(plan.tiles)],
      ['Plan hash', record.planHash.slice(0, 16)],
    ],
    sections: [
      ...stage(record, read),
      findings(record),
      score(record),
      charts(record, read),
      {
        title: 'Set-up',
        notes: [],
        charts: [],
        tables: [
          table(
            'What the run was made on',
            ['', 'What', 'Value'],
            setupFacts(record).map(([group, label, value]) => [group, label, value]),
            'Nothing was recorded.',
          ),
        ],
      },
      events(record),
    ],
    footer:
      `Tilebench ${record.appVersion}, run ${overview.id}. Times are elapsed in the run where ` +
      'they have no date; dates are UTC.',
  };
}

/** What a reader must know before the first figure. */
export function runMarkWords({ overview }: RunRecord): Report['marks'] {
  return [
    ...(overview.origin === 'simulated'
      ? [
          {
            word: 'SIMULATED',
            reason:
              'Every number comes from the model of the simulated lab, none from real machines.',
          },
        ]
      : []),
    ...(overview.origin === 'replay'
      ? [{ word: 'REPLAY', reason: 'A stored run, played again.' }]
      : []),
    ...(overview.verdict?.compliant === false
      ? [
          {
            word: 'NOT COMPLIANT',
            reason:
              overview.findings
                .filter((f) => f.severity !== 'info')
                .slice(0, 3)
                .map((f) => f.text)
                .join(' ') || 'The result does not follow the rules of its profile.',
          },
        ]
      : []),
  ];
}

/** Where the VMs ran, where that is a picture. */
function stage(record: RunRecord, read: Read): ReportSection[] {
  const still = stageStill(record, read);
  return still === null
    ? []
    : [{ title: 'Hosts and their VMs', notes: [], tables: [], charts: [], stage: still }];
}

function findings({ overview }: RunRecord): ReportSection {
  const order = { block: 0, warn: 1, info: 2 } as const;
  const rows = [...overview.findings]
    .sort((a, b) => order[a.severity] - order[b.severity])
    .map((f) => [severityWords[f.severity], f.text, f.fix ?? '']);
  return {
    title: 'Findings',
    notes: [],
    charts: [],
    tables: [table('Findings', ['', 'What', 'What to do'], rows, 'No findings.')],
  };
}

function score({ overview, profile }: RunRecord): ReportSection {
  const { score: result } = overview;
  if (result === null)
    return { title: 'Score', notes: ['The run has no score.'], tables: [], charts: [] };
  const figure = (value: number | null, decimals = 3): string =>
    value === null ? noValue : formatExact(value, decimals);
  const rows = result.periods.flatMap((period) => [
    [
      `Period ${period.index + 1}`,
      '',
      '',
      '',
      figure(period.total),
      qosStateWords[qosStateOf([period])],
    ],
    ...period.tiles.flatMap((tile) =>
      tile.workloads.map((w) => [
        `Period ${period.index + 1}`,
        `Tile ${tile.tile + 1} ${w.name}`,
        w.throughput === null ? noValue : quantityText(w.throughput, w.unit),
        w.reference === null ? noValue : quantityText(w.reference, w.unit),
        w.scored ? figure(w.ratio) : 'not scored',
        qosText(w.qos),
      ]),
    ),
    ...(period.infrastructure?.operations.map((o) => [
      `Period ${period.index + 1}`,
      o.name,
      o.perHour === null ? noValue : `${formatSi(o.perHour)} /h`,
      o.reference === null ? noValue : `${formatSi(o.reference)} /h`,
      figure(o.ratio),
      '',
    ]) ?? []),
  ]);
  return {
    title: 'Score',
    charts: [],
    notes: [
      `${formatResult(result, profile.scoring)} (${result.resultName}). Reference: ` +
        `${result.referenceLabel}. Rule over periods: ` +
        `${result.periodRule}${result.chosenPeriod === null ? '' : `, period ${result.chosenPeriod + 1} speaks`}.`,
      ...result.missing,
      ...(result.notes ?? []),
      ...(result.power
        ? [
            result.power.value === null
              ? `No performance a kilowatt: ${result.power.refused ?? 'not measured'}.`
              : `${formatExact(result.power.value, 3)} a kilowatt at ` +
                `${formatExact(result.power.meanW ?? NaN, 1)} W mean, measured by ` +
                `${result.power.measuredBy}.`,
          ]
        : []),
    ],
    tables: [
      table(
        'Steps of the score',
        ['Period', 'Of', 'Measured', 'Reference', 'Ratio', 'QoS'],
        rows,
        'No measurement period was reached.',
        [2, 3, 4],
      ),
      totalsTable(result),
    ],
  };
}

/** Sums over the tiles, which need no reference. */
const totalsTable = (score: Score): ReturnType<typeof table> =>
  table(
    'Totals of each workload',
    ['Workload', 'Sum of the tiles', 'Least tile', 'Most tile', 'Balance between tiles'],
    workloadTotals(score).map(({ name, unit, total, least, most, balance }) => [
      name,
      total === null ? noValue : quantityText(total, unit),
      least === null ? noValue : quantityText(least, unit),
      most === null ? noValue : quantityText(most, unit),
      balance === null ? noValue : `${formatExact(balance * 100, 1)} %`,
    ]),
    'No measurement period was reached.',
    [1, 2, 3, 4],
  );

const qosText = (qos: readonly QosResult[]): string =>
  qos
    .map(
      (q) =>
        `${metricWord(q.metric)} ${q.measured === null ? noValue : quantityText(q.measured, q.unit)} ` +
        `${q.kind === 'max' ? '≤' : '≥'} ${quantityText(q.limit, q.unit)}: ` +
        (q.passed === null ? 'not judged' : q.passed ? 'kept' : 'broken'),
    )
    .join('; ');

function events({ overview }: RunRecord): ReportSection {
  const origin = overview.startedAtMs ?? overview.createdAtMs;
  return {
    title: 'Events',
    notes: [],
    charts: [],
    tables: [
      table(
        'Events',
        ['Elapsed', 'Kind', 'What'],
        overview.events.map((e) => [formatElapsed(e.tMs - origin), e.kind, e.text]),
        'No events.',
      ),
    ],
  };
}

type Read = (seriesId: number) => Pick<SeriesData, 'tMs' | 'value'>;
interface Drawn {
  def: SeriesDef;
  tMs: Float64Array;
  value: Float64Array;
}

/**
 * Charts of what has a course; what was never measured, or was 0 throughout, is named and takes no
 * page.
 */
function charts(record: RunRecord, read: Read): ReportSection {
  const silent: string[] = [],
    flat: string[] = [],
    drawn: ReportChart[] = [];
  for (const chart of boardCharts(record.overview, record.profile)) {
    const lines = chart.defs.map((def): Drawn => ({ def, ...read(def.id) }));
    if (lines.every(({ value }) => value.length === 0)) silent.push(chart.title);
    else if (lines.every(({ value }) => value.every((v) => v === 0))) flat.push(chart.title);
    else drawn.push(chartOf(record, chart, lines));
  }
  return {
    title: 'Charts',
    tables: [],
    charts: drawn,
    notes: [
      ...(silent.length === 0 ? [] : [`No samples, and not drawn: ${silent.join('; ')}.`]),
      ...(flat.length === 0 ? [] : [`0 throughout, and not drawn: ${flat.join('; ')}.`]),
    ],
  };
}

const mean = ({ value }: Drawn): number =>
  value.length === 0 ? -Infinity : value.reduce((a, b) => a + b, 0) / value.length;

/** All of them in their order, or the highest of too many. */
function shownOf(drawn: readonly Drawn[]): readonly Drawn[] {
  if (drawn.length <= maxLines) return drawn;
  const highest = new Set([...drawn].sort((a, b) => mean(b) - mean(a)).slice(0, maxLines));
  return drawn.filter((one) => highest.has(one));
}

function chartOf({ overview }: RunRecord, chart: BoardChart, drawn: readonly Drawn[]): ReportChart {
  const origin = overview.startedAtMs ?? overview.createdAtMs;
  const lines = shownOf(drawn).map(({ def, tMs, value }, i): ReportLine => {
    const { label, color, dash, factor, decimals } = lineLook(def, i);
    return {
      label,
      color,
      dash,
      tMs: tMs.map((at) => at - origin),
      value: factor === 1 ? value : value.map((v) => v * factor),
      decimals,
      gapMs: gapLimitMs(Math.max(def.periodMs, spacing(tMs))),
    };
  });
  const phases = overview.phases.map((p) => ({
    name: p.name,
    fromMs: p.startMs - origin,
    toMs: (p.endMs ?? p.plannedEndMs) - origin,
  }));
  const title =
    lines.length < drawn.length
      ? `${chart.title}, the ${lines.length} highest of ${drawn.length}`
      : chart.title;
  return {
    title,
    unit: chart.unit,
    lines,
    limits: chart.limits.map(({ value, label }) => ({ value, label })),
    phases,
    summary: summaryOf(chart, lines),
  };
}

/** Usual distance of decimated points, so that thinning is not taken for a gap. */
function spacing(tMs: Float64Array): number {
  if (tMs.length < 2) return 0;
  // Four points a bucket may lie anywhere in it.
  return ((tMs.at(-1)! - tMs[0]!) / (tMs.length - 1)) * 4;
}

function summaryOf(chart: BoardChart, lines: readonly ReportLine[]): string {
  const measured = lines.filter((line) => line.value.length > 0);
  if (measured.length === 0) return `${chart.title}: no samples.`;
  const range = measured.map(
    (line) =>
      `${line.label} ${formatSi(line.value.reduce((a, b) => Math.min(a, b), Infinity))} to ` +
      formatSi(line.value.reduce((a, b) => Math.max(a, b), -Infinity)),
  );
  const more = chart.defs.length - lines.length;
  const others = measured.length > 8 ? `, and ${measured.length - 8} more` : '';
  const undrawn = more > 0 ? ` ${more} further lines are not drawn; the CSV has them.` : '';
  return (
    `${chart.title} in ${chart.unit}: ` + `${range.slice(0, 8).join(', ')}${others}.${undrawn}`
  );
}
