import { threeFigures } from '../base/format.ts';
import { formatElapsed, formatSi, noValue } from '../base/format.ts';
import { runStyle } from '../chart/palette.ts';
import { formatCell, formatDelta, rowDecimals } from '../compare/compareText.ts';
import { compareWords, intervalText } from '../compare/compareVerdict.ts';
import type { CompareTest, Comparison, Distributions } from '../compare/comparison.ts';
import type { Diagnosis } from '../diagnosis/diagnosis.ts';
import { metricWord } from '../metric/metricWords.ts';
import type { RunRecord } from '../run/run.ts';
import { setupFacts } from '../snapshot/setupFacts.ts';
import { diagnosisSection } from './diagnosisSection.ts';
import { distributionFigures, quantileTable } from './distributionFigures.ts';
import { marksOf } from './marks.ts';
import type { Report, ReportChart, ReportLine, ReportSection, ReportTable, Tone } from './model.ts';
import { isoText, table } from './tables.ts';

/**
 * One row of the comparison over the whole run; a line a run in the order of the comparison, null
 * where it was not measured.
 */
export interface OverlayRow {
  label: string;
  unit: string;
  lines: readonly (Pick<ReportLine, 'tMs' | 'value' | 'gapMs'> | null)[];
}
export interface CompareReportInput {
  comparison: Comparison;
  /** In the order of the comparison's runs. */
  records: readonly RunRecord[];
  distributions: readonly Distributions[];
  /** Metrics that have distributions and are not drawn. */
  undrawn: readonly string[];
  overlays: readonly OverlayRow[];
  /** Of a pair that may be compared; null = not asked, or nothing to say. */
  diagnosis: Diagnosis | null;
  appVersion: string;
  madeAtMs: number;
}

/**
 * `A`, `B`, …: what a run is called in columns; its name stands in the first table and in every legend.
 */
const runLetter = (index: number): string => String.fromCharCode(65 + index);
export const toneOf = (word: CompareTest['word'] | null | undefined): Tone | null =>
  word === 'better' ? 'good' : word === 'worse' ? 'bad' : word === 'withinNoise' ? 'even' : null;

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
    sections: [
      runsSection(comparison, records),
      setupSection(comparison, heads),
      metricsSection(comparison, heads),
      ...(guards.length > 0 || comparison.sides.length < 2 ? [] : [testsSection(comparison)]),
      matrixSection(comparison, names),
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
      {
        title: 'Set-up of the baseline',
        notes: [],
        charts: [],
        tables: [
          table(
            'Set-up of the baseline',
            ['', 'What', 'Value'],
            blankRepeats(setupFacts(first)),
            'Nothing was recorded.',
          ),
        ],
      },
      traceSection(comparison, records),
    ],
    footer:
      `Tilebench ${appVersion}, comparison of ${runs.map((r) => r.id).join(', ')}. Times are ` +
      'elapsed in the run where they have no date; dates are UTC.',
  };
}

/** The first cell of a row only where it differs from the row above. */
const blankRepeats = (rows: readonly (readonly string[])[]): string[][] =>
  rows.map((row, i) => (i > 0 && rows[i - 1]![0] === row[0] ? ['', ...row.slice(1)] : [...row]));

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
      `${run.state}${run.compliant === null ? '' : run.compliant ? ', compliant' : ', not compliant'}`,
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

const effects: Readonly<Record<Comparison['setup'][number]['effect'], string>> = {
  strong: 'strong',
  moderate: 'moderate',
  slight: 'slight',
  none: 'none known',
};

/** A list that is longer than a cell takes ends with how many more there are. */
export function shortList(value: string, most: number): string {
  const parts = value.split(', ');
  if (value.length <= most || parts.length < 3) return value;
  let kept = 1;
  while (kept < parts.length && parts.slice(0, kept + 1).join(', ').length <= most - 14) kept += 1;
  return `${parts.slice(0, kept).join(', ')} and ${parts.length - kept} more`;
}

function setupSection({ setup }: Comparison, heads: readonly string[]): ReportSection {
  const most = heads.length > 3 ? 60 : 240;
  const rows = blankRepeats(
    setup.map((s) => [
      s.group,
      s.label,
      ...s.values.map((v) => shortList(v, most)),
      `${effects[s.effect]}${s.why === '' ? '' : `: ${s.why}`}`,
    ]),
  );
  const grouped = [...new Set(setup.map((s) => s.group))].flatMap((group) =>
    setup.flatMap((s, i) => (s.group === group ? [i] : [])),
  );
  const ordered = blankRepeats(grouped.map((i) => [setup[i]!.group, ...rows[i]!.slice(1)]));
  const tones = grouped.map((i): (Tone | null)[] => [
    null,
    null,
    ...setup[i]!.values.map((v, run): Tone | null =>
      run > 0 && v !== setup[i]!.values[0] ? 'strong' : null,
    ),
    null,
  ]);
  const subjects = setup
    .filter((s) => s.subjects.length > 0 && s.subjects.length <= 40)
    .map((s) =>
      table(
        `${s.group}: ${s.label}, one by one`,
        ['', ...heads],
        s.subjects.map((one) => [one.name, ...one.values]),
        '',
      ),
    );
  return {
    title: 'What differs in the set-up',
    notes: [],
    charts: [],
    tables: [
      {
        ...table(
          'What differs in the set-up',
          ['Group', 'What', ...heads, 'Likely effect'],
          ordered,
          'Nothing recorded of the set-up differs.',
        ),
        tones,
        note:
          setup.length === 0
            ? ''
            : 'Only what differs; long lists end with how many more there are. The likely ' +
              "effect on results is this app's judgement.",
      },
      ...subjects,
    ],
  };
}

function metricsSection(
  { runs, rows, sides }: Comparison,
  heads: readonly string[],
): ReportSection {
  const sideOf = runs.map((_, i) => sides.findIndex((side) => side.runs.includes(i)));
  const word = (row: Comparison['rows'][number], i: number): CompareTest['word'] | null =>
    row.tests[sideOf[i]!]?.word ?? null;
  const change = (row: Comparison['rows'][number], i: number): string => {
    const delta = row.deltaPct[i] ?? null;
    if (delta === null) return noValue;
    const of = word(row, i);
    return `${formatDelta(delta)}, ${of === null ? 'repeat' : compareWords[of]}`;
  };
  const base = (row: Comparison['rows'][number]): string[] => [
    row.label,
    row.unit,
    row.better ?? 'neither',
  ];
  const values = (row: Comparison['rows'][number]): string[] =>
    row.values.map((v) => formatCell(v, rowDecimals(row.values)));
  const others = runs.map((_, i) => i).slice(1);
  const note =
    'Means over the steady state, each of all samples in it; a row over tiles or machines is ' +
    'the mean of their means. Changes are against the baseline A. “Good” is the direction ' +
    'that is good.';
  if (runs.length <= 3) {
    const columns = [
      'Metric',
      'Unit',
      'Good',
      ...heads.flatMap((h, i) => (i === 0 ? [h] : [h, 'Change'])),
    ];
    return {
      title: 'Metrics',
      notes: [],
      charts: [],
      tables: [
        {
          ...table(
            'Metrics',
            columns,
            rows.map((row) => [
              ...base(row),
              ...values(row).flatMap((v, i) => (i === 0 ? [v] : [v, change(row, i)])),
            ]),
            '',
            columns.map((_, i) => i).slice(3),
          ),
          tones: rows.map((row) => [
            null,
            null,
            null,
            null,
            ...others.flatMap((i): (Tone | null)[] => [null, toneOf(word(row, i))]),
          ]),
          note,
        },
      ],
    };
  }
  const right = runs.map((_, i) => i + 3);
  return {
    title: 'Metrics',
    notes: [],
    charts: [],
    tables: [
      table(
        'Values',
        ['Metric', 'Unit', 'Good', ...heads],
        rows.map((row) => [...base(row), ...values(row)]),
        '',
        right,
      ),
      {
        ...table(
          'Change against the baseline',
          ['Metric', 'Good', ...heads.slice(1)],
          rows.map((row) => [
            row.label,
            row.better ?? 'neither',
            ...others.map((i) => change(row, i).replace('within noise', 'noise')),
          ]),
          '',
          others.map((i) => i + 1),
        ),
        tones: rows.map((row) => [null, null, ...others.map((i) => toneOf(word(row, i)))]),
        note,
      },
    ],
  };
}

const pText = (p: number): string => (p < 0.001 ? '< 0.001' : p.toFixed(3));

function testsSection({ rows, sides, testing }: Comparison): ReportSection {
  const tables = sides.slice(1).map((side, i): ReportTable => {
    const tests = rows.map((row) => row.tests[i + 1]!);
    return {
      ...table(
        `${side.name} against ${sides[0]!.name}`,
        [
          'Metric',
          'Verdict',
          'Difference',
          '95 % interval',
          'Found from',
          'p, adjusted',
          'Made of',
        ],
        tests.map((t, n) => [
          rows[n]!.label,
          compareWords[t.word],
          t.differencePct === null ? noValue : formatDelta(t.differencePct),
          t.lowPct === null || t.highPct === null
            ? noValue
            : `${formatDelta(t.lowPct)} to ${formatDelta(t.highPct)}`,
          t.detectablePct === null ? noValue : `${threeFigures(t.detectablePct)} %`,
          t.pAdjusted === null ? noValue : pText(t.pAdjusted),
          t.basis.replace(/ \(.*\)$/, ''),
        ]),
        '',
        [2, 3, 4, 5],
      ),
      tones: tests.map((t) => [null, toneOf(t.word), null, null, null, null, null]),
    };
  });
  return {
    title: 'Is it real',
    notes: [
      `${testing.tests} metrics were tested. ${testing.adjustment} “Found from”: the ` +
        'smallest true difference that such a comparison finds in 4 of 5 cases; where it is ' +
        "above 5 %, a difference that is not found is “can't tell”, not “within noise”.",
    ],
    charts: [],
    tables,
  };
}

const cellWords: Readonly<Partial<Record<CompareTest['word'], string>>> = {
  better: ' better',
  worse: ' worse',
  withinNoise: ' noise',
  higher: ' higher',
  lower: ' lower',
};

function matrixSection({ matrix, runs }: Comparison, names: readonly string[]): ReportSection {
  const tables = matrix.flatMap((of) =>
    runs.slice(1).map((_, n): ReportTable => {
      const run = n + 1;
      const workloads = [...new Map(of.cells.map((c) => [c.workloadId, c.workload]))];
      const tiles = [...new Set(of.cells.map((c) => c.tile))].sort((a, b) => a - b);
      const at = new Map(of.cells.map((c) => [`${c.tile} ${c.workloadId}`, c]));
      const cell = (tile: number, id: string): { text: string; tone: Tone | null } => {
        const found = at.get(`${tile} ${id}`);
        const delta = found?.deltaPct[run] ?? null,
          word = found?.words[run] ?? null;
        return delta === null
          ? { text: noValue, tone: null }
          : {
              text: `${formatDelta(delta)}${word === null ? '' : (cellWords[word] ?? '')}`,
              tone: toneOf(word),
            };
      };
      const title = `${capital(metricWord(of.metric))}, ${names[run]!} against ${names[0]!}`;
      return {
        ...table(
          title,
          ['Tile', ...workloads.map(([, name]) => name)],
          tiles.map((tile) => [String(tile + 1), ...workloads.map(([id]) => cell(tile, id).text)]),
          '',
          workloads.map((_w, i) => i + 1),
        ),
        tones: tiles.map((tile) => [null, ...workloads.map(([id]) => cell(tile, id).tone)]),
      };
    }),
  );
  const untold = matrix.every((of) =>
    of.cells.every((c) => c.words.every((w) => w === null || w === 'notComparable')),
  );
  return {
    title: 'Tile by tile',
    charts: [],
    tables,
    notes: [
      matrix.length === 0
        ? 'None of these runs has samples of a workload.'
        : untold
          ? 'Change of each workload of each tile, of its mean over the steady state. No ' +
            'words: they need two measurement periods in each run, and runs that may be ' +
            'compared.'
          : 'Change of each workload of each tile, of its mean over the steady state. Words by ' +
            'the means of the measurement periods of each run (Welch, 5 %), each cell by ' +
            'itself: of a hundred equal cells about five are called better or worse.',
    ],
  };
}
const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

function distributionSection(
  { distributions, undrawn }: CompareReportInput,
  names: readonly string[],
): ReportSection {
  if (distributions.length === 0)
    return {
      title: 'Distributions',
      notes: ['None of these runs has samples of its steady state.'],
      tables: [],
      charts: [],
    };
  return {
    title: 'Distributions',
    charts: [],
    notes: [
      'Samples of the steady state of all tiles and machines of a metric ' +
        `together.${undrawn.length === 0 ? '' : ` Not drawn here, and on the page of the comparison: ${undrawn.join('; ')}.`}`,
    ],
    figures: distributions.flatMap((data) => distributionFigures(data, names)),
    tables: distributions.map((data) => quantileTable(data, names)),
  };
}

function overlaySection(
  { overlays, records }: CompareReportInput,
  names: readonly string[],
): ReportSection {
  const steady = records[0]!.overview;
  const origin = steady.startedAtMs;
  const phases =
    origin === null
      ? []
      : steady.phases.map((p) => ({
          name: p.name,
          fromMs: p.startMs - origin,
          toMs: (p.endMs ?? p.plannedEndMs) - origin,
        }));
  const flat = (row: OverlayRow): boolean =>
    row.lines.every((line) => line === null || line.value.every((v) => v === 0));
  const zero = overlays.filter(flat).map((row) => row.label);
  const charts = overlays
    .filter((row) => !flat(row))
    .map((row): ReportChart => {
      const lines = row.lines.flatMap((line, i): ReportLine[] =>
        line === null
          ? []
          : [
              {
                ...line,
                ...runStyle(i),
                label: names[i]!,
                decimals: rowDecimals(
                  [...line.value.slice(0, 1), middle(line.value)].filter(Number.isFinite),
                ),
              },
            ],
      );
      const missing = row.lines.flatMap((line, i) => (line === null ? [names[i]!] : []));
      const ranges = lines.map((l) =>
        l.value.length === 0
          ? `${l.label}: no samples`
          : `${l.label} ${formatSi(Math.min(...l.value))} to ${formatSi(Math.max(...l.value))}`,
      );
      return {
        title: row.label,
        unit: row.unit,
        lines,
        limits: [],
        phases,
        summary:
          `${row.label} in ${row.unit}: ` +
          `${ranges.join(', ')}.${missing.length === 0 ? '' : ` Not measured in ${missing.join(', ')}.`}`,
      };
    });
  return {
    title: 'Over time in the run',
    notes: [
      overlays.length === 0
        ? 'No metric was measured in more than one of these runs.'
        : "Time from each run's own start; the band is the steady state of the baseline. Each " +
          'run is cut into at most 240 equal stretches; a point is the mean (of power the sum) ' +
          'over the series of the row of their means in a stretch, and is left out where one ' +
          'of them has no sample.',
      ...(zero.length === 0
        ? []
        : [`0 throughout in every run, and not drawn: ${zero.join('; ')}.`]),
    ],
    tables: [],
    charts,
  };
}
const middle = (values: Float64Array): number => values[Math.floor(values.length / 2)] ?? NaN;

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
        runs.map((r, i) => [
          runLetter(i),
          r.id,
          formatCell(r.sampleCount, 0),
          'Tilebench ' +
            `${records[i]!.appVersion}${records[i]!.imported === undefined ? '' : `, imported from ${records[i]!.imported.fileName}`}`,
          records[i]!.planHash.slice(0, 16),
        ]),
        '',
        [2],
      ),
    ],
  };
}
