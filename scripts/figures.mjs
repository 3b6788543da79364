import { readdirSync, readFileSync, existsSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';
import { root } from './node24.mjs';

/*
 * Figures of the code's form, one a line: sizes, circles of imports, how the folders of src/ui hang
 * together, and the seconds of the stages of the last test run. `npm run figures`. Tests and what
 * only they use are left out.
 */
const folders = ['src', 'workers', 'electron', 'e2e', 'bench', 'scripts'];
const isTest = (path) => /\.(test|spec)\.tsx?$|\/testing\//.test(path);

const paths = folders
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true }).map((name) => `${folder}/${name}`),
  )
  .filter((path) => /\.tsx?$/.test(path) && !isTest(path))
  .sort();
const files = paths.map((path) => readSource(path));

/** Lines, imports (with whether they are of types only) and the longest function of a file. */
function readSource(path) {
  const text = readFileSync(join(root, path), 'utf8');
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const imports = [];
  let longest = { lines: 0, at: '' };
  const lineOf = (position) => source.getLineAndCharacterOfPosition(position).line;
  const visit = (node) => {
    if ((ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && node.moduleSpecifier) {
      const named = node.importClause?.namedBindings;
      const typeOnly =
        node.isTypeOnly ||
        node.importClause?.isTypeOnly ||
        (named !== undefined &&
          ts.isNamedImports(named) &&
          node.importClause.name === undefined &&
          named.elements.every((one) => one.isTypeOnly));
      const target = resolve(path, node.moduleSpecifier.text);
      if (target !== null) imports.push({ target, typeOnly: Boolean(typeOnly) });
    }
    if (ts.isFunctionLike(node) && node.body) {
      const first = lineOf(node.getStart());
      const lines = lineOf(node.end) - first + 1;
      if (lines > longest.lines) longest = { lines, at: `${path}:${first + 1}` };
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  const lines = text.split('\n');
  return {
    path,
    lines: lines.length - 1,
    wide: lines.filter((line) => line.length > 120).length,
    imports,
    longest,
  };
}

function lineCount(path) {
  return readFileSync(join(root, path), 'utf8').split('\n').length - 1;
}

function resolve(from, specifier) {
  if (!specifier.startsWith('.')) return null;
  const path = relative(root, join(root, dirname(from), specifier));
  return /\.tsx?$/.test(path) && existsSync(join(root, path)) ? path : null;
}

/** Groups of nodes that reach each other (Tarjan); only groups of two and more. */
function circles(graph) {
  const index = new Map();
  const low = new Map();
  const stack = [];
  const found = [];
  const visit = (node) => {
    index.set(node, index.size);
    low.set(node, index.get(node));
    stack.push(node);
    for (const next of graph.get(node) ?? []) {
      if (!index.has(next)) visit(next);
      if (stack.includes(next)) low.set(node, Math.min(low.get(node), low.get(next)));
    }
    if (low.get(node) !== index.get(node)) return;
    const group = stack.splice(stack.indexOf(node));
    if (group.length > 1) found.push(group);
  };
  for (const node of graph.keys()) if (!index.has(node)) visit(node);
  return found;
}

const graphOf = (keep) =>
  new Map(
    files.map(({ path, imports }) => [path, imports.filter(keep).map(({ target }) => target)]),
  );

/** Arrows between the folders below `base`: "a b" where a file of a imports one of b. */
function arrowsBelow(base) {
  const folderOf = (path) =>
    path.startsWith(`${base}/`)
      ? path
          .slice(base.length + 1)
          .split('/')
          .slice(0, -1)[0]
      : null;
  const arrows = new Map();
  for (const { path, imports } of files)
    for (const { target } of imports) {
      const [from, to] = [folderOf(path), folderOf(target)];
      if (from && to && from !== to) arrows.set(from, (arrows.get(from) ?? new Set()).add(to));
    }
  return arrows;
}

/**
 * Arrows that run back in the best order a greedy search finds: who is imported by few and imports
 * many stands first.
 */
function backArrows(arrows) {
  const left = new Set([...arrows.keys(), ...[...arrows.values()].flatMap((to) => [...to])]);
  let back = 0;
  while (left.size > 0) {
    const inward = (node) => [...left].filter((one) => arrows.get(one)?.has(node)).length;
    const outward = (node) => [...(arrows.get(node) ?? [])].filter((one) => left.has(one)).length;
    const [first] = [...left].sort(
      (a, b) =>
        Number(inward(a) > 0) - Number(inward(b) > 0) ||
        inward(a) - outward(a) - (inward(b) - outward(b)),
    );
    back += inward(first);
    left.delete(first);
  }
  return back;
}

const sizes = files.map(({ lines }) => lines).sort((a, b) => a - b);
const at = (share) => sizes[Math.min(sizes.length - 1, Math.floor(share * sizes.length))];
const sum = (numbers) => numbers.reduce((total, one) => total + one, 0);
const largest = files.toSorted((a, b) => b.lines - a.lines)[0];
const longest = files.toSorted((a, b) => b.longest.lines - a.longest.lines)[0].longest;
const told = (groups) =>
  `${groups.length}${groups.length === 0 ? '' : ` (${sum(groups.map((group) => group.length))} files; largest ${Math.max(...groups.map((group) => group.length))})`}`;
const arrows = arrowsBelow('src/ui');
const pairs = [...arrows].flatMap(([from, to]) =>
  [...to].filter((one) => from < one && arrows.get(one)?.has(from)),
);
const print = (what, value) => process.stdout.write(`${what.padEnd(34)} ${value}\n`);
print('files without tests', files.length);
print('lines', sum(sizes));
print('lines of a file, median', at(0.5));
print('lines of a file, 90 %', at(0.9));
print('lines of a file, most', `${largest.lines} (${largest.path})`);
print('files over 400 lines', sizes.filter((lines) => lines > 400).length);
const longOthers = ['kit', ...folders].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true })
    .map((name) => `${folder}/${name}`)
    .filter((path) => /\.(go|css)$/.test(path) && lineCount(path) > 400),
);
print('style sheets and Go over 400 lines', longOthers.length);
print('lines over 120 columns', sum(files.map(({ wide }) => wide)));
print('longest function', `${longest.lines} (${longest.at})`);
print('functions over 100 lines in files', files.filter((file) => file.longest.lines > 100).length);
print('circles of imports', told(circles(graphOf(({ typeOnly }) => !typeOnly))));
print('circles with those of types', told(circles(graphOf(() => true))));
print('src/ui: mutual pairs of folders', pairs.length);
print('src/ui: arrows that run back', backArrows(arrows));

const secondsFile = join(root, '.cache', 'stages.json');
if (existsSync(secondsFile)) {
  const { stages } = JSON.parse(readFileSync(secondsFile, 'utf8'));
  for (const [name, { seconds, cpuSeconds, passed, failed }] of Object.entries(stages))
    print(
      `stage ${name}`,
      `${seconds} s, ${Math.round(cpuSeconds ?? 0)} s of processor, ${passed} passed, ${failed} failed`,
    );
} else print('stages', 'not run here yet (npm test)');
