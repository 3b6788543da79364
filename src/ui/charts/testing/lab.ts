import { type ChartSeries, type SeriesSource, storedSource } from '../../engine/series.ts';
import type { Pen } from '../draw.ts';
import type { ChartTheme } from '../draw.ts';

/** A pen that writes down what it was told. */
export interface RecordingPen {
  pen: Pen;
  calls: string[];
  count: (name: string) => number;
  texts: () => string[];
  clear: () => void;
}

export function recordingPen(): RecordingPen {
  const calls: string[] = [];
  const note =
    (name: string) =>
    (...args: unknown[]): void => {
      calls.push(
        `${name}(${args.map((a) => (typeof a === 'number' ? String(Math.round(a)) : String(a))).join(',')})`,
      );
    };
  const pen = {
    beginPath: note('beginPath'),
    moveTo: note('moveTo'),
    lineTo: note('lineTo'),
    stroke: note('stroke'),
    fillRect: note('fillRect'),
    clearRect: note('clearRect'),
    fillText: note('fillText'),
    measureText: (text: string) => ({ width: text.length * 6 }),
    setLineDash: note('setLineDash'),
    save: note('save'),
    restore: note('restore'),
    rect: note('rect'),
    clip: note('clip'),
    arc: note('arc'),
    fill: note('fill'),
    setTransform: note('setTransform'),
    createLinearGradient: (...args: number[]) => {
      calls.push(`gradient(${args.length})`);
      return { addColorStop: () => undefined };
    },
    strokeStyle: '',
    fillStyle: '',
    lineWidth: 1,
    lineJoin: 'miter',
    globalAlpha: 1,
    font: '',
    textAlign: 'left',
    textBaseline: 'top',
  } as unknown as Pen;
  return {
    pen,
    calls,
    count: (name) => calls.filter((c) => c.startsWith(`${name}(`)).length,
    texts: () =>
      calls
        .filter((c) => c.startsWith('fillText('))
        .map((c) => c.slice('fillText('.length).replace(/,-?\d+,-?\d+\)$/, '')),
    clear: () => {
      calls.length = 0;
    },
  };
}

export const testTheme: ChartTheme = {
  text: '#111',
  dimmed: '#666',
  grid: '#ddd',
  background: '#fff',
  limit: '#c00',
  muted: '#aaa',
  font: '11px sans-serif',
  band: '#eee',
  bandSteady: '#fafafa',
  bandOver: '#fbe9e8',
  kneeBand: '#f3dcc0',
};

/** A series of stored samples [elapsed ms, value] of a run that began at `originMs`. */
export function testSeries(
  label: string,
  points: readonly (readonly [number, number])[],
  change: Partial<ChartSeries> & { source?: SeriesSource } = {},
): ChartSeries {
  const originMs = change.originMs ?? 1_000_000;
  const periodMs = change.periodMs ?? 1_000;
  return {
    key: label,
    label,
    unit: 'tps',
    color: '#2f86d6',
    dash: [],
    originMs,
    periodMs,
    lagMs: 0,
    decimals: 1,
    source: storedSource(
      {
        tMs: Float64Array.from(points, (p) => p[0] + originMs),
        value: Float64Array.from(points, (p) => p[1]),
      },
      periodMs,
    ),
    ...change,
  };
}
