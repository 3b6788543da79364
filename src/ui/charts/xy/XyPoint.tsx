import type { KeyboardEvent } from 'react';

import {
  axesOf,
  coveredBy,
  linePath,
  placeY,
  pointX,
  shapePath,
  type XyPoint,
} from '../../../core/chart/xyModel.ts';
import styles from './xy.module.css';
import { isCrowded, labelPx, type PlacedPoint, type XyLayout } from './xyLayout.ts';

/**
 * What joins measured points: lines along a number axis, bars over categories. Equal curves lie
 * over each other: the ones below are wider, so that each is seen. `clip`: id of the clip path.
 */
export function XyLines({
  layout: { input, axes, box },
  clip,
}: {
  layout: XyLayout;
  clip: string;
}) {
  const measured = input.series.filter((s) => !s.published);
  if (input.categories === null)
    return measured.map((s, i) => (
      <path
        key={s.key}
        aria-hidden
        clipPath={`url(#${clip})`}
        d={linePath(s.points, axesOf(axes, s), box)}
        fill="none"
        stroke={s.color}
        strokeWidth={2 + Math.min(3, coveredBy(measured, i)) * 1.5}
        strokeDasharray={s.dash.join(' ') || undefined}
      />
    ));
  return measured.map((s) => {
    const own = axesOf(axes, s);
    const zero = placeY(own, box, 0);
    return s.points.map((p) => {
      const py = placeY(own, box, p.y);
      return (
        <rect
          key={p.key}
          aria-hidden
          x={pointX(axes, box, input, input.series.indexOf(s), p.x) - 9}
          width={18}
          y={Math.min(py, zero)}
          height={Math.abs(zero - py)}
          fill={s.color}
          fillOpacity={0.3}
        />
      );
    });
  });
}

interface XyDotProps {
  layout: XyLayout;
  placed: PlacedPoint;
  chosen: boolean;
  /** The one point that the Tab key reaches. */
  tabStop: boolean;
  /** Its flaw is said in words, not by the icon only. */
  worded: boolean;
  onHover: (key: string) => void;
  onChoose: (key: string) => void;
  onKeyDown: (event: KeyboardEvent<SVGGElement>, point: XyPoint) => void;
  onOpen: (address: string) => void;
}

/** One point: its shape, its spread, its flaw; says what it is and opens its run. */
export function XyDot({
  layout,
  placed,
  chosen,
  tabStop,
  worded,
  onHover,
  onChoose,
  onKeyDown,
  onOpen,
}: XyDotProps) {
  const { series, point, px, py } = placed;
  const openable = point.open !== null;
  return (
    <g
      data-point={point.key}
      role={openable ? 'button' : 'img'}
      tabIndex={tabStop ? 0 : -1}
      aria-label={`${point.lines.join('. ')}${openable ? '. Opens its run.' : '.'}`}
      className={styles.point}
      data-open={openable || undefined}
      onPointerEnter={() => onHover(point.key)}
      onFocus={() => onChoose(point.key)}
      onKeyDown={(event) => onKeyDown(event, point)}
      onClick={() => {
        if (point.open !== null) onOpen(point.open);
      }}
    >
      <Spread layout={layout} placed={placed} />
      <circle
        cx={px}
        cy={py}
        r={11}
        fill="transparent"
        className={styles.halo}
        data-chosen={chosen || undefined}
      />
      <path
        d={shapePath(series.shape, series.published ? 7.5 : 5)}
        transform={`translate(${px} ${py})`}
        fill={series.published ? 'none' : series.color}
        stroke={series.published ? series.color : 'var(--tb-chart-background)'}
        strokeWidth={series.published ? 2 : 1}
      />
      {point.flaw !== null && (
        <Flaw
          word={worded ? point.flaw.word : null}
          px={px}
          py={isCrowded(layout, placed) ? py + 17 : py - 15}
          width={layout.width}
        />
      )}
    </g>
  );
}

/** From the lowest to the highest repeat of a point. */
function Spread({ layout: { axes, box }, placed }: { layout: XyLayout; placed: PlacedPoint }) {
  const { point, series, px } = placed;
  if (point.low === null || point.high === null || point.high <= point.low) return null;
  const own = axesOf(axes, series);
  const low = placeY(own, box, point.low);
  const high = placeY(own, box, point.high);
  return (
    <path
      d={`M${px} ${low}V${high}M${px - 4} ${low}h8M${px - 4} ${high}h8`}
      stroke={series.color}
      strokeWidth={1.5}
    />
  );
}

/** A warning beside a point, its word on the side where there is room. */
function Flaw({
  word,
  px,
  py,
  width,
}: {
  word: string | null;
  px: number;
  py: number;
  /** Of the plot, px. */
  width: number;
}) {
  return (
    <g transform={`translate(${px} ${py})`} className={styles.flaw}>
      <path d="M0 -6L6.5 5H-6.5Z" />
      <path d="M0 -2.5V1.5M0 3V3.6" className={styles.flawInk} />
      {word !== null &&
        (px + 14 + labelPx(word) > width ? (
          <text x={-9} y={4} textAnchor="end">
            {word}
          </text>
        ) : (
          <text x={9} y={4}>
            {word}
          </text>
        ))}
    </g>
  );
}
