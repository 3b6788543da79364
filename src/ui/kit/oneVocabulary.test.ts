import { globSync, readFileSync } from 'node:fs';

test('states of a run are put into words in one file', () => {
  const again = globSync('{src,workers}/**/*.{ts,tsx}')
    .filter((path) => !/\.test\.|redact/.test(path))
    .filter((path) => /rampUp: 'Ramp/.test(readFileSync(path, 'utf8')));
  expect(again.map((path) => path.replaceAll('\\', '/')).sort()).toEqual([
    'src/core/run/runWords.ts',
    // Room for one word beside a line.
    'src/ui/charts/draw.ts',
  ]);
});
