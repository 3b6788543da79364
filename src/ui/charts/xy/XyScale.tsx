import { valueAxisText } from '../../../core/base/format.ts';
import { axisTitle, placeX, placeY } from '../../../core/chart/xyModel.ts';
import { titleUnit } from '../chartText.ts';
import styles from './xy.module.css';
import type { XyLayout } from './xyLayout.ts';

/** Lines across the plot with the values they stand for. */
export function XyGrid({ layout: { axes, box } }: { layout: XyLayout }) {
  const valueText = valueAxisText(axes);
  return (
    <>
      {axes.yTicks.map((y) => {
        const py = Math.round(placeY(axes, box, y)) + 0.5;
        return (
          <g key={y} aria-hidden>
            <line x1={box.left} x2={box.left + box.width} y1={py} y2={py} className={styles.grid} />
            <text x={box.left - 8} y={py} dy="0.35em" textAnchor="end" className={styles.tick}>
              {valueText(y)}
            </text>
          </g>
        );
      })}
      {axes.right !== null && <RightTicks axes={axes} right={axes.right} box={box} />}
    </>
  );
}

/** Values of the axis at the right, with short lines: those across are of the one at the left. */
function RightTicks({
  axes,
  right,
  box,
}: {
  axes: XyLayout['axes'];
  right: NonNullable<XyLayout['axes']['right']>;
  box: XyLayout['box'];
}) {
  const valueText = valueAxisText(right);
  const edge = box.left + box.width;
  return right.yTicks.map((y) => {
    const py = Math.round(placeY({ ...axes, ...right }, box, y)) + 0.5;
    return (
      <g key={y} aria-hidden>
        <line x1={edge} x2={edge + 4} y1={py} y2={py} className={styles.axis} />
        <text x={edge + 8} y={py} dy="0.35em" className={styles.tick}>
          {valueText(y)}
        </text>
      </g>
    );
  });
}

/** Knees as bands and limits as lines, each with its label above the plot. */
export function XyBands({ layout: { bands, marks, box } }: { layout: XyLayout }) {
  return (
    <>
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
          <text {...b.place} textAnchor="middle" className={styles.label}>
            {b.label}
          </text>
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
          <text {...m.place} textAnchor="middle" className={styles.label}>
            {m.label}
          </text>
        </g>
      ))}
    </>
  );
}

interface XyAxisProps {
  layout: XyLayout;
  unit: string;
  xLabel: string;
  xUnit: string;
}

/** The parameter's axis with its ticks, and what both axes are of. */
export function XyAxis({ layout, unit, xLabel, xUnit }: XyAxisProps) {
  const { axes, box, input, height } = layout;
  const bottom = box.top + box.height;
  const letters =
    input.categories === null
      ? 12
      : Math.floor(box.width / Math.max(1, input.categories.length) / 6.5);
  return (
    <g aria-hidden>
      <line
        x1={box.left}
        x2={box.left + box.width}
        y1={bottom + 0.5}
        y2={bottom + 0.5}
        className={styles.axis}
      />
      {axes.xTicks.map((t) => {
        const px = placeX(axes, box, t.at);
        return (
          <g key={t.at}>
            <line x1={px} x2={px} y1={bottom} y2={bottom + 4} className={styles.axis} />
            <text x={px} y={bottom + 16} textAnchor="middle" className={styles.tick}>
              {short(t.label, letters)}
            </text>
          </g>
        );
      })}
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
      {input.right !== undefined && (
        <text
          x={layout.width - 8}
          y={box.top + box.height / 2}
          textAnchor="middle"
          transform={`rotate(-90 ${layout.width - 8} ${box.top + box.height / 2})`}
          className={styles.axisName}
        >
          {axisTitle(input.right.label, input.right.unit)}
        </text>
      )}
    </g>
  );
}

const short = (text: string, room: number): string =>
  text.length <= Math.max(4, room) ? text : `${text.slice(0, Math.max(3, room - 1))}…`;
