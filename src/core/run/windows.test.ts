import fc from 'fast-check';

import type { PhaseSpan } from './run.ts';
import { lastBegun, periodAt, steadyPlanned, steadyWindow } from './windows.ts';

const steady = (endMs: number | null): { phases: PhaseSpan[] } => ({
  phases: [
    { name: 'rampUp', startMs: 0, endMs: 10, plannedEndMs: 10 },
    { name: 'steady', startMs: 10, endMs, plannedEndMs: 100 },
  ],
});

test.each([
  ['lasts', null, 40, { startMs: 10, endMs: 100 }, { startMs: 10, endMs: 40 }],
  [
    'lasts longer than planned',
    null,
    400,
    { startMs: 10, endMs: 100 },
    { startMs: 10, endMs: 100 },
  ],
  ['has just begun', null, 10, { startMs: 10, endMs: 100 }, null],
  ['was cut short', 60, 400, { startMs: 10, endMs: 60 }, { startMs: 10, endMs: 60 }],
])('a steady state that %s', (_what, endMs, nowMs, planned, was) => {
  expect(steadyPlanned(steady(endMs))).toEqual(planned);
  expect(steadyWindow({ ...steady(endMs), nowMs })).toEqual(was);
});

test('without a steady state there is no window', () => {
  expect(steadyPlanned({ phases: [] })).toBeNull();
  expect(steadyWindow({ phases: [], nowMs: 1 })).toBeNull();
});

test('within the steady state the period that lasts is the last that has begun, and is the only one', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 8 }),
      fc.integer({ min: -20, max: 420 }),
      (lengths, atMs) => {
        let startMs = 0;
        const periods = lengths.map((ms) => ({ startMs, endMs: (startMs += ms) }));
        const begun = lastBegun(periods, atMs);
        const within = atMs >= 0 && atMs < startMs;
        expect(periodAt(periods, atMs)).toBe(within ? periods[begun] : undefined);
        expect(begun).toBe(periods.filter((p) => p.startMs <= atMs).length - 1);
      },
    ),
  );
});
