import { formatElapsed, formatExact, formatSi, noValue, quantityText } from '../base/format.ts';
import { boardCharts } from '../chart/boardCharts.ts';
import { metricWord } from '../metric/metricWords.ts';
import type { RunRecord } from '../run/run.ts';
import { overviewStateWord, severityWords } from '../run/runWords.ts';
import type { QosResult, Score } from '../run/scoreTypes.ts';
import { powerSentences } from '../run/steadyPower.ts';
import { qosStateOf, qosStateWords } from '../score/qosState.ts';
import { formatResult } from '../score/score.ts';
import { workloadTotals } from '../score/totals.ts';
import { setupFacts } from '../snapshot/setupFacts.ts';
import { actsSection } from './actsSection.ts';
import type { Report, ReportSection } from './model.ts';
import { type AggregateSeries, chartsSection, type ReadSeries } from './runCharts.ts';
import { type RunAgainst, runFront, runNumbers, worstChart } from './runFront.ts';
import { isoText, table } from './tables.ts';

/** Points of a line in a report: a picture has no more columns. */
export const reportPoints = 1_200;

interface RunReportOptions {
  /** Exact figures of a series; absent = no means are told. */
  aggregate?: AggregateSeries;
  /** What it is held against; null = there is nothing, absent = nobody looked. */
  against?: RunAgainst | null;
}

/**
 * Everything about one run, its two pages first and its arithmetic last. `read` gives the samples of
 * a series, decimated to at most `reportPoints`.
 */
export function runReport(
  record: RunRecord,
  read: ReadSeries,
  { aggregate, against }: RunReportOptions = {},
): Report {
  const { overview, plan, testbed, profile } = record;
  const started = overview.startedAtMs;
  const samples = { read, aggregate };
  const charts = boardCharts(overview, profile);
  const worst = worstChart(record, charts);
  return {
    title: `Run ${overview.name}`,
    marks: runMarkWords(record),
    sentence: overview.verdict?.sentence ?? `State: ${overviewStateWord(overview)}.`,
    numbers: runNumbers(record, samples),
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
      ...runFront(record, worst, samples, against),
      findings(record),
      score(record),
      ...actsSection(record),
      chartsSection(
        record,
        charts.filter((chart) => chart !== worst?.chart),
        samples,
      ),
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
      ...scoreSteps(record),
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
              ? `No performance per kilowatt: ${result.power.refused ?? 'not measured'}.`
              : `${formatExact(result.power.value, 3)} per kilowatt at ` +
                `${formatExact(result.power.meanW ?? NaN, 1)} W mean, measured by ` +
                `${result.power.measuredBy}.`,
            ...(result.power.steady ? powerSentences(result.power.steady) : []),
          ]
        : []),
    ],
    tables: [totalsTable(result)],
  };
}

/** The arithmetic of the score, row by row: last, for who follows it. */
function scoreSteps({ overview }: RunRecord): ReportSection[] {
  const { score: result } = overview;
  if (result === null) return [];
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
  return [
    {
      title: 'Appendix: steps of the score',
      notes: [],
      charts: [],
      tables: [
        table(
          'Steps of the score',
          ['Period', 'Of', 'Measured', 'Reference', 'Ratio', 'QoS'],
          rows,
          'No measurement period was reached.',
          [2, 3, 4],
        ),
      ],
    },
  ];
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
