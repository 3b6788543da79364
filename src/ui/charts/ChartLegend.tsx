import { memo } from 'react';

import { maxColoredSeries } from '../../core/chart/palette.ts';
import type { ChartSeries } from '../engine/series.ts';
import styles from './charts.module.css';
import type { ChartGroup } from './group.ts';
import { highlightKeyOf } from './view.ts';

export interface ChartLegendProps {
  series: readonly ChartSeries[];
  group: ChartGroup;
  highlight: string | null;
  title: string;
  onOpen?: ((highlightKey: string) => void) | undefined;
  refNode: (node: HTMLElement | null) => void;
}

/**
 * Names and last values. Values are written by the chart, not by React. Past eight series: one
 * chosen line and the spread of all.
 */
export const ChartLegend = memo(function ChartLegend({
  series,
  group,
  highlight,
  title,
  onOpen,
  refNode,
}: ChartLegendProps) {
  if (series.length > maxColoredSeries) {
    const chosen = series.find((s) => highlightKeyOf(s) === highlight) ?? series[0]!;
    return (
      <div className={styles.legend} ref={refNode}>
        <Swatch series={chosen} solid />
        <select
          className={styles.pick}
          aria-label={`Highlighted series of ${title}`}
          value={highlightKeyOf(chosen)}
          onChange={(e) => group.set({ highlight: e.currentTarget.value })}
        >
          {series.map((s) => (
            <option key={s.key} value={highlightKeyOf(s)}>
              {s.label}
            </option>
          ))}
        </select>
        <span data-value className={styles.value} />
        {onOpen !== undefined && (
          <button
            type="button"
            className={styles.menuButton}
            onClick={() => {
              onOpen(highlightKeyOf(chosen));
            }}
          >
            {`Open ${chosen.label}`}
          </button>
        )}
        <span className={styles.spread}>
          of {series.length}: <span data-spread />
        </span>
      </div>
    );
  }
  return (
    <div className={styles.legend} ref={refNode}>
      {series.map((s) => {
        const key = highlightKeyOf(s);
        return (
          <button
            key={s.key}
            type="button"
            className={styles.entry}
            aria-pressed={highlight === key}
            title={s.measuredBy}
            onClick={() => group.set({ highlight: highlight === key ? null : key })}
          >
            <Swatch series={s} />
            <span className={styles.name}>{s.label}</span>
            <span data-value className={styles.value} />
          </button>
        );
      })}
    </div>
  );
});

function Swatch({ series, solid = false }: { series: ChartSeries; solid?: boolean }) {
  return (
    <svg width="18" height="8" aria-hidden="true" className={styles.swatch}>
      <line
        x1="0"
        y1="4"
        x2="18"
        y2="4"
        stroke={series.color}
        strokeWidth="2.5"
        strokeDasharray={series.dash.length > 0 && !solid ? series.dash.join(' ') : undefined}
      />
    </svg>
  );
}
