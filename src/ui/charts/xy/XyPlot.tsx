import { type KeyboardEvent, type PointerEvent, useId, useRef, useState } from 'react';

import { neighbour, valueAt, type XyInput, type XyPoint } from '../../../core/chart/xyModel.ts';
import styles from './xy.module.css';
import { firstOfEachFlaw, type PlacedPoint, type XyLayout, xyLayout } from './xyLayout.ts';
import { XyDot, XyLines } from './XyPoint.tsx';
import { XyAxis, XyBands, XyGrid } from './XyScale.tsx';

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

/**
 * Points over a parameter: every point has its place in the keyboard order, says what it is, and
 * opens its run.
 */
export function XyPlot(props: XyPlotProps) {
  const { input, width, height, title, unit, xLabel, xUnit, chosen, onChoose, onOpen } = props;
  const root = useRef<SVGSVGElement>(null);
  const [hovered, setHovered] = useState<string | null>(null);
  const clip = useId();
  const layout = xyLayout(input, width, height);
  const { box, points } = layout;
  const current = points.find((p) => p.point.key === chosen);
  const shown = points.find((p) => p.point.key === hovered) ?? current;
  const tabStop = (current ?? points[0])?.point.key;
  const worded = firstOfEachFlaw(input.series);
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
        <ZoomGround layout={layout} onZoom={props.onZoom} />
        <XyGrid layout={layout} />
        <XyBands layout={layout} />
        <XyAxis layout={layout} unit={unit} xLabel={xLabel} xUnit={xUnit} />
        <XyLines layout={layout} clip={clip} />
        {points.map((placed) => (
          <XyDot
            key={placed.point.key}
            layout={layout}
            placed={placed}
            chosen={placed.point.key === chosen}
            tabStop={placed.point.key === tabStop}
            worded={worded.has(placed.point.key)}
            onHover={setHovered}
            onChoose={onChoose}
            onKeyDown={onKeyDown}
            onOpen={onOpen}
          />
        ))}
      </svg>
      {shown !== undefined && <Readout placed={shown} width={width} height={height} />}
    </>
  );
}

/** A drag shorter than this is a click that slipped, px. */
const dragPx = 12;

/** The ground of the plot: a drag along a number axis zooms to a part of it, a double click back. */
function ZoomGround({
  layout: { input, axes, box },
  onZoom,
}: {
  layout: XyLayout;
  onZoom: XyPlotProps['onZoom'];
}) {
  const [drag, setDrag] = useState<{ from: number; to: number } | null>(null);
  const pxOf = (event: PointerEvent<SVGRectElement>): number =>
    event.clientX - (event.currentTarget.ownerSVGElement?.getBoundingClientRect().left ?? 0);
  const endDrag = (event: PointerEvent<SVGRectElement>): void => {
    if (drag === null) return;
    setDrag(null);
    const [low, high] = [Math.min(drag.from, pxOf(event)), Math.max(drag.from, pxOf(event))];
    if (high - low >= dragPx) onZoom([valueAt(axes, box, low), valueAt(axes, box, high)]);
  };
  return (
    <>
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
    </>
  );
}

/** The box beside a point: exact values, its source, what a click does. Stays inside the chart. */
function Readout({
  placed: { point, series, px, py },
  width,
  height,
}: {
  placed: PlacedPoint;
  width: number;
  height: number;
}) {
  const right = px > width * 0.6;
  const below = py < height * 0.45;
  return (
    <div
      className={styles.readout}
      aria-hidden
      style={{
        [right ? 'right' : 'left']: right ? width - px + 14 : px + 14,
        [below ? 'top' : 'bottom']: below ? py + 8 : height - py + 8,
        borderLeft: `3px solid ${series.color}`,
      }}
    >
      {point.lines.map((line, i) => (
        <div key={line} className={i === 0 ? styles.readoutHead : undefined}>
          {line}
        </div>
      ))}
      {point.open !== null && (
        <div className={styles.readoutHint}>Click or Enter opens the run</div>
      )}
    </div>
  );
}
