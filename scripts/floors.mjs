import { readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

/*
 * Who may import whom: layers.json names the floors and, for each, the floors below it. A floor is
 * a folder; the longest name that fits a path is its floor, and `*` at the end stands for all
 * folders there. Checked by ESLint (`floors/down`), tests included.
 */

/** Whether a path is a test, or belongs to what only tests use. */
export const isOfTests = (path) => /\.(test|spec)\.tsx?$|(^|\/)testing\//.test(path);

/** The floor of a path; null = it has none. */
export function floorOf(path, table) {
  let found = null;
  for (const name of Object.keys(table))
    if ((path === name || path.startsWith(`${name}/`)) && name.length > (found?.length ?? 0))
      found = name;
  return found;
}

const fits = (floor, pattern) =>
  pattern.endsWith('/*') ? floor.startsWith(pattern.slice(0, -1)) : floor === pattern;

/**
 * Why `path` must not import `target` (both from the project's root, or a package's name); null =
 * it may.
 */
export function forbidden(path, target, table) {
  const from = floorOf(path, table);
  if (from === null) return null;
  const { may, runsWithoutNode = false } = table[from];
  if (target.startsWith('node:'))
    return runsWithoutNode && !isOfTests(path) ? `${from} runs without Node.` : null;
  if (target === 'electron')
    return from === 'electron' ? null : 'Only electron may import electron.';
  // What is for tests puts the whole together.
  if (/(^|\/)testing\//.test(path)) return null;
  if (isOfTests(target)) return isOfTests(path) ? null : 'Only tests may import what is for tests.';
  const to = floorOf(target, table);
  if (to === from) return null;
  if (to === null)
    return /^(e2e|bench|scripts)\//.test(target) && !isOfTests(path)
      ? `${from} may not import ${target.split('/')[0]}.`
      : null;
  return may.some((pattern) => fits(to, pattern))
    ? null
    : `${from} may not import ${to}: it may import ${may.length === 0 ? 'nothing of ours' : may.join(', ')} (layers.json).`;
}

const root = join(import.meta.dirname, '..');
export const layers = JSON.parse(readFileSync(join(root, 'layers.json'), 'utf8'));

const down = {
  meta: { type: 'problem', schema: [] },
  create(context) {
    const path = relative(root, context.filename).split(sep).join('/');
    const check = (node) => {
      const source = node.source?.value ?? node.argument?.literal?.value;
      if (typeof source !== 'string') return;
      const target = source.startsWith('.') ? join(dirname(path), source) : source;
      const message = forbidden(path, target, layers);
      if (message !== null) context.report({ node, message });
    };
    return {
      ImportDeclaration: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
      ImportExpression: check,
      TSImportType: check,
    };
  },
};

/** ESLint's plugin with the one rule. */
export const floors = { rules: { down } };
