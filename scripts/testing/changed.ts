import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import {
  engineStep,
  eslintStep,
  peersStep,
  prettierStep,
  screensStep,
  stageNames,
  stages,
  type Step,
  type Tools,
  typesStep,
  unitStep,
} from './stages.ts';

/** What these change is in no graph of imports: read at run time, or the ground of all tests. */
const reachesAll =
  /^(resources\/|package(-lock)?\.json$|jest\.config\.js$|tsconfig\.json$|layers\.json$|eslint\.config\.js$)/;
const isCode = (path: string): boolean => /\.(ts|tsx|mjs|js|css)$/.test(path);

/**
 * Paths that differ from where this branch left `main`, uncommitted and new ones included; on
 * `main` itself, from its last commit.
 */
export function changedPaths(root: string): string[] {
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  const base = git('merge-base', 'HEAD', 'main');
  const lists = [
    git('diff', '--name-only', base),
    git('ls-files', '--others', '--exclude-standard'),
  ];
  return [...new Set(lists.flatMap((list) => list.split('\n')))].filter((path) => path !== '');
}

/**
 * Stages that a change can narrow, each as the steps that are left of it; others run whole, and
 * only when they are named.
 */
export const narrowed = {
  lint: (tools: Tools, paths: readonly string[]): Step[] => {
    if (paths.some((path) => reachesAll.test(path)))
      return [prettierStep(tools, ['.']), eslintStep(tools, ['.'])];
    const code = paths.filter(isCode);
    const typed = code.filter((path) => /\.tsx?$/.test(path));
    return [
      ...(code.length === 0 ? [] : [prettierStep(tools, code)]),
      ...(typed.length === 0 ? [] : [eslintStep(tools, typed)]),
    ];
  },
  types: (tools: Tools, paths: readonly string[]): Step[] =>
    paths.some((path) => isCode(path) || reachesAll.test(path)) ? [typesStep(tools)] : [],
  unit: (tools: Tools, paths: readonly string[]): Step[] => related(unitStep, tools, paths),
  engine: (tools: Tools, paths: readonly string[]): Step[] => related(engineStep, tools, paths),
  screens: (tools: Tools, paths: readonly string[]): Step[] => related(screensStep, tools, paths),
  peers: (tools: Tools, paths: readonly string[]): Step[] => related(peersStep, tools, paths),
};

export const narrowedNames = stageNames.filter((name) => name in narrowed);
/** Those that run unasked: peers are slow, and are asked for. */
export const usualNames = narrowedNames.filter((name) => stages[name].lane === 'processor');

function related(
  step: (tools: Tools, args: readonly string[]) => Step,
  tools: Tools,
  paths: readonly string[],
): Step[] {
  if (paths.some((path) => reachesAll.test(path))) return [step(tools, [])];
  const code = paths.filter((path) => isCode(path));
  if (code.length === 0) return [];
  const whole = step(tools, ['--passWithNoTests', '--findRelatedTests', ...code]);
  // A change that no test can reach is no failure of this stage.
  return [
    {
      ...whole,
      count: (text, code) =>
        text.includes('No tests found') && code === 0
          ? { passed: 0, failed: 0 }
          : whole.count(text, code),
    },
  ];
}

/** Of the changed paths those that are still there. */
export const present = (root: string, paths: readonly string[]): string[] =>
  paths.filter((path) => existsSync(join(root, path)));
