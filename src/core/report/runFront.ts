import { counted } from '../base/counted.ts';
import { formatElapsed, noValue, quantityText } from '../base/format.ts';
import { type BoardChart, workloadName } from '../chart/boardCharts.ts';
import { heroChart } from '../chart/heroChart.ts';
import { aggregateRun, type Comparison, meanPower } from '../compare/index.ts';
import { eventGroups } from '../run/eventGroups.ts';
import { isForeign } from '../run/foreign.ts';
import type { RunRecord } from '../run/run.ts';
import { headroomNumber, type KeyNumber, powerNumber, scoreNumber } from '../score/keyNumbers.ts';
import { limitSentence } from '../score/limitSentence.ts';
import { cellText, resultTable, worstTilesFirst } from '../score/resultCells.ts';
import { tightestOf, worstCell } from '../score/worstCell.ts';
import { changesTable } from './compareSetup.ts';
import type { ReportSection, Tone } from './model.ts';
import { chartOfRun, type RunSamples } from './runCharts.ts';
import { stageStill } from './stageStill.ts';
import { clipText } from './svgLegend.ts';
import { table } from './tables.ts';

/** Rows that leave room for hosts and events on the same page. */
const mostTiles = 12,
  mostEvents = 6;
/** A text of a summary, in pixels of a body of 10. */
const textPx = 900;

/** What a run is held against: its reference, or the last run of its plan. */
export interface RunAgainst {
  kind: 'reference' | 'last';
  name: string;
  /** The other run is the baseline. */
  comparison: Comparison;
}

/** The three numbers of a run. */
export function runNumbers(record: RunRecord, { aggregate }: RunSamples): KeyNumber[] {
  const { overview, plan, imported } = record;
  const power = { ...overview, series: overview.series.filter((s) => s.metric === 'powerW') };
  const watts =
    aggregate === undefined ? null : (meanPower(aggregateRun(power, aggregate))?.watts ?? null);
  if (isForeign(imported)) return watts === null ? [] : [powerNumber(overview.score, watts, 0)];
  return [
    scoreNumber(record),
    headroomNumber(overview.score),
    powerNumber(overview.score, watts, plan.tiles),
  ];
}

/** The chart that a result is told by, or null where nothing was recorded. */
export function worstChart(
  { overview }: RunRecord,
  charts: readonly BoardChart[],
): { chart: BoardChart; tile: number | null; workloadId: string | null } | null {
  const cell = worstCell(overview.score);
  const tightest = cell === null ? undefined : tightestOf(overview.score, cell);
  const chart = heroChart(charts, cell?.workloadId ?? null, tightest);
  return chart === null
    ? null
    : { chart, tile: cell?.tile ?? null, workloadId: cell?.workloadId ?? null };
}

/** What stands first, or alone, in the report of a run: two pages. */
export function runFront(
  record: RunRecord,
  worst: ReturnType<typeof worstChart>,
  samples: RunSamples,
  against: RunAgainst | null | undefined,
): ReportSection[] {
  const second = [
    ...tilesSection(record),
    ...stageSection(record, samples),
    ...happenedSection(record),
  ];
  return [
    ...(worst === null ? [] : [worstSection(record, worst, samples)]),
    ...(against === undefined ? [] : [differsSection(against)]),
    {
      title: 'The limits',
      part: 'summary',
      notes: [limitSentence(record.overview.score)],
      tables: [],
      charts: [],
    },
    ...second.map((section, i) => (i === 0 ? { ...section, newPage: true as const } : section)),
  ];
}

function worstSection(
  record: RunRecord,
  { chart, tile, workloadId }: NonNullable<ReturnType<typeof worstChart>>,
  samples: RunSamples,
): ReportSection {
  return {
    title:
      workloadId === null
        ? 'Over the run'
        : `The worst: ${workloadName(record.profile, workloadId)}${tile === null ? '' : `, tile ${tile + 1}`}`,
    part: 'summary',
    notes: [],
    tables: [],
    charts: [chartOfRun(record, chart, samples, tile)],
  };
}

function differsSection(against: RunAgainst | null): ReportSection {
  const title = 'What differs';
  const base = { part: 'summary' as const, charts: [] };
  if (against === null)
    return {
      ...base,
      title,
      notes: ['Nothing to hold this run against: no reference, and no earlier run of its plan.'],
      tables: [],
    };
  const { name, kind, comparison } = against;
  const { sentence, guards } = comparison;
  const heads = [name, 'This run'];
  const rest = 'the comparison of the two runs';
  return {
    ...base,
    title: `${title} from ${kind === 'reference' ? 'the reference' : 'the last run'}, ${name}`,
    notes: [clipText([sentence, ...guards.slice(0, 1)].join(' '), textPx * 2, 10)],
    tables: [changesTable('What differs in the set-up', comparison, heads, 60, rest)],
  };
}

function tilesSection({ overview, imported }: RunRecord): ReportSection[] {
  const { score } = overview;
  if (score === null || score.periods.length === 0 || isForeign(imported)) return [];
  const { rows, workloads, basis } = resultTable(score);
  const shown = rows.length > mostTiles ? worstTilesFirst(rows).slice(0, mostTiles) : rows;
  const total = workloads.map(({ total: sum, unit }) =>
    sum === null ? noValue : quantityText(sum, unit),
  );
  const share =
    basis === null ? '' : ` (share of the ${basis === 'median' ? 'median tile' : 'reference'})`;
  return [
    {
      title: 'Tile by tile',
      part: 'summary',
      notes: [],
      charts: [],
      tables: [
        {
          ...table(
            'Tile by tile',
            ['Tile', ...workloads.map((w) => `${w.name}${w.scored ? '' : ', not scored'}`)],
            [
              ...(rows.length > 1 ? [['All', ...total]] : []),
              ...shown.map(({ tile, cells }) => [
                String(tile + 1),
                ...cells.map((cell, i) => cellText(cell, workloads[i]!.unit)),
              ]),
            ],
            'No measurement period was reached.',
          ),
          tones: [
            ...(rows.length > 1 ? [[null, ...total.map((): Tone => 'strong')]] : []),
            ...shown.map(({ cells }) => [
              null,
              ...cells.map(({ tightest }): Tone | null =>
                (tightest?.headroom ?? 0) < 0 ? 'bad' : null,
              ),
            ]),
          ],
          note:
            `Work done${share}; what is left of the tightest limit in its worst period.` +
            (shown.length < rows.length
              ? ` The ${shown.length} worst of ${rows.length} tiles.`
              : ''),
        },
      ],
    },
  ];
}

/** Where the VMs ran, where that is a picture. */
function stageSection(record: RunRecord, { read }: RunSamples): ReportSection[] {
  const stage = stageStill(record, read);
  return stage === null
    ? []
    : [
        {
          title: 'Hosts and their VMs',
          part: 'summary',
          notes: [],
          tables: [],
          charts: [],
          stage,
        },
      ];
}

/** What happened, one cause one row, what weighs most first. */
function happenedSection({ overview }: RunRecord): ReportSection[] {
  const origin = overview.startedAtMs ?? overview.createdAtMs;
  const groups = eventGroups(overview);
  const more = groups.length - mostEvents;
  return [
    {
      title: 'What happened',
      part: 'summary',
      notes: [],
      charts: [],
      tables: [
        {
          ...table(
            'What happened',
            ['Elapsed', 'What'],
            groups
              .slice(0, mostEvents)
              .map(({ atMs, untilMs, text }) => [
                formatElapsed(Math.max(0, atMs - origin)) +
                  (untilMs === null ? '' : ` to ${formatElapsed(Math.max(0, untilMs - origin))}`),
                clipText(text, textPx, 10),
              ]),
            'Nothing happened that is worth a word.',
          ),
          ...(more > 0 ? { note: `And ${counted(more, 'more entry', 'more entries')}.` } : {}),
        },
      ],
    },
  ];
}
