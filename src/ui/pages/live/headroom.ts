import { counted } from '../../../core/base/counted.ts';
import { formatExact, noValue } from '../../../core/base/format.ts';
import { type EarlyWarning, earlyWarnings } from '../../../core/limits/earlyWarning.ts';
import {
  limitsOf,
  overviewHeadroom,
  type QosHeadroom,
  type Samples,
  tilesOf,
  trendOf,
} from '../../../core/limits/index.ts';
import type { Profile } from '../../../core/profile/profile.ts';
import type { RunOverview } from '../../../core/run/run.ts';
import { isEnd } from '../../../core/run/states.ts';
import { periodAt, steadyPlanned } from '../../../core/run/windows.ts';
import { headroomText, type HeatCell } from '../../charts/HeatStrip.tsx';
import { createSeriesWindow, type SeriesSource } from '../../engine/series.ts';

const window = createSeriesWindow();

/** Mean of the samples within [fromMs, toMs); NaN for none. */
export function meanBetween(source: SeriesSource, fromMs: number, toMs: number): number {
  source.read(fromMs, toMs, window);
  let sum = 0;
  let count = 0;
  for (let p = 0; p < window.count; p++) {
    const { t, v, start, end } = window.parts[p]!;
    for (let i = start; i < end; i++) {
      if (t[i]! < fromMs || t[i]! >= toMs) continue;
      sum += v[i]!;
      count++;
    }
  }
  return sum / count;
}

/** Headroom of every limit as of now, worst first, from the series on the board. */
export function boardHeadroom(
  overview: RunOverview,
  profile: Profile | null,
  sourceOf: (seriesId: number) => SeriesSource,
  nowMs: number,
): QosHeadroom[] {
  return overviewHeadroom(
    overview,
    profile,
    (id, fromMs, toMs) => meanBetween(sourceOf(id), fromMs, toMs),
    nowMs,
  );
}

/**
 * Limits that will not hold in the running period, or over the steady state, at the present trend;
 * none outside the periods.
 */
export function boardWarnings(
  overview: RunOverview,
  profile: Profile | null,
  sourceOf: (seriesId: number) => SeriesSource,
  nowMs: number,
): EarlyWarning[] {
  const period = periodAt(overview.periods, nowMs);
  const steady = steadyPlanned(overview);
  if (profile === null || period === undefined || steady === null || isEnd(overview.state))
    return [];
  const ids = new Map(overview.series.map((s) => [`${s.entity.id}/${s.metric}`, s.id]));
  return earlyWarnings(
    limitsOf(profile, tilesOf(overview)),
    { period, steady },
    ({ entityId, metric, kind }, window) => {
      const id = ids.get(`${entityId}/${metric}`);
      return id === undefined
        ? null
        : trendOf(samplesBetween(sourceOf(id), window.startMs, nowMs), window, kind);
    },
    nowMs,
  );
}

function samplesBetween(source: SeriesSource, fromMs: number, toMs: number): Samples {
  source.read(fromMs, toMs, window);
  const tMs: number[] = [];
  const value: number[] = [];
  for (let p = 0; p < window.count; p++) {
    const { t, v, start, end } = window.parts[p]!;
    for (let i = start; i < end; i++) {
      tMs.push(t[i]!);
      value.push(v[i]!);
    }
  }
  return { tMs, value };
}

/** The tightest limit in words, and whose it is. `unlimited`: the profile sets no limit at all. */
export function worstHeadroom(
  list: readonly QosHeadroom[],
  unlimited: boolean,
): { text: string; of: string; bad: boolean } {
  const first = list[0];
  if (first?.lost) return { text: 'LOST', of: lostWords(list), bad: true };
  if (unlimited) return { text: noValue, of: 'the profile sets no limit', bad: false };
  if (first === undefined || first.headroom === null) return { text: noValue, of: '', bad: false };
  return {
    text: headroomText(first.headroom * 100, ' limit'),
    of: `tile ${first.tile + 1} ${first.name}`,
    bad: first.headroom < 0,
  };
}

/** The lost workload, or how many tiles have one. */
function lostWords(list: readonly QosHeadroom[]): string {
  const lost = list.filter((entry) => entry.lost);
  const tiles = new Set(lost.map((entry) => entry.tile));
  if (tiles.size > 1) return counted(tiles.size, 'tile');
  const names = new Set(lost.map((entry) => entry.name));
  const tile = `tile ${lost[0]!.tile + 1}`;
  return names.size === 1
    ? `${tile} ${lost[0]!.name}`
    : `${tile}, ${counted(names.size, 'workload')}`;
}

/** Row of the heat strip that holds a tile's tightest limit, whatever its workload. */
export const everyWorkload = '*';

/**
 * The tightest limit of each tile and workload, by `workloadId/tile`; and of each tile over all its
 * workloads.
 */
export function tightest(list: readonly QosHeadroom[]): Map<string, QosHeadroom> {
  const cells = new Map<string, QosHeadroom>();
  for (const entry of list) {
    for (const key of [`${entry.workloadId}/${entry.tile}`, `${everyWorkload}/${entry.tile}`])
      if (!cells.has(key)) cells.set(key, entry);
  }
  return cells;
}

/**
 * Cells of the heat strip by workload id and `tile:n`; the headroom is worked out once for all
 * cells asked for together.
 */
export function heatCells(
  headroom: () => readonly QosHeadroom[],
  wallMs: () => number = () => performance.now(),
): (rowId: string, columnId: string) => HeatCell | undefined {
  let atMs = -Infinity;
  let cells = new Map<string, QosHeadroom>();
  return (rowId, columnId) => {
    const now = wallMs();
    if (now - atMs > 500) {
      atMs = now;
      cells = tightest(headroom());
    }
    const found = cells.get(`${rowId}/${columnId.slice('tile:'.length)}`);
    if (found === undefined) return undefined;
    const of = `Tile ${found.tile + 1} ${found.name}`;
    if (found.lost) return { pct: null, lost: true, detail: `${of}: lost, no sample arrives` };
    const measured =
      found.value === null ? 'no sample' : `${formatExact(found.value, 2)} ${found.unit}`;
    const side = found.kind === 'max' ? 'at most' : 'at least';
    return {
      pct: found.headroom === null ? null : found.headroom * 100,
      detail:
        `${of}: ${measured} of ${side} ` +
        `${formatExact(found.limit, 2)} ` +
        `${found.unit}${found.over === 'steady' ? ', over the steady state' : ''}`,
    };
  };
}
