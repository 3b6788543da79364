import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/*
 * What the maps, recipes, decisions and READMEs name is there: every path, every name of the code,
 * every npm script, every link. A guide for users names files of theirs too: of it only links and
 * paths from the root of the project count.
 */
const roots = [
  'src',
  'workers',
  'electron',
  'e2e',
  'bench',
  'scripts',
  'resources',
  'docs',
  'bin',
  'kit',
];
const filesIn = (root: string): string[] =>
  readdirSync(root, { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).replaceAll('\\', '/'));
const files = roots.flatMap(filesIn);
const tops = new Set([...roots, ...readdirSync('.')]);
const folders = new Set(files.map((file) => dirname(file)));
const docs = [...files.filter((file) => file.endsWith('.md')), 'README.md'];
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  scripts: Record<string, string>;
};

const names = new Set<string>();
for (const file of [...files, 'package.json', 'tsconfig.json'])
  if (/\.(?:tsx?|mjs|go|json|css|py)$/.test(file) && file !== 'scripts/docs.test.ts')
    for (const name of readFileSync(file, 'utf8').match(/[A-Za-z_$][\w$]*/g) ?? []) names.add(name);

const isGuide = (doc: string): boolean => doc.startsWith('docs/guide/');
/** A file of the code by its name alone; data and notes are often somebody else's. */
const source = /\.(?:tsx?|mjs|go|css)$/;

/** From where a path of a document may be meant. */
const isThere = (doc: string, path: string): boolean => {
  const whole = path.replace(/\/$/, '').replace(/\/?[^/]*\*.*$/, '');
  return [join(dirname(doc), whole), whole].some((at) => folders.has(at) || existsSync(at));
};

/** What is wrong with one word between backticks; null = nothing. */
function wrongWord(doc: string, word: string): string | null {
  const run = /^npm run ([\w:-]+)/.exec(word)?.[1];
  if (run !== undefined) return run in scripts ? null : 'no such npm script';
  if (!/^[\w./*@-]+(?:\(\))?$/.test(word) || /^\d/.test(word)) return null;
  const isPath = word.includes('/');
  if (isPath && tops.has(word.split('/')[0]!))
    return isThere(doc, word) ? null : 'no such file or folder';
  if (isGuide(doc)) return null;
  if (source.test(word)) return isThere(doc, word) ? null : 'no such file or folder';
  if (isPath || word.includes('-') || /\.(?:md|json|ya?ml|py|sh|sqlite|csv|log)$/.test(word))
    return null;
  const parts = word.replace('()', '').split('.');
  const isName = parts.length > 1 || /[a-z][A-Z]|\(\)$/.test(word);
  return !isName || parts.every((part) => part === '' || names.has(part))
    ? null
    : 'no such name in the code';
}

test.each(docs)('%s names what is there', (doc) => {
  const text = readFileSync(doc, 'utf8').replace(/^```[\s\S]*?^```/gm, '');
  const words = [...text.matchAll(/`([^`\n]+)`/g)].flatMap(([, word]) => {
    const wrong = wrongWord(doc, word!);
    return wrong === null ? [] : [`${word!}: ${wrong}`];
  });
  const links = [...text.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].flatMap(([, to]) =>
    /^[a-z]+:/.test(to!) || existsSync(join(dirname(doc), to!)) ? [] : [`${to!}: no such link`],
  );
  expect([...words, ...links]).toEqual([]);
});

test.each([
  ['README.md', 'src/core', null],
  ['README.md', 'src/nowhere/x.ts', 'no such file or folder'],
  ['src/ui/charts/RECIPES.md', 'draw.ts', null],
  ['src/ui/charts/RECIPES.md', 'drawn.ts', 'no such file or folder'],
  ['README.md', 'useRunStartMutation', null],
  ['README.md', 'useRunStartMutilation', 'no such name in the code'],
  ['README.md', 'run.start', null],
  ['README.md', 'run.begin4ever', 'no such name in the code'],
  ['README.md', 'npm run figures', null],
  ['README.md', 'npm run faster', 'no such npm script'],
  ['docs/guide/run.md', 'results.json', null],
])('in %s, `%s`: %p', (doc, word, wrong) => expect(wrongWord(doc, word)).toBe(wrong));
