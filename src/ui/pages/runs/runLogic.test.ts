import fc from 'fast-check';

import { runStates } from '../../../core/run/states.ts';
import type { ScoreStep } from '../../../core/score/scoreStep.ts';
import { scoreSteps } from '../../../core/score/scoreSteps.ts';
import { runClock } from '../../engine/runClock.ts';
import { demoProfile, demoRun } from './testing/records.ts';

test.each([
  ['rampUp', 'Ramp-up', 30_000, 230_000, 30_000, null],
  ['steady', 'Steady state', 150_000, 110_000, 90_000, 'period 2 of 3'],
  ['rampDown', 'Ramp-down', 250_000, 10_000, 10_000, null],
  ['collecting', 'Collecting', 260_000, null, null, null],
  ['passed', 'Passed', 260_000, null, null, null],
] as const)('%s', (state, label, elapsedMs, remainingMs, phaseRemainingMs, period) => {
  const { overview } = demoRun({ state }).record;
  expect(runClock(overview, overview.nowMs)).toMatchObject({
    label,
    elapsedMs,
    remainingMs,
    phaseRemainingMs,
    period,
  });
});

test('a run that has not started has no clock', () => {
  const { overview } = demoRun({ state: 'ready' }).record;
  expect(runClock(overview, overview.nowMs)).toEqual({
    label: 'Ready',
    elapsedMs: null,
    remainingMs: null,
    phaseRemainingMs: null,
    fraction: 0,
    period: null,
  });
});

test('whatever the time, nothing is negative and the fraction stays within 0 and 1', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...runStates),
      fc.integer({ min: -100_000, max: 10_000_000 }),
      (state, offset) => {
        const { overview } = demoRun({ state }).record;
        const clock = runClock(overview, overview.nowMs + offset);
        for (const ms of [clock.remainingMs, clock.phaseRemainingMs, clock.elapsedMs])
          if (ms !== null) expect(ms).toBeGreaterThanOrEqual(0);
        expect(clock.fraction).toBeGreaterThanOrEqual(0);
        expect(clock.fraction).toBeLessThanOrEqual(1);
      },
    ),
    { numRuns: 40 },
  );
});

test('in the last period, past the planned end, the period is not counted on', () => {
  const { overview } = demoRun({ state: 'steady' }).record;
  expect(runClock(overview, overview.nowMs + 500_000).period).toBe('period 3 of 3');
});

test('each step of the tree is the result of its children', () => {
  const score = demoRun({ tiles: 3, speed: 1.3 }).record.overview.score!;
  const root = scoreSteps(score);
  expect(root.value).toBe(score.total);
  const values = (step: ScoreStep): number[] =>
    step.children.map((c) => c.value).filter((v): v is number => v !== null);
  for (const period of root.children) {
    expect(values(period).reduce((a, b) => a + b, 0)).toBeCloseTo(period.value!, 9);
    for (const tile of period.children)
      expect(values(tile).reduce((a, b) => a * b, 1) ** (1 / values(tile).length)).toBeCloseTo(
        tile.value!,
        9,
      );
  }
  expect(root.children.filter((c) => c.chosen)).toHaveLength(1);
  expect(root.children.map((c) => c.value).sort()[1]).toBe(root.value);
});

test('what is missing is called missing on every level', () => {
  const { score } = demoRun({ absent: ['throughput'] }).record.overview;
  const root = scoreSteps(score!);
  expect([root.value, root.calculation]).toEqual([null, 'median of 3 periods: none has a value']);
  expect(root.children[0]!.children[0]!.calculation).toBe(
    'geometric mean of 3 ratios: none has a value',
  );
  expect(demoProfile.scoring.periods).toBe('median');
});
