import type { SeriesDef } from '../metric/metric.ts';
import { runStyle, type SeriesStyle, tileStyle } from './palette.ts';

interface ShownUnit {
  unit: string;
  /** Shown value = stored value × factor. */ factor: number;
  decimals: number;
}

/**
 * The unit a series is drawn in: an uplink in Gb/s, as links are named, although vCenter counts
 * KB/s; all others as stored.
 */
export const shownUnit = ({
  metric,
  entity,
  unit,
  decimals,
}: Pick<SeriesDef, 'metric' | 'entity' | 'unit' | 'decimals'>): ShownUnit =>
  entity.kind === 'uplink' && metric === 'netKbps'
    ? { unit: 'Gb/s', factor: 8e-6, decimals: 3 }
    : { unit, factor: 1, decimals };

/**
 * What the lines of a chart are of: several things, measures of one thing by their labels, or one
 * measure in several runs.
 */
export type LineOf =
  | { kind: 'thing' }
  | { kind: 'measure'; label: string }
  | { kind: 'run'; id: string; name: string };

/** How a line looks and what it is called, wherever it is drawn: window, picture, report. */
export interface LineLook extends SeriesStyle, ShownUnit {
  /** Unique in its chart. */
  key: string;
  label: string;
  /** Lines of the same thing are highlighted together on all charts. */
  highlightKey: string;
}

/**
 * One series of a run as the `place`-th line of a chart, from 0. A tile keeps its colour on every
 * chart; all others take theirs in order. Of runs the first is the baseline.
 */
export function lineLook(def: SeriesDef, place: number, of: LineOf = { kind: 'thing' }): LineLook {
  const { tile, kind, id, name } = def.entity;
  const unit = shownUnit(def);
  const key = String(def.id);
  switch (of.kind) {
    case 'thing': {
      // A tile has several VMs: which of them is the question.
      const isTile = tile !== undefined && kind !== 'vm';
      return {
        ...unit,
        ...tileStyle(tile ?? place),
        key,
        label: isTile ? `Tile ${tile + 1}` : name,
        highlightKey: isTile ? `tile:${tile}` : `${kind}:${id}`,
      };
    }
    case 'measure':
      return { ...unit, ...tileStyle(place), key, label: of.label, highlightKey: def.metric };
    case 'run':
      return {
        ...unit,
        ...runStyle(place),
        key: of.id,
        label: place === 0 ? `${of.name} (baseline)` : of.name,
        highlightKey: of.id,
      };
  }
}
