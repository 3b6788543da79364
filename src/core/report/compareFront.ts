import { noValue } from '../base/format.ts';
import { compareWords, type Comparison, formatCell, formatDelta } from '../compare/index.ts';
import type { KeyNumber } from '../score/keyNumbers.ts';
import { overlaySection } from './compareFigures.ts';
import { forestSection, matrixSection } from './compareMetrics.ts';
import type { CompareReportInput } from './compareReportInput.ts';
import { changesTable } from './compareSetup.ts';
import type { ReportSection } from './model.ts';

type Row = Comparison['rows'][number];

/** Rows that leave room for the rest of a page. */
const mostTiles = 12;

/** The greatest change of a row against the baseline, in percent; 0 = none known. */
const greatest = ({ deltaPct }: Row): number =>
  Math.max(0, ...deltaPct.flatMap((v) => (v === null ? [] : [Math.abs(v)])));
const byChange = (rows: readonly Row[]): Row[] =>
  [...rows].sort((a, b) => greatest(b) - greatest(a));
const isThroughput = ({ key }: Row): boolean =>
  key.startsWith('throughput.') && !key.endsWith('.sum');
const isLatency = ({ key }: Row): boolean => key.startsWith('latency');

/** The row a comparison is drawn by: a latency that changed most, else any that did. */
const drawnRow = (rows: readonly Row[]): Row | undefined =>
  byChange(rows.filter(isLatency))[0] ?? byChange(rows)[0];

/** Score, the workload that changed most, and power of the first run beside the baseline. */
export function compareNumbers({ rows, runs, guards, sides }: Comparison): KeyNumber[] {
  if (runs.length !== 2 || guards.length > 0) return [];
  const chosen: [string, Row | undefined][] = [
    ['Score', rows.find(({ key }) => key === 'score')],
    ['Changed most', byChange(rows.filter(isThroughput))[0]],
    ['Power', rows.find(({ key, unit }) => key.startsWith('power') && unit === 'W')],
  ];
  return chosen.flatMap(([label, row]): KeyNumber[] => {
    if (row === undefined) return [];
    const delta = row.deltaPct[1] ?? null;
    const test = sides.length === 2 ? (row.tests[1] ?? null) : null;
    const values = row.values.map((v) => formatCell(v, 2)).join(' to ');
    const word = test === null ? '' : `, ${compareWords[test.word]}`;
    return [
      {
        label,
        figure: delta === null ? noValue : formatDelta(delta),
        unit: '',
        note: `${label === row.label ? '' : `${row.label}: `}${values} ${row.unit}`.trim() + word,
      },
    ];
  });
}

/** What stands first, or alone, in the report of a comparison: two pages. */
export function compareFront(input: CompareReportInput, names: readonly string[]): ReportSection[] {
  const { comparison } = input;
  return [
    ...drawnSection(input, names),
    changesSection(comparison, names),
    { ...forestSection(comparison), newPage: true as const },
    ...tilesSection(comparison, names),
  ].map((section) => ({ ...section, part: 'summary' as const }));
}

function drawnSection(input: CompareReportInput, names: readonly string[]): ReportSection[] {
  const row = drawnRow(input.comparison.rows);
  const overlays = input.overlays.filter(({ label }) => label === row?.label);
  const { charts } = overlaySection({ ...input, overlays }, names);
  return charts.length === 0
    ? []
    : [{ title: 'What changed most, over time', notes: [], tables: [], charts }];
}

function changesSection(comparison: Comparison, names: readonly string[]): ReportSection {
  const title = 'What differs';
  const tables = [changesTable(title, comparison, names, 40, 'the full report')];
  return { title, notes: [], charts: [], tables };
}

/** The first table of tiles, as long as the page has room. */
function tilesSection(comparison: Comparison, names: readonly string[]): ReportSection[] {
  const { tables } = matrixSection(comparison, names);
  const [first] = tables;
  if (first === undefined || first.rows.length === 0) return [];
  const rows = first.rows.slice(0, mostTiles);
  const more = first.rows.length - rows.length;
  return [
    {
      title: 'Tile by tile, summary',
      notes: [],
      charts: [],
      tables: [
        {
          ...first,
          rows,
          ...(first.tones === undefined ? {} : { tones: first.tones.slice(0, mostTiles) }),
          ...(more > 0 ? { note: `${more} more tiles in the full report.` } : {}),
        },
      ],
    },
  ];
}
