import * as fc from 'fast-check';

import type { ClockJump } from '../deps.ts';
import { createFakeClock } from '../testing/fakeClock.ts';
import { createFakeTime } from '../testing/fakeTime.ts';
import { ownStepMs, sayJump, waitUntil } from './jumps.ts';
import { createSteadyClock } from './steadyClock.ts';

function held() {
  const fake = createFakeClock();
  const time = createFakeTime(fake);
  const clock = createSteadyClock(time.sources);
  const jumps: ClockJump[] = [];
  const hold = clock.hold!((jump) => jumps.push(jump));
  return { fake, time, clock, jumps, hold };
}

test.each([
  ['back', -60_000],
  ['forward', 3_600_000],
  ['by little', 1_200],
])('a clock that is held does not step with the computer: %s', async (_name, stepMs) => {
  const { fake, time, clock, jumps, hold } = held();
  await fake.advance(10_000);
  const before = clock.now();
  time.stepWall(stepMs);
  expect(clock.now()).toBe(before);
  expect(jumps).toEqual([{ kind: 'stepped', atMs: before, fromMs: before, toMs: before + stepMs }]);
  await fake.advance(10_000);
  expect(clock.now()).toBe(before + 10_000);
  hold.release();
  expect(clock.now()).toBe(fake.now() + stepMs);
  expect(jumps).toHaveLength(1);
});

test('a clock that is slewed goes with it and says nothing', async () => {
  const { fake, time, clock, jumps } = held();
  for (let second = 0; second < 4_000; second += 1) {
    time.stepWall(second % 2);
    await fake.advance(1_000);
  }
  expect(clock.now() - fake.now()).toBe(2_000);
  expect(jumps).toEqual([]);
});

test('sleep is told as sleep, counts in what is planned and not in patience', async () => {
  const { fake, time, clock, jumps } = held();
  const startMs = clock.now();
  let planned: number | null = null;
  let patient: number | null = null;
  void waitUntil(clock, startMs + 40_000).then(() => (planned = fake.now() - startMs));
  void clock.sleep(40_000).then(() => (patient = fake.now() - startMs));
  await fake.advance(10_500);
  time.sleepFor(25_000);
  await fake.advance(60_000);
  expect(jumps.map(({ kind, fromMs, toMs }) => [kind, toMs - fromMs])).toEqual([['slept', 25_000]]);
  expect(planned).toBe(40_000);
  expect(patient).toBe(65_000);
});

test('a process that was stopped is told as standing, and who waited gets time to read what came', async () => {
  const { fake, time, clock, jumps } = held();
  const startMs = clock.now();
  let patient: number | null = null;
  void clock.sleep(15_000).then(() => (patient = fake.now() - startMs));
  await fake.advance(10_500);
  time.standFor(25_000);
  await fake.advance(60_000);
  expect(jumps.map((jump) => jump.kind)).toEqual(['stood']);
  expect(jumps[0]!.toMs).toBe(startMs + 35_500);
  // The slice in which it stood is waited for once more.
  expect(patient).toBeGreaterThanOrEqual(35_500 + 4_000);
});

test('sleep and a step in one: each is told for itself', async () => {
  const { fake, time, clock, jumps } = held();
  await fake.advance(5_000);
  time.sleepFor(600_000);
  time.stepWall(-30_000);
  await fake.advance(1_000);
  expect(jumps.map(({ kind, fromMs, toMs }) => [kind, toMs - fromMs])).toEqual([
    ['slept', 600_000],
    ['stepped', -30_000],
  ]);
  expect(clock.now()).toBe(fake.now());
});

test('whatever happens to the computer, a held clock never runs back and shows the time that passed', async () => {
  const act = fc.oneof(
    fc.record({ what: fc.constant('pass' as const), ms: fc.integer({ min: 0, max: 20_000 }) }),
    fc.record({
      what: fc.constant('step' as const),
      ms: fc.oneof(
        fc.integer({ min: -10_000_000, max: -1_001 }),
        fc.integer({ min: 1_001, max: 10_000_000 }),
      ),
    }),
    fc.record({ what: fc.constant('sleep' as const), ms: fc.integer({ min: 2_000, max: 1e7 }) }),
    fc.record({ what: fc.constant('stand' as const), ms: fc.integer({ min: 0, max: 1e6 }) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(act, { maxLength: 8 }), async (acts) => {
      const { fake, time, clock, hold } = held();
      const startMs = fake.now();
      const startedAt = clock.now();
      let last = clock.now();
      for (const { what, ms } of acts) {
        if (what === 'pass') await fake.advance(ms);
        if (what === 'step') time.stepWall(ms);
        if (what === 'sleep') time.sleepFor(ms);
        if (what === 'stand') time.standFor(ms);
        const now = clock.now();
        expect(now).toBeGreaterThanOrEqual(last);
        expect(now - startedAt).toBe(fake.now() - startMs);
        last = now;
      }
      hold.release();
    }),
    { numRuns: 60 },
  );
});

test.each([
  ['no client answered', [], 0],
  ['none moved', [[10, 40]], 0],
  ['one client, and it moved', [[0, 60_000]], -60_000],
  [
    'all moved alike: it was ours',
    [
      [0, 60_100],
      [90_000, 150_000],
      [-20, 59_900],
    ],
    -60_000,
  ],
  [
    'one of three moved: it was its own',
    [
      [0, 60_000],
      [0, 5],
      [0, -3],
    ],
    0,
  ],
] as const)('whose clock stepped: %s', (_name, offsets, expected) => {
  const step = ownStepMs(offsets.map(([beforeMs, afterMs]) => ({ beforeMs, afterMs })));
  expect(Math.abs(step - expected)).toBeLessThanOrEqual(100);
});

test('a jump in words', () => {
  const atMs = Date.UTC(2026, 10, 22, 9, 14, 3);
  expect(sayJump({ kind: 'stepped', atMs, fromMs: atMs, toMs: atMs - 60_000 })).toBe(
    'The clock of this computer stepped back by 60 s, from 09:14:03 UTC to 09:13:03 UTC',
  );
  expect(sayJump({ kind: 'slept', atMs, fromMs: atMs - 25_400, toMs: atMs })).toBe(
    'This computer slept for 25 s',
  );
});
