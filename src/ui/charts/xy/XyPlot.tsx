import { type KeyboardEvent, type PointerEvent, useId, useRef, useState } from 'react';

import { axisFormatter } from '../../../core/base/format.ts';
import {
  axisTitle,
  coveredBy,
  labelRowPx,
  labelRows,
  linePath,
  neighbour,
  placeX,
  placeY,
  plotBox,
  pointX,
  shapePath,
  valueAt,
  xyAxes,
  type XyInput,
  xyMargins,
  type XyPoint,
  type XySeries,
} from '../../../core/chart/xyModel.ts';
import { titleUnit } from '../chartText.ts';
import styles from './xy.module.css';

export interface XyPlotProps {
  input: XyInput;
  width: number;
  height: number;
  title: string;
  unit: string;
  xLabel: string;
  xUnit: string;
  /** Key of the point that is shown as chosen, from the table. */
  chosen: string | null;
  onChoose: (key: string | null) => void;
  onOpen: (address: string) => void;
  /** A part of the axis was chosen by drag; null = all of it again. */
  onZoom: (range: readonly [number, number] | null) => void;
}
const arrows: Readonly<Record<string, 'left' | 'right' | 'up' | 'down' | 'first' | 'last'>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
  Home: 'first',
  End: 'last',
};
const labelPx = (text: string): number => text.length * 6.2 + 8;

/**
 * Points over a parameter: every point has its place in the keyboard order, says what it is, and
 * opens its run.
 */
export function XyPlot({
  input,
  width,
  height,
  title,
  unit,
  xLabel,
  xUnit,
  chosen,
  onChoose,
  onOpen,
  onZoom,
}: XyPlotProps) {
  const root = useRef<SVGSVGElement>(null);
  const [hovered, setHovered] = useState<string | null>(null);
  const [drag, setDrag] = useState<{ from: number; to: number } | null>(null);
  const clip = useId();
  const box = plotBox(width, height, input.bands.length + input.marks.length);
  const axes = xyAxes(input, box);
  const all = input.series.flatMap((s) =>
    s.points
      .filter((p) => p.x >= axes.x[0] && p.x <= axes.x[1])
      .map((point) => ({ series: s, point })),
  );
  const current = all.find((e) => e.point.key === chosen) ?? null;
  const shown = all.find((e) => e.point.key === hovered) ?? current;
  const tabStop = current?.point.key ?? all[0]?.point.key;
  const valueText = axisFormatter(
    Math.max(Math.abs(axes.y[0]), Math.abs(axes.y[1])),
    (axes.yTicks[1] ?? 1) - (axes.yTicks[0] ?? 0),
  );
  const at = (s: XySeries, p: XyPoint): [number, number] => [
    pointX(axes, box, input, input.series.indexOf(s), p.x),
    placeY(axes, box, p.y),
  ];
  const inside = (px: number): number => Math.min(box.left + box.width, Math.max(box.left, px));
  const bands = input.bands.map((b) => ({
    ...b,
    fromPx: inside(placeX(axes, box, b.from)),
    toPx: inside(placeX(axes, box, b.to)),
  }));
  const marks = input.marks.map((m) => ({ ...m, px: inside(placeX(axes, box, m.at)) }));
  const centred = (
    key: string,
    px: number,
    text: string,
  ): { key: string; centre: number; width: number } => {
    const half = labelPx(text) / 2;
    return {
      key,
      width: half * 2,
      centre: Math.min(box.left + box.width - half, Math.max(box.left + half, px)),
    };
  };
  const labels = [
    ...bands.map((b) => centred(b.key, (b.fromPx + b.toPx) / 2, b.label)),
    ...marks.map((m) => centred(m.key, m.px, m.label)),
  ];
  const rows = labelRows(labels);
  const label = (key: string, text: string): React.ReactNode => {
    const place = labels.find((l) => l.key === key);
    return place === undefined ? null : (
      <text
        x={place.centre}
        y={xyMargins.top - 3 + (rows.get(key) ?? 0) * labelRowPx}
        textAnchor="middle"
        className={styles.label}
      >
        {text}
      </text>
    );
  };
  const onKeyDown = (event: KeyboardEvent<SVGGElement>, point: XyPoint): void => {
    const arrow = arrows[event.key];
    if (arrow !== undefined) {
      event.preventDefault();
      const next = neighbour(input.series, point.key, arrow);
      if (next === null) return;
      onChoose(next.key);
      root.current?.querySelector<SVGGElement>(`[data-point="${CSS.escape(next.key)}"]`)?.focus();
    } else if ((event.key === 'Enter' || event.key === ' ') && point.open !== null) {
      event.preventDefault();
      onOpen(point.open);
    }
  };
  const pxOf = (event: PointerEvent): number =>
    event.clientX - (root.current?.getBoundingClientRect().left ?? 0);
  const endDrag = (event: PointerEvent): void => {
    if (drag === null) return;
    setDrag(null);
    const [low, high] = [Math.min(drag.from, pxOf(event)), Math.max(drag.from, pxOf(event))];
    // Less than this is a click that slipped.
    if (high - low >= 12) onZoom([valueAt(axes, box, low), valueAt(axes, box, high)]);
  };
  // Equal curves lie over each other: the ones below are wider, so that each is seen.
  const measured = input.series.filter((s) => !s.published);
  // Another point stands where the icon would: it goes below its own.
  const crowded = (px: number, py: number): boolean =>
    all.some((e) => {
      const [ox, oy] = at(e.series, e.point);
      return Math.abs(ox - px) < 14 && oy < py - 1 && oy > py - 32;
    });
  // Words beside the first of neighbouring flawed points only: the icon is on each.
  const worded = firstOfEachFlaw(input.series);
  return (
    <>
      <svg
        ref={root}
        width={width}
        height={height}
        role="group"
        aria-label={`${title} against ${xLabel}, points`}
        className={styles.svg}
        onPointerLeave={() => setHovered(null)}
      >
        <clipPath id={clip}>
          <rect x={box.left - 8} y={0} width={box.width + 16} height={height} />
        </clipPath>
        <rect
          aria-hidden
          x={box.left}
          y={box.top}
          width={box.width}
          height={box.height}
          fill="transparent"
          className={input.categories === null ? styles.ground : undefined}
          onPointerDown={(event) => {
            if (input.categories !== null || event.button !== 0) return;
            event.currentTarget.setPointerCapture(event.pointerId);
            setDrag({ from: pxOf(event), to: pxOf(event) });
          }}
          onPointerMove={(event) => {
            if (drag !== null) setDrag({ ...drag, to: pxOf(event) });
          }}
          onPointerUp={endDrag}
          onPointerCancel={() => setDrag(null)}
          onDoubleClick={() => onZoom(null)}
        />
        {drag !== null && (
          <rect
            aria-hidden
            x={Math.max(box.left, Math.min(drag.from, drag.to))}
            width={Math.abs(drag.to - drag.from)}
            y={box.top}
            height={box.height}
            className={styles.drag}
          />
        )}
        {axes.yTicks.map((y) => {
          const py = Math.round(placeY(axes, box, y)) + 0.5;
          return (
            <g key={y} aria-hidden>
              <line
                x1={box.left}
                x2={box.left + box.width}
                y1={py}
                y2={py}
                className={styles.grid}
              />
              <text x={box.left - 8} y={py} dy="0.35em" textAnchor="end" className={styles.tick}>
                {valueText(y)}
              </text>
            </g>
          );
        })}
        {bands.map((b) => (
          <g key={b.key} aria-hidden className={styles.still}>
            <rect
              x={Math.min(b.fromPx, b.toPx) - (b.fromPx === b.toPx ? 1 : 0)}
              width={Math.max(2, Math.abs(b.toPx - b.fromPx))}
              y={box.top}
              height={box.height}
              className={styles.band}
              data-faint={b.faint || undefined}
            />
            {label(b.key, b.label)}
          </g>
        ))}
        {marks.map((m) => (
          <g key={m.key} aria-hidden className={styles.still}>
            <line
              x1={m.px}
              x2={m.px}
              y1={box.top - 4}
              y2={box.top + box.height}
              className={styles.markLine}
            />
            {label(m.key, m.label)}
          </g>
        ))}
        <g aria-hidden>
          <line
            x1={box.left}
            x2={box.left + box.width}
            y1={box.top + box.height + 0.5}
            y2={box.top + box.height + 0.5}
            className={styles.axis}
          />
          {axes.xTicks.map((t) => (
            <g key={t.at}>
              <line
                x1={placeX(axes, box, t.at)}
                x2={placeX(axes, box, t.at)}
                y1={box.top + box.height}
                y2={box.top + box.height + 4}
                className={styles.axis}
              />
              <text
                x={placeX(axes, box, t.at)}
                y={box.top + box.height + 16}
                textAnchor="middle"
                className={styles.tick}
              >
                {short(
                  t.label,
                  input.categories === null
                    ? 12
                    : Math.floor(box.width / Math.max(1, input.categories.length) / 6.5),
                )}
              </text>
            </g>
          ))}
          <text
            x={box.left + box.width / 2}
            y={height - 6}
            textAnchor="middle"
            className={styles.axisName}
          >
            {axisTitle(xLabel, xUnit)}
          </text>
          <text
            x={14}
            y={box.top + box.height / 2}
            textAnchor="middle"
            transform={`rotate(-90 14 ${box.top + box.height / 2})`}
            className={styles.axisName}
          >
            {titleUnit(unit)}
          </text>
        </g>
        {input.categories !== null &&
          measured.map((s) =>
            s.points.map((p) => {
              const [px, py] = at(s, p);
              return (
                <rect
                  key={p.key}
                  aria-hidden
                  x={px - 9}
                  width={18}
                  y={Math.min(py, placeY(axes, box, 0))}
                  height={Math.abs(placeY(axes, box, 0) - py)}
                  fill={s.color}
                  fillOpacity={0.3}
                />
              );
            }),
          )}
        {input.categories === null &&
          measured.map((s, i) => (
            <path
              key={s.key}
              aria-hidden
              clipPath={`url(#${clip})`}
              d={linePath(s.points, axes, box)}
              fill="none"
              stroke={s.color}
              strokeWidth={2 + Math.min(3, coveredBy(measured, i)) * 1.5}
              strokeDasharray={s.dash.join(' ') || undefined}
            />
          ))}
        {all.map(({ series, point }) => {
          const [px, py] = at(series, point);
          const openable = point.open !== null;
          return (
            <g
              key={point.key}
              data-point={point.key}
              role={openable ? 'button' : 'img'}
              tabIndex={point.key === tabStop ? 0 : -1}
              aria-label={`${point.lines.join('. ')}${openable ? '. Opens its run.' : '.'}`}
              className={styles.point}
              data-open={openable || undefined}
              onPointerEnter={() => setHovered(point.key)}
              onFocus={() => onChoose(point.key)}
              onKeyDown={(event) => onKeyDown(event, point)}
              onClick={() => {
                if (point.open !== null) onOpen(point.open);
              }}
            >
              {point.low !== null && point.high !== null && point.high > point.low && (
                <path
                  d={
                    `M${px} ` +
                    `${placeY(axes, box, point.low)}V${placeY(axes, box, point.high)}M${px - 4} ` +
                    `${placeY(axes, box, point.low)}h8M${px - 4} ` +
                    `${placeY(axes, box, point.high)}h8`
                  }
                  stroke={series.color}
                  strokeWidth={1.5}
                />
              )}
              <circle
                cx={px}
                cy={py}
                r={11}
                fill="transparent"
                className={styles.halo}
                data-chosen={point.key === chosen || undefined}
              />
              <path
                d={shapePath(series.shape, series.published ? 7.5 : 5)}
                transform={`translate(${px} ${py})`}
                fill={series.published ? 'none' : series.color}
                stroke={series.published ? series.color : 'var(--tb-chart-background)'}
                strokeWidth={series.published ? 2 : 1}
              />
              {point.flaw !== null && (
                <g
                  transform={`translate(${px} ${crowded(px, py) ? py + 17 : py - 15})`}
                  className={styles.flaw}
                >
                  <path d="M0 -6L6.5 5H-6.5Z" />
                  <path d="M0 -2.5V1.5M0 3V3.6" className={styles.flawInk} />
                  {worded.has(point.key) &&
                    (px + 14 + labelPx(point.flaw.word) > width ? (
                      <text x={-9} y={4} textAnchor="end">
                        {point.flaw.word}
                      </text>
                    ) : (
                      <text x={9} y={4}>
                        {point.flaw.word}
                      </text>
                    ))}
                </g>
              )}
            </g>
          );
        })}
      </svg>
      {shown !== null && (
        <Readout
          lines={shown.point.lines}
          openable={shown.point.open !== null}
          x={at(shown.series, shown.point)[0]}
          y={at(shown.series, shown.point)[1]}
          width={width}
          height={height}
          color={shown.series.color}
        />
      )}
    </>
  );
}

const short = (text: string, room: number): string =>
  text.length <= Math.max(4, room) ? text : `${text.slice(0, Math.max(3, room - 1))}…`;

function firstOfEachFlaw(series: readonly XySeries[]): Set<string> {
  const keys = new Set<string>();
  for (const s of series) {
    const ordered = [...s.points].sort((a, b) => a.x - b.x);
    ordered.forEach((p, i) => {
      if (p.flaw !== null && ordered[i - 1]?.flaw?.word !== p.flaw.word) keys.add(p.key);
    });
  }
  return keys;
}

/** The box beside a point: exact values, its source, what a click does. Stays inside the chart. */
function Readout({
  lines,
  openable,
  x,
  y,
  width,
  height,
  color,
}: {
  lines: readonly string[];
  openable: boolean;
  x: number;
  y: number;
  width: number;
  height: number;
  color: string;
}) {
  const right = x > width * 0.6;
  const below = y < height * 0.45;
  return (
    <div
      className={styles.readout}
      aria-hidden
      style={{
        [right ? 'right' : 'left']: right ? width - x + 14 : x + 14,
        [below ? 'top' : 'bottom']: below ? y + 8 : height - y + 8,
        borderLeft: `3px solid ${color}`,
      }}
    >
      {lines.map((line, i) => (
        <div key={line} className={i === 0 ? styles.readoutHead : undefined}>
          {line}
        </div>
      ))}
      {openable && <div className={styles.readoutHint}>Click or Enter opens the run</div>}
    </div>
  );
}
