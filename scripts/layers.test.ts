import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** The documented table: who may import whom. */
const table: Record<string, string[]> = {
  'src/shared': [],
  'src/ui': ['src/shared'],
  'workers/engine': ['src/shared'],
  workers: ['src/shared', 'workers/engine'],
  electron: ['src/shared'],
};
test('layers.json is the documented table', () =>
  expect(JSON.parse(readFileSync(resolve('layers.json'), 'utf8'))).toEqual(table));

type Pair = readonly [path: string, target: string];
const forbidden: readonly Pair[] = [
  ['src/shared/a.ts', '../ui/main/api.ts'],
  ['src/shared/a.ts', '../../workers/engine/deps.ts'],
  ['src/shared/a.ts', 'node:fs'],
  ['src/shared/a.ts', 'electron'],
  ['src/ui/main/a.ts', '../../../workers/engine/deps.ts'],
  ['src/ui/main/a.ts', '../../../electron/main.ts'],
  ['src/ui/main/a.ts', 'node:fs'],
  ['src/ui/main/a.ts', 'electron'],
  ['workers/engine/a.ts', '../../src/ui/main/api.ts'],
  ['workers/engine/a.ts', '../../electron/main.ts'],
  ['workers/engine/a.ts', 'electron'],
  ['workers/engine/a.ts', '../../e2e/lab/lab.ts'],
  ['workers/a.ts', '../src/ui/engine/api.ts'],
  ['workers/a.ts', '../electron/main.ts'],
  ['workers/a.ts', '../e2e/lab/lab.ts'],
  ['electron/a.ts', '../workers/engine/deps.ts'],
  ['electron/a.ts', '../src/ui/engine/api.ts'],
  ['electron/a.ts', '../bench/main.ts'],
];
const allowed: readonly Pair[] = [
  ['src/ui/main/a.ts', '../../shared/errors.ts'],
  ['workers/engine/a.ts', '../../src/shared/errors.ts'],
  ['workers/a.ts', './engine/deps.ts'],
  ['workers/a.ts', '../src/core/base/errors.ts'],
  ['electron/a.ts', '../src/core/base/errors.ts'],
  ['electron/a.ts', 'electron'],
  ['e2e/specs/a.ts', '../../workers/engine/deps.ts'],
];

/** Of each pair, the messages of the layer rule as the project's own configuration sets it. One process for all: loading the configuration takes seconds. */
function lintAll(pairs: readonly Pair[]): string[][] {
  const script = `
    import { ESLint, Linter } from 'eslint';
    import parser from 'typescript-eslint';
    const eslint = new ESLint();
    const results = [];
    for (const [path, target] of JSON.parse(process.argv[1])) {
      const rule = (await eslint.calculateConfigForFile(path))?.rules?.['no-restricted-imports'];
      const config = [{ files: ['**/*.ts'], languageOptions: { parser: parser.parser }, rules: rule ? { 'no-restricted-imports': rule } : {} }];
      results.push(new Linter().verify("import { a } from '" + target + "'; export const b = a;", config, path).map((m) => m.message));
    }
    process.stdout.write(JSON.stringify(results));`;
  return JSON.parse(
    execFileSync(
      resolve('node_modules/node/bin/node'),
      ['--input-type=module', '-e', script, JSON.stringify(pairs)],
      { encoding: 'utf8' },
    ),
  ) as string[][];
}
const results = lintAll([...forbidden, ...allowed]);

test.each(forbidden.map((pair, i) => [...pair, i] as const))(
  '%s must not import %s',
  (_path, target, i) => {
    expect(results[i]).not.toEqual([]);
    expect(
      results[i]!.every((message) => message.includes(`'${target}' import is restricted`)),
    ).toBe(true);
  },
);
test.each(allowed.map((pair, i) => [...pair, i] as const))(
  '%s may import %s',
  (_path, _target, i) => expect(results[forbidden.length + i]).toEqual([]),
);
