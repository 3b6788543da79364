import { execFileSync } from 'node:child_process';

/** Figures of the code's form that stay what they are; the script prints them all. */
test('no circle of imports, not of types either; no function over 100 lines; no long file but tables', () => {
  const printed = execFileSync(process.execPath, ['scripts/figures.mjs'], { encoding: 'utf8' });
  const figureOf = (name: string): number =>
    Number(new RegExp(`^${name} +(\\d+)`, 'm').exec(printed)?.[1] ?? Number.NaN);
  expect(figureOf('circles of imports')).toBe(0);
  expect(figureOf('circles with those of types')).toBe(0);
  expect(figureOf('functions over 100 lines in files')).toBe(0);
  expect(figureOf('files over 400 lines')).toBeLessThanOrEqual(2);
  expect(figureOf('style sheets and Go over 400 lines')).toBe(0);
  expect(figureOf('lines over 120 columns')).toBeLessThan(100);
  expect(figureOf('lines of a file, 90 %')).toBeLessThanOrEqual(280);
  expect(figureOf('src/ui: mutual pairs of folders')).toBe(0);
});
