import { globSync, readFileSync } from 'node:fs';

/** What the language has got since Chromium 108, in which the pages are drawn too. */
const younger =
  /\.(toSorted|toReversed|toSpliced)\(|\b(Object|Map)\.groupBy\(|Array\.fromAsync\(|Promise\.(withResolvers|try)\(/;

test('nothing that a page reads calls what the oldest renderer does not have', () => {
  const sources = globSync('src/**/*.{ts,tsx}').filter(
    (path) => !/\.test\.|\/testing\//.test(path),
  );
  expect(sources.length).toBeGreaterThan(500);
  expect(sources.filter((path) => younger.test(readFileSync(path, 'utf8')))).toEqual([]);
});
