import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

interface Floor {
  may: string[];
  runsWithoutNode?: boolean;
}
interface Floors {
  layers: Record<string, Floor>;
  forbidden: (path: string, target: string, table: Record<string, Floor>) => string | null;
}

/**
 * What the rule itself says; read in a process of its own, because it is a module that Jest does
 * not load.
 */
function ask(pairs: readonly (readonly [string, string])[]): {
  layers: Floors['layers'];
  said: (string | null)[];
} {
  const script = `
    const { forbidden, layers } = await import(${JSON.stringify(pathToFileURL(resolve('scripts/floors.mjs')).href)});
    const said = JSON.parse(process.argv[1]).map(([path, target]) => forbidden(path, target, layers));
    process.stdout.write(JSON.stringify({ layers, said }));`;
  return JSON.parse(
    execFileSync(
      process.execPath,
      ['--input-type=module', '--eval', script, JSON.stringify(pairs)],
      { encoding: 'utf8' },
    ),
  ) as ReturnType<typeof ask>;
}

const forbidden = [
  ['src/core/base/a.ts', 'src/core/run/run.ts'],
  ['src/core/run/a.ts', 'src/wire/contract.ts'],
  ['src/core/run/a.ts', 'src/ui/kit/tones.ts'],
  ['src/core/run/a.ts', 'workers/engine/deps.ts'],
  ['src/core/run/a.ts', 'node:fs'],
  ['src/core/run/a.test.ts', 'src/wire/contract.ts'],
  ['src/wire/a.ts', 'src/ui/engine/api.ts'],
  ['src/ui/engine/a.ts', 'src/ui/kit/tones.ts'],
  ['src/ui/kit/a.tsx', 'src/ui/charts/draw.ts'],
  ['src/ui/charts/a.ts', 'src/ui/pages/runs/RunPage.tsx'],
  ['src/ui/pages/live/a.tsx', 'src/ui/pages/runs/RunPage.tsx'],
  ['src/ui/pages/runs/a.tsx', 'src/ui/shell/Shell.tsx'],
  ['src/ui/pages/runs/a.tsx', 'workers/engine/deps.ts'],
  ['src/ui/pages/runs/a.tsx', 'src/ui/testing/renderRoute.tsx'],
  ['src/ui/kit/a.ts', 'node:fs'],
  ['workers/engine/a.ts', 'src/ui/engine/api.ts'],
  ['workers/engine/a.ts', 'workers/cli.ts'],
  ['workers/engine/a.ts', 'electron'],
  ['workers/a.ts', 'electron/main.ts'],
  ['electron/a.ts', 'workers/engine/deps.ts'],
] as const;
const allowed = [
  ['src/core/run/a.ts', 'src/core/base/errors.ts'],
  ['src/wire/a.ts', 'src/core/run/run.ts'],
  ['src/ui/pages/runs/a.tsx', 'src/ui/pages/live/LiveBoard.tsx'],
  ['src/ui/pages/runs/a.test.tsx', 'src/ui/testing/renderRoute.tsx'],
  ['src/ui/testing/a.tsx', 'src/ui/shell/routes.tsx'],
  ['src/ui/shell/a.tsx', 'src/ui/pages/runs/RunPage.tsx'],
  ['workers/engine/a.ts', 'src/wire/contract.ts'],
  ['workers/a.ts', 'node:fs'],
  ['electron/a.ts', 'electron'],
  ['e2e/specs/a.ts', 'workers/engine/deps.ts'],
] as const;

const { layers, said } = ask([...forbidden, ...allowed]);
test.each(forbidden.map((pair, i) => [...pair, said[i]!] as const))(
  '%s may not import %s',
  (_path, _target, message) => expect(message).toMatch(/may|runs without Node/),
);
test.each(allowed.map((pair, i) => [...pair, said[forbidden.length + i]] as const))(
  '%s may import %s',
  (_path, _target, message) => expect(message).toBeNull(),
);

test('no floor stands on itself: the table has no circle', () => {
  const names = Object.keys(layers);
  const below = (name: string): string[] =>
    layers[name]!.may.flatMap((pattern) =>
      pattern.endsWith('/*')
        ? names.filter((one) => one.startsWith(pattern.slice(0, -1)))
        : [pattern],
    );
  const reached = (from: string, seen = new Set<string>()): Set<string> => {
    for (const next of below(from))
      if (!seen.has(next)) {
        seen.add(next);
        reached(next, seen);
      }
    return seen;
  };
  expect(names.flatMap(below).filter((name) => !names.includes(name))).toEqual([]);
  expect(names.filter((name) => reached(name).has(name))).toEqual([]);
});

test('the project is linted by it', () => {
  const script = `
    import { ESLint } from 'eslint';
    const eslint = new ESLint();
    const on = [];
    for (const path of ['src/core/base/errors.ts', 'src/ui/shell/Shell.tsx', 'workers/cli.ts', 'electron/main.ts'])
      on.push((await eslint.calculateConfigForFile(path)).rules['floors/down']?.[0]);
    process.stdout.write(JSON.stringify(on));`;
  expect(
    JSON.parse(
      execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
        encoding: 'utf8',
      }),
    ),
  ).toEqual([2, 2, 2, 2]);
});
