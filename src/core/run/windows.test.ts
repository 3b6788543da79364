import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import fc from 'fast-check';

import type { PhaseSpan } from './run.ts';
import {
  lastBegun,
  periodAt,
  phaseAt,
  phaseNow,
  phasesEndMs,
  steadyPlanned,
  steadyWindow,
  timeLeft,
} from './windows.ts';

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

const planned = { rampUpS: 10, steadyS: 90, rampDownS: 30, staggerS: 0, periods: 3 };
test.each([
  ['counts the phases to come', 40, { phase: 'steady', phaseMs: 60, runMs: 30_060 }],
  ['is never negative', 400, { phase: 'steady', phaseMs: 0, runMs: 30_000 }],
] as const)('time left %s', (_what, nowMs, left) => {
  expect(timeLeft({ ...steady(null), phasesPlanned: planned }, nowMs)).toEqual(left);
});

test('no phase is on before the first and after the last', () => {
  expect(timeLeft({ phases: [], phasesPlanned: planned }, 0)).toBeNull();
  expect([phaseNow(steady(60)), phaseNow(steady(null))?.name]).toEqual([undefined, 'steady']);
  expect([phasesEndMs({ phases: [] }), phasesEndMs(steady(null)), phasesEndMs(steady(60))]).toEqual(
    [undefined, 10, 60],
  );
});

test.each([
  [-1, undefined],
  [0, 'rampUp'],
  [9, 'rampUp'],
  [10, 'steady'],
  [99, 'steady'],
  [100, undefined],
])('at %d the phase is %s', (atMs, name) => expect(phaseAt(steady(null), atMs)?.name).toBe(name));

test('nobody else looks a phase or a period up by hand', () => {
  const files = ['src', 'workers', 'electron'].flatMap((root) =>
    readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name) && !/\.test\.|(^|[\\/])testing[\\/]/.test(name))
      .map((name) => join(root, name).replaceAll('\\', '/')),
  );
  const byHand =
    /\bphases\s*\.(?:find|findLast|some)\(|\bperiods\s*\.(?:find|findLast)\(\s*\(\w+\) =>[^)]*(?:startMs|endMs)/;
  expect(files.filter((name) => byHand.test(readFileSync(name, 'utf8')))).toEqual([
    'src/core/run/windows.ts',
  ]);
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
