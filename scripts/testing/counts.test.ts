import { countExit, countJest, countPlaywright, countStudies } from './counts.ts';

test.each([
  ['Tests:       2 failed, 40 passed, 42 total', 1, { passed: 40, failed: 2 }],
  ['Tests:       40 passed, 40 total', 0, { passed: 40, failed: 0 }],
  ['Tests:       1 passed, 1 total\nTests:       3 passed, 3 total', 0, { passed: 3, failed: 0 }],
  ['Tests:       40 passed, 40 total', 1, { passed: 40, failed: 1 }],
  ['No tests found', 0, { passed: 0, failed: 1 }],
])('Jest: %j with code %i', (text, code, counts) => expect(countJest(text, code)).toEqual(counts));

test.each([
  ['  1 failed\n    a.spec.ts\n  1 flaky\n  2 did not run\n  7 passed (1.2m)', 1, [7, 4]],
  ['  31 passed (12.0m)', 0, [31, 0]],
  ['  31 passed (12.0m)', 1, [31, 1]],
  ['  3 skipped', 0, [0, 1]],
])('Playwright: %j with code %i', (text, code, [passed, failed]) =>
  expect(countPlaywright(text, code)).toEqual({ passed, failed }),
);

test('studies, and tools without counts', () => {
  expect(countStudies('studies: 117 passed, 0 failed (15 studies, 60 s)', 0)).toEqual({
    passed: 117,
    failed: 0,
  });
  expect([countExit('', 0), countExit('', 2)]).toEqual([
    { passed: 1, failed: 0 },
    { passed: 0, failed: 1 },
  ]);
});
