import { narrowed, narrowedNames, usualNames } from './changed.ts';

const tools = { node: 'node', cacheDir: '.cache', electronDist: '' };
const commands = (stage: keyof typeof narrowed, paths: readonly string[]): string[] =>
  narrowed[stage](tools, paths).map((step) => step.command.join(' '));

test('lint looks at what changed, and at everything when its rules did', () => {
  expect(commands('lint', ['src/core/a.ts', 'README.md'])).toEqual([
    expect.stringMatching(/prettier.* src\/core\/a\.ts$/),
    expect.stringMatching(/eslint.* src\/core\/a\.ts$/),
  ]);
  expect(commands('lint', ['scripts/a.mjs'])).toHaveLength(1);
  expect(commands('lint', ['eslint.config.js'])[1]).toMatch(/ \.$/);
});

test('tests that a change reaches; all of them where imports do not tell', () => {
  expect(commands('unit', ['src/core/a.ts'])).toEqual([
    expect.stringMatching(/--findRelatedTests src\/core\/a\.ts$/),
  ]);
  expect(commands('unit', ['src/core/a.ts', 'resources/lab/x.json'])[0]).not.toContain(
    'findRelatedTests',
  );
  expect(commands('peers', ['docs/a.md'])).toEqual([]);
  expect(commands('types', ['docs/a.md'])).toEqual([]);
});

test('all that can be narrowed runs unasked but the peers', () => {
  expect(narrowedNames).toEqual(['lint', 'types', 'unit', 'engine', 'screens', 'peers']);
  expect(usualNames).toEqual(narrowedNames.filter((name) => name !== 'peers'));
});

test('a change that no test reaches is no failure; a failing one is', () => {
  const [step] = narrowed.unit(tools, ['src/core/a.ts']);
  expect(step!.count('No tests found, exiting with code 0', 0)).toEqual({ passed: 0, failed: 0 });
  expect(step!.count('Tests: 1 failed, 1 total', 1)).toEqual({ passed: 0, failed: 1 });
});
