import { noValue, threeFigures } from '../base/format.ts';
import {
  type CompareTest,
  compareWords,
  type Comparison,
  forestRows,
  formatCell,
  formatDelta,
  rowDecimals,
} from '../compare/index.ts';
import { metricWord } from '../metric/metricWords.ts';
import type { ReportSection, ReportTable, Tone } from './model.ts';
import { table } from './tables.ts';

/** The tone of a verdict's word; null where the word is no judgement. */
export const toneOf = (word: CompareTest['word'] | null | undefined): Tone | null =>
  word === 'better' ? 'good' : word === 'worse' ? 'bad' : word === 'withinNoise' ? 'even' : null;

/**
 * Means over the steady state and their changes against the baseline: in one table for up to three
 * runs, in two for more.
 */
export function metricsSection(
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

/** Where a difference comes from: the change of each workload, what lost most first. */
export function forestSection(comparison: Comparison): ReportSection {
  const { sides, runs, names } = comparison;
  const others =
    sides.length > 1 ? sides.slice(1).map(({ name, runs: of }) => ({ name, run: of[0]! })) : [];
  const compared = others.length > 0 ? others : [{ name: names[1] ?? '', run: 1 }];
  const tables = (runs.length < 2 ? [] : compared).map(({ name, run }): ReportTable => {
    const rows = forestRows(comparison, run);
    return {
      ...table(
        `${name} against ${sides[0]!.name}`,
        ['Workload', 'Change', '95 % interval', 'Verdict', '95th percentile latency'],
        rows.map((row) => [
          row.metric === 'throughput' ? row.name : `${row.name}, ${metricWord(row.metric)}`,
          row.deltaPct === null ? noValue : formatDelta(row.deltaPct),
          row.lowPct === null || row.highPct === null
            ? noValue
            : `${formatDelta(row.lowPct)} to ${formatDelta(row.highPct)}`,
          row.word === null ? noValue : compareWords[row.word],
          row.latency === null ? noValue : formatDelta(row.latency.deltaPct),
        ]),
        'None of these runs has samples of a workload.',
        [1, 2, 4],
      ),
      tones: rows.map((row) => [
        null,
        toneOf(row.word),
        null,
        toneOf(row.word),
        toneOf(row.latency?.word),
      ]),
    };
  });
  return {
    title: 'Where it comes from',
    notes: ['Throughput of each workload, mean of the tiles; what lost most first.'],
    charts: [],
    tables,
  };
}

const pText = (p: number): string => (p < 0.001 ? '< 0.001' : p.toFixed(3));

/** The test behind each verdict: its interval, its p, and what it could have found. */
export function testsSection({ rows, sides, testing }: Comparison): ReportSection {
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

/** Change of each workload of each tile, a table for each run after the baseline. */
export function matrixSection(
  { matrix, runs }: Comparison,
  names: readonly string[],
): ReportSection {
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
