import { nextDetail, visibleStretch } from './detailPlan.ts';

const hour = 3_600_000;
const span = { startMs: 0, endMs: 4 * hour };

test.each([
  [{ windowMs: null, zoom: null }, hour, 0, hour],
  [{ windowMs: 300_000, zoom: null }, hour, hour - 300_000, hour],
  [{ windowMs: 300_000, zoom: null }, 60_000, 0, 60_000],
  [{ windowMs: 300_000, zoom: [100_000, 200_000] as const }, hour, 100_000, 200_000],
])('%j at %d ms shows %d to %d', (group, at, fromMs, toMs) => {
  expect(visibleStretch(group, at, span)).toEqual({ fromMs, toMs });
});

test.each([
  [
    'a run that is held sample by sample needs none',
    { fromMs: 0, toMs: 300_000 },
    null,
    { startMs: 0, endMs: hour },
    60,
    null,
  ],
  [
    'nor does a window as long as most of the run',
    { fromMs: 0, toMs: 3 * hour },
    null,
    span,
    60,
    null,
  ],
  [
    'five minutes at 1×: twice the window',
    { fromMs: hour, toMs: hour + 300_000 },
    null,
    span,
    1,
    { fromMs: hour, toMs: hour + 600_000 },
  ],
  [
    'at 600×: an hour ahead',
    { fromMs: hour, toMs: hour + 300_000 },
    null,
    span,
    600,
    { fromMs: hour, toMs: 2 * hour + 300_000 },
  ],
  [
    'held far enough',
    { fromMs: hour, toMs: hour + 300_000 },
    { fromMs: hour, toMs: 2 * hour },
    span,
    600,
    null,
  ],
  [
    'nearly used up: the next before it ends',
    { fromMs: hour, toMs: hour + 300_000 },
    { fromMs: hour, toMs: hour + 320_000 },
    span,
    1,
    { fromMs: hour, toMs: hour + 600_000 },
  ],
  [
    'jumped back',
    { fromMs: 0, toMs: 300_000 },
    { fromMs: hour, toMs: 2 * hour },
    span,
    1,
    { fromMs: 0, toMs: 600_000 },
  ],
  [
    'at the end nothing lies ahead',
    { fromMs: 4 * hour - 300_000, toMs: 4 * hour },
    { fromMs: 3 * hour, toMs: 4 * hour },
    span,
    600,
    null,
  ],
])('%s', (_name, visible, held, run, speed, expected) => {
  expect(nextDetail(visible, held, run, speed, 1_000)).toEqual(expected);
});

test('reading on from detail to detail covers every moment without a hole', () => {
  for (const speed of [1, 60, 600]) {
    let held: { fromMs: number; toMs: number } | null = null;
    let reads = 0;
    for (let at = 0; at <= span.endMs; at += speed * 250) {
      const visible = visibleStretch({ windowMs: 300_000, zoom: null }, at, span);
      const next = nextDetail(visible, held, span, speed, 1_000);
      if (next !== null) {
        held = next;
        reads++;
      }
      expect(held!.fromMs <= visible.fromMs && held!.toMs >= visible.toMs).toBe(true);
    }
    expect(reads).toBeLessThan(100);
  }
});
