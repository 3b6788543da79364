import { formatComputed } from '../../../core/base/format.ts';
import { scaleOf, shapePath, type XyInput, type XySeries } from '../../../core/chart/xyModel.ts';
import styles from './xy.module.css';

interface Props {
  input: XyInput;
  decimals: number;
  unit: string;
}

/** Every series with its shape and, along a number axis, its last value. */
export function XyLegend({ input, decimals, unit }: Props) {
  return (
    <div className={styles.legend}>
      {input.series.map((s) => (
        <LegendEntry
          key={s.key}
          series={s}
          {...scaleOf(input, s, { decimals, unit })}
          line={input.categories === null}
        />
      ))}
    </div>
  );
}

function LegendEntry({
  series,
  decimals,
  unit,
  line,
}: {
  series: XySeries;
  decimals: number;
  unit: string;
  /** Joined along a number axis. */ line: boolean;
}) {
  const last = [...series.points].sort((a, b) => a.x - b.x).at(-1);
  return (
    <span className={styles.entry}>
      <svg width={26} height={14} aria-hidden>
        {line && !series.published && (
          <line
            x1={0}
            x2={26}
            y1={7}
            y2={7}
            stroke={series.color}
            strokeWidth={2}
            strokeDasharray={series.dash.join(' ') || undefined}
          />
        )}
        <path
          d={shapePath(series.shape, 5)}
          transform="translate(13 7)"
          fill={series.published ? 'var(--tb-chart-background)' : series.color}
          stroke={series.color}
          strokeWidth={series.published ? 2 : 0}
        />
      </svg>
      <span>{series.label}</span>
      {line && last !== undefined && !series.published && (
        <b title="Last point">{`${formatComputed(last.y, decimals)}${unit === '' ? '' : ` ${unit}`}`}</b>
      )}
    </span>
  );
}
