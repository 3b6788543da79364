import { createPointBuffer, decimate } from '../../core/base/decimate.ts';
import { createSeriesWindow, storedSource, storedStepMs } from './series.ts';

/** Samples each second, thinned to buckets of 14 s as the engine does for a long run. */
function thinned(
  valueAt: (second: number) => number,
  missing: (second: number) => boolean = () => false,
): { tMs: Float64Array; value: Float64Array } {
  const seconds = Array.from({ length: 14_400 }, (_, s) => s).filter((s) => !missing(s));
  const out = createPointBuffer(8);
  decimate(
    Float64Array.from(seconds, (s) => s * 1_000),
    Float64Array.from(seconds, valueAt),
    0,
    seconds.length,
    14_000,
    out,
  );
  return { tMs: out.t.slice(0, out.length), value: out.v.slice(0, out.length) };
}
/** How often a line over the source would be lifted. */
function gaps(data: { tMs: Float64Array; value: Float64Array }): number {
  const window = createSeriesWindow();
  storedSource(data, 1_000).read(-Infinity, Infinity, window);
  const { t, gapMs } = window.parts[0];
  let count = 0;
  for (let i = 1; i < t.length; i++) if (t[i]! - t[i - 1]! > gapMs) count++;
  return count;
}

test.each([
  ['smooth', (s: number) => Math.sin(s / 400)],
  ['rough', (s: number) => (Math.sin(s * 12.9898) * 43_758.5453) % 1],
  ['even', () => 1],
])('a %s line that was thinned has no gaps, and keeps a true one', (_name, valueAt) => {
  expect(gaps(thinned(valueAt))).toBe(0);
  expect(gaps(thinned(valueAt, (s) => s >= 5_000 && s < 5_120))).toBe(1);
});

test('samples as measured have the period for their step, whatever a few of them miss', () => {
  const every = Array.from({ length: 100 }, (_, i) => i).filter(
    (i) => i !== 50 && i !== 51 && i !== 52,
  );
  const tMs = Float64Array.from(every, (i) => i * 1_000);
  expect(storedStepMs(tMs, 1_000)).toBe(1_000);
  expect(gaps({ tMs, value: tMs })).toBe(1);
});
