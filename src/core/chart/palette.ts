/**
 * Series colours. All lie between the luminances that give 3:1 against both themes' backgrounds, so
 * one palette serves both and a tile keeps its colour everywhere, exports included. Colours of
 * equal lightness cannot all differ for colour-blind eyes: the second four are dashed as well.
 */
export const seriesColors: readonly string[] = [
  '#2f86d6',
  '#c96c1e',
  '#1f9a5a',
  '#e0559f',
  '#8a6fe0',
  '#84821f',
  '#a8707a',
  '#9a6fb0',
];
const dashes: readonly (readonly number[])[] = [[], [7, 3], [2, 2.5], [9, 3, 2, 3]];

/** Runs that serve as baseline, and lines that are not the highlighted one. */
export const neutralColor = '#868b94';
/** Past this, lines are grey and one is highlighted. */
export const maxColoredSeries = 8;

export interface SeriesStyle {
  color: string;
  dash: readonly number[];
}

/** Style of a tile (or of the n-th host, datastore, run): the same on every chart, for ever. */
export function tileStyle(index: number): SeriesStyle {
  const i = Math.max(0, Math.floor(index));
  return {
    color: seriesColors[i % seriesColors.length]!,
    dash: dashes[Math.floor(i / 4) % dashes.length]!,
  };
}

/** Heat of QoS headroom in percent: a state with its word, never colour alone. */
export function headroomState(headroomPct: number | null): 'none' | 'over' | 'near' | 'ok' {
  if (headroomPct === null || Number.isNaN(headroomPct)) return 'none';
  return headroomPct < 0 ? 'over' : headroomPct < 20 ? 'near' : 'ok';
}

/**
 * Line of a compared run or curve: the baseline is neutral grey, candidates take the palette in
 * order.
 */
export const runStyle = (index: number): SeriesStyle =>
  index === 0 ? { color: neutralColor, dash: [] } : tileStyle(index - 1);
