import type { ReactNode } from 'react';

import { axisFormatter } from '../../../core/base/format.ts';
import { runStyle } from '../../../core/chart/palette.ts';
import { niceStep, ticksBetween } from '../../../core/chart/scale.ts';
import type { Distributions } from '../../../core/compare/index.ts';
import styles from './compare.module.css';

const width = 420,
  height = 220;
const plot = { left: 46, right: 398, top: 8, bottom: 184 };
type Range = readonly [number, number];
const scale =
  ([from, to]: Range, start: number, end: number) =>
  (value: number): number =>
    start + ((value - from) / (to - from || 1)) * (end - start);
const padded = (low: number, high: number): Range =>
  low === high ? [low - 0.5, high + 0.5] : [low, high];

interface FigureProps {
  title: string;
  summary: string;
  x:
    | { range: Range; label: string }
    | { names: readonly { at: number; text: string }[]; label: string };
  y: Range;
  percent?: boolean;
  children: ReactNode;
}

/**
 * Frame of a figure: axes with ticks, a title, and a text for who cannot see it. The table below
 * the figures has the numbers.
 */
function Figure({ title, summary, x, y, percent = false, children }: FigureProps) {
  const px = 'range' in x ? scale(x.range, plot.left, plot.right) : null;
  const py = scale(y, plot.bottom, plot.top);
  const xStep = 'range' in x ? niceStep(x.range[1] - x.range[0], 6) : 1;
  const yStep = niceStep(y[1] - y[0], 5);
  const xText = 'range' in x ? axisFormatter(x.range, xStep) : String;
  const yText = percent
    ? (v: number): string => `${Math.round(v * 1_000) / 10} %`
    : axisFormatter(y, yStep);
  return (
    <figure className={styles.figure}>
      <h3>{title}</h3>
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={`${title}. ${summary}`}>
        {ticksBetween(y[0], y[1], yStep).map((v) => (
          <g key={v}>
            <line className={styles.grid} x1={plot.left} x2={plot.right} y1={py(v)} y2={py(v)} />
            <text x={plot.left - 4} y={py(v) + 4} textAnchor="end">
              {yText(v)}
            </text>
          </g>
        ))}
        {'range' in x
          ? ticksBetween(x.range[0], x.range[1], xStep).map((v) => (
              <text key={v} x={px!(v)} y={plot.bottom + 14} textAnchor="middle">
                {xText(v)}
              </text>
            ))
          : x.names.map((n) => (
              <text key={n.at} x={n.at} y={plot.bottom + 14} textAnchor="middle">
                {n.text}
              </text>
            ))}
        <text x={(plot.left + plot.right) / 2} y={height - 6} textAnchor="middle">
          {x.label}
        </text>
        {children}
        <line
          className={styles.axis}
          x1={plot.left}
          x2={plot.right}
          y1={plot.bottom}
          y2={plot.bottom}
        />
      </svg>
    </figure>
  );
}

interface Props {
  data: Distributions;
  names: readonly string[];
}
const axisLabel = ({ label, unit }: Distributions): string => `${label} (${unit})`;

/** Share of the samples in each bin, common bins, the baseline as an area behind the others. */
export function HistogramFigure({ data, names }: Props) {
  const { edges } = data;
  const shares = data.runs.map((r) => r.counts.map((c) => (r.samples === 0 ? 0 : c / r.samples)));
  const top = Math.max(0.01, ...shares.flat()) * 1.05;
  const range = padded(edges[0] ?? 0, edges.at(-1) ?? 1);
  const [px, py] = [scale(range, plot.left, plot.right), scale([0, top], plot.bottom, plot.top)];
  const outline = (share: readonly number[]): string =>
    `M${px(edges[0]!)} ${py(0)}${share.map((s, i) => `V${py(s)}H${px(edges[i + 1]!)}`).join('')}V${py(0)}`;
  const fullest = data.runs.map((r, i) => {
    const at = shares[i]!.indexOf(Math.max(...shares[i]!));
    return r.samples === 0
      ? `${names[i]}: no samples`
      : `${names[i]}: fullest bin ${edges[at]!.toPrecision(4)} to ${edges[at + 1]!.toPrecision(4)}`;
  });
  return (
    <Figure
      title={`Histogram, ${edges.length - 1} bins`}
      summary={fullest.join('; ')}
      x={{ range, label: axisLabel(data) }}
      y={[0, top]}
      percent
    >
      {data.runs.map((r, i) =>
        r.samples === 0 ? null : (
          <path
            key={r.runId}
            d={outline(shares[i]!)}
            fill={i === 0 ? runStyle(0).color : 'none'}
            fillOpacity={0.25}
            stroke={runStyle(i).color}
            strokeWidth={1.6}
            strokeDasharray={runStyle(i).dash.join(' ')}
          />
        ),
      )}
    </Figure>
  );
}

/** Share of the samples at or below each value. */
export function EcdfFigure({ data, names }: Props) {
  const ends = data.runs.flatMap((r) => (r.samples === 0 ? [] : [r.ecdf.x[0]!, r.ecdf.x.at(-1)!]));
  const range =
    ends.length === 0 ? ([0, 1] as const) : padded(Math.min(...ends), Math.max(...ends));
  const [px, py] = [scale(range, plot.left, plot.right), scale([0, 1], plot.bottom, plot.top)];
  const medians = data.runs.map(
    (r, i) =>
      `${names[i]}: ${r.box === null ? 'no samples' : `median ${r.box.median.toPrecision(4)}`}`,
  );
  return (
    <Figure
      title="Share at or below"
      summary={medians.join('; ')}
      x={{ range, label: axisLabel(data) }}
      y={[0, 1]}
      percent
    >
      {data.runs.map(({ runId, ecdf: { x, p }, samples }, i) =>
        samples === 0 ? null : (
          <path
            key={runId}
            fill="none"
            stroke={runStyle(i).color}
            strokeWidth={1.8}
            strokeDasharray={runStyle(i).dash.join(' ')}
            d={`M${px(x[0]!)} ${py(0)}${x.map((v, k) => `H${px(v)}V${py(p[k]!)}`).join('')}`}
          />
        ),
      )}
    </Figure>
  );
}

/**
 * A box a measurement period, runs side by side: quartiles, whiskers within 1.5 interquartile
 * ranges, the mean as a dot.
 */
export function BoxFigure({ data, names }: Props) {
  const periods = Math.max(0, ...data.runs.map((r) => r.periods.length));
  const boxes = data.runs.flatMap((r) => r.periods.flatMap((b) => (b === null ? [] : [b])));
  const low = Math.min(...boxes.map((b) => b.whiskerLow)),
    high = Math.max(...boxes.map((b) => b.whiskerHigh));
  const air = (high - low) * 0.06;
  const y: Range = boxes.length === 0 ? [0, 1] : padded(low - air, high + air);
  const py = scale(y, plot.bottom, plot.top);
  const band = (plot.right - plot.left) / Math.max(1, periods);
  const slot = (band * 0.84) / data.runs.length;
  const half = Math.min(9, slot * 0.4);
  const summary = data.runs
    .map(
      (r, i) =>
        `${names[i]}: medians ${r.periods.map((b) => b?.median.toPrecision(4) ?? 'none').join(', ')}`,
    )
    .join('; ');
  return (
    <Figure
      title={`Boxes by measurement period, ${data.unit}`}
      summary={summary}
      x={{
        names: Array.from({ length: periods }, (_, p) => ({
          at: plot.left + band * (p + 0.5),
          text: String(p + 1),
        })),
        label: 'Measurement period',
      }}
      y={y}
    >
      {data.runs.flatMap((r, i) =>
        r.periods.map((b, p) => {
          if (b === null) return null;
          const x = plot.left + band * (p + 0.08) + slot * (i + 0.5);
          const { color } = runStyle(i);
          return (
            <g key={`${r.runId} ${p}`} stroke={color} fill="none" strokeWidth={1.4}>
              <path
                d={
                  `M${x} ${py(b.whiskerLow)}V${py(b.q1)}M${x} ` +
                  `${py(b.q3)}V${py(b.whiskerHigh)}M${x - half / 2} ` +
                  `${py(b.whiskerLow)}h${half}M${x - half / 2} ${py(b.whiskerHigh)}h${half}`
                }
              />
              <rect
                x={x - half}
                width={half * 2}
                y={py(b.q3)}
                height={Math.max(0.5, py(b.q1) - py(b.q3))}
                fill={color}
                fillOpacity={0.18}
              />
              <path d={`M${x - half} ${py(b.median)}h${half * 2}`} strokeWidth={2.4} />
              <circle cx={x} cy={py(b.mean)} r={1.8} fill={color} stroke="none" />
            </g>
          );
        }),
      )}
    </Figure>
  );
}
