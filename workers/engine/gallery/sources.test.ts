import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import ts from 'typescript';

import { gallery } from './index.ts';
import { library } from './library.ts';
import { parts } from './libraryParts.ts';

const folder = join(process.cwd(), 'workers/engine/gallery');

/** Members that name or wire things, and say nothing of their size. */
const wiring: ReadonlySet<string> = new Set(['seed', 'schemaVersion', 'portId', 'share']);
/** What the model is held against: each line of it has its source as an argument. */
const comparing: ReadonlySet<string> = new Set(['expectations', 'published', 'expectation']);

const nameOf = (node: ts.Node | undefined): string =>
  node !== undefined && (ts.isIdentifier(node) || ts.isStringLiteral(node)) ? node.text : '';
/**
 * What the post or the library says: an argument of `lib.…`, a line of the comparison, text of the
 * item.
 */
function isTold(node: ts.Node): boolean {
  if (ts.isCallExpression(node))
    return (
      (ts.isPropertyAccessExpression(node.expression) &&
        nameOf(node.expression.expression) === 'lib') ||
      comparing.has(nameOf(node.expression))
    );
  if (ts.isMethodDeclaration(node)) return comparing.has(nameOf(node.name));
  return ts.isPropertyAssignment(node) && wiring.has(nameOf(node.name));
}
const nameOfMember = (node: ts.Node): string =>
  ts.isPropertyAssignment(node) ? nameOf(node.name) : '';
const one: ReadonlySet<string> = new Set(['tiles', 'hosts', 'ioFactor']);
/** A limit or a weight with its own source beside it, in the same object. */
const isSourced = (node: ts.Node): boolean =>
  ts.isPropertyAssignment(node) &&
  node.parent.properties.some(({ name }) => /source$/i.test(nameOf(name)));
const holders = ['times', 'hosts', 'luns', 'clients', 'tileVms', 'testbed', 'plan'];
/**
 * A number where a study says how much of something there is: a member, an element, a constant, a
 * count of things.
 */
function saysHowMuch(node: ts.NumericLiteral): boolean {
  const { parent } = node;
  // One host, one LUN, the point of one tile: there is what is spoken of, and no more.
  if (node.text === '1' && (ts.isCallExpression(parent) || one.has(nameOfMember(parent))))
    return false;
  return (
    (ts.isPropertyAssignment(parent) && !isSourced(parent)) ||
    ts.isArrayLiteralExpression(parent) ||
    ts.isVariableDeclaration(parent) ||
    (ts.isCallExpression(parent) && holders.includes(nameOf(parent.expression)))
  );
}

/** Numbers of a study file that nothing says the source of, as `E01.ts:12 memoryGb: 32`. */
function untold(name: string, text: string): string[] {
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (isTold(node)) return;
    if (ts.isNumericLiteral(node) && saysHowMuch(node)) {
      const { line } = file.getLineAndCharacterOfPosition(node.getStart());
      found.push(`${name}:${line + 1} ${node.parent.getText().split('\n')[0] ?? ''}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

test('no number stands in a study file without the line it is from, or the reason it was chosen', () => {
  const files = readdirSync(folder).filter((name) => /^(E\d\d|vmmark\d)\.ts$/.test(name));
  expect(files.length).toBeGreaterThanOrEqual(17);
  expect(files.flatMap((name) => untold(name, readFileSync(join(folder, name), 'utf8')))).toEqual(
    [],
  );
});

test('the test sees what it looks for: a size of a VM, of a host, a count, a sweep', () => {
  expect(
    untold(
      'E99.ts',
      `const count = 3; const swept = [2, 4];
       const spec = lab({ seed: 7, hosts: hosts(4, 'esx', { memoryGb: 64 }), vms: [{ vcpus: 1 }] });
       const fine = lib.given('Phases', { steadyS: 60 }, source(3));`,
    ),
  ).toEqual([
    'E99.ts:1 count = 3',
    'E99.ts:1 [2, 4]',
    'E99.ts:1 [2, 4]',
    "E99.ts:2 hosts(4, 'esx', { memoryGb: 64 })",
    'E99.ts:2 memoryGb: 64',
    'E99.ts:2 vcpus: 1',
  ]);
});

test('a source is a line of a post or a reason; anything else is refused', () => {
  const lib = library('E01');
  expect(() => lib.given('Tiles', { tiles: 4 }, 'as usual')).toThrow(/No source: "as usual"/);
  expect(() => lib.posted([1], 'chosen: x')).toThrow(/No source/);
  expect(lib.given('Tiles', { tiles: 4 }, lib.line(39)).tiles).toBe(4);
  expect(lib.basis().at(-1)).toEqual({
    kind: 'sourced',
    what: 'E01: Tiles',
    figure: '4 tiles',
    source: 'Measuring Cluster Scaling with VMmark, seed 000 line 39',
    serves: 0,
  });
});

test('every study is told with the title and year of its post, and so is every line it cites', () => {
  for (const entry of gallery) {
    const { item, basis, published } = entry;
    const { title, seed, year } = parts.posts[item.id]!;
    expect(item.year).toBe(year);
    const cited = [
      ...entry.expectations({ points: [], value: () => null, series: () => null }),
      ...published,
      ...item.published,
    ].map(({ source }) => source);
    for (const source of cited) expect(source).toMatch(new RegExp(`, seed ${seed} lines? \\d+`));
    for (const source of cited) expect(source.startsWith(`${title}, seed `)).toBe(true);
    // Sources of the library that name a post name one there is.
    for (const { source } of basis) {
      const post = /^(.{10,}), seed (\d{3}) /.exec(source);
      if (post && !/^(chosen|Set from)/i.test(source))
        expect(Object.values(parts.posts).map((one) => `${one.title} ${one.seed}`)).toContain(
          `${post[1]} ${post[2]}`,
        );
    }
  }
});

test('noise of a reading is the same in all labs', () => {
  expect(new Set(gallery.flatMap(({ labs }) => labs.map(({ noise }) => noise))).size).toBe(1);
});
