import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * A limit of its own makes a test one that depends on speed: `jest.config.js` and Playwright's
 * configuration give minutes to all.
 */
const ownLimits = [
  /\bjest\.setTimeout\(/,
  /\btest\.setTimeout\(/,
  // Of `waitFor`, `findBy…` and `expect`.
  /\{ timeout: [\d_]+ \}/,
  // The last argument of `test` and of hooks.
  /^\}, [\d_]+\);$/m,
];

test('no test has a time limit of its own', () => {
  const files = execFileSync('git', ['ls-files', '*.test.ts', '*.test.tsx', '*.spec.ts'], {
    encoding: 'utf8',
  })
    .trim()
    .split('\n');
  expect(files.length).toBeGreaterThan(200);
  expect(
    files.filter((path) => {
      const text = readFileSync(path, 'utf8');
      return ownLimits.some((limit) => limit.test(text));
    }),
  ).toEqual([]);
});
