import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { roleVariables } from './roles.ts';
const folder = join(import.meta.dirname, '..', '..');
/** The file of the frame and that of the charts: where colours are written down. */
const allowed = /^(shell\/look\/|charts\/theme\.ts$|charts\/testing\/)|\.test\.tsx?$/;
/** `#abc`, `rgb(…)`, or a shade of the library's palettes. */
const rawColour =
  /#[0-9a-f]{3,8}\b(?![\w-])|\brgba?\(|--mantine-color-(?:gray|dark|white|black|red|orange|yellow|green|blue|grape|accent)\b/gi;

test('components take roles, never raw colours', () => {
  const files = globSync('**/*.{css,ts,tsx}', { cwd: folder }).filter(
    (file) => !allowed.test(file),
  );
  expect(files.length).toBeGreaterThan(100);
  const raw = files.flatMap((file) =>
    [...readFileSync(join(folder, file), 'utf8').matchAll(rawColour)].map(
      ([found]) => `${file}: ${found}`,
    ),
  );
  expect(raw).toEqual([]);
});

test('every role that a component takes is one', () => {
  const files = globSync('**/*.{css,ts,tsx}', { cwd: folder });
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8'));
  const given = new Set([
    ...Object.keys({ ...roleVariables('light'), ...roleVariables('dark') }),
    ...texts.flatMap((text) => [...text.matchAll(/(--tb-[\w-]+):/g)].map(([, name]) => name)),
  ]);
  const taken = texts.flatMap((text) =>
    [...text.matchAll(/var\((--tb-[\w-]+)/g)].map(([, n]) => n!),
  );
  expect([...new Set(taken)].filter((name) => !given.has(name))).toEqual([]);
});
