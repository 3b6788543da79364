/**
 * Writes src/core/redact/ourWords.ts: every word of this app's own texts, which redaction lets
 * leave. From string literals of the code that writes findings, reports and exports, from shipped
 * profiles and from the guide.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import ts from 'typescript';

const root = join(import.meta.dirname, '..');
const out = join(root, 'src/core/redact/ourWords.ts');
/** Demo labs and tests are full of invented names; a program for guests is no text of ours. */
const without = /(\.test\.ts|\/testing\/|\/simlab\/|\/redact\/|\/demo|\/ordersSource\.ts|\.d\.ts)/;
/** Words of our texts that people also call things by, and examples of names. */
const namesToo = new Set(
  'acme zebra alice bob mallory jdoe berlin london paris frank mark will grace hunter esx apollo zeus example corp'.split(
    ' ',
  ),
);
const word = /[\p{L}\p{N}]+(?:['’._/-][\p{L}\p{N}]+)*/gu;
const words = new Set();

function take(text) {
  for (const [found] of text.matchAll(word)) {
    const lower = found.toLowerCase();
    if (lower.length < 2 || lower.length > 40 || lower.includes('/')) continue;
    const parts = lower.split(/['’._-]/);
    // `esx1`, `client-7`: letters and a number are how machines are called.
    if (parts.some((part) => /\d/.test(part))) continue;
    for (const one of [lower, ...parts]) if (one.length > 1 && !namesToo.has(one)) words.add(one);
  }
}
function takeCode(path) {
  const file = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
  const visit = (node) => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    if (
      ts.isStringLiteralLike(node) ||
      ts.isTemplateHead(node) ||
      ts.isTemplateMiddle(node) ||
      ts.isTemplateTail(node)
    )
      take(node.text);
    else if (ts.isPropertyAssignment(node) && ts.isIdentifier(node.name)) take(node.name.text);
    ts.forEachChild(node, visit);
  };
  visit(file);
}
for (const folder of ['src/core', 'src/wire', 'workers/engine', 'workers/cli'])
  for (const entry of readdirSync(join(root, folder), { recursive: true })) {
    const path = join(root, folder, entry);
    if (path.endsWith('.ts') && !without.test(`/${folder}/${entry}`)) takeCode(path);
  }
for (const entry of readdirSync(join(root, 'resources/profiles')))
  take(readFileSync(join(root, 'resources/profiles', entry), 'utf8'));
for (const entry of readdirSync(join(root, 'docs/guide'), { recursive: true }))
  if (entry.endsWith('.md'))
    take(
      readFileSync(join(root, 'docs/guide', entry), 'utf8')
        .replace(/```[\s\S]*?```/g, ' ')
        .replace(/`[^`]*`/g, ' '),
    );

const lines = [];
let line = '';
for (const one of [...words].sort()) {
  if (line.length + one.length > 98) {
    lines.push(line.trimEnd());
    line = '';
  }
  line += `${one} `;
}
lines.push(line.trimEnd());
writeFileSync(
  out,
  `/** Made by scripts/words.mjs: words of this app's own texts. Not written by hand. */\nexport const ourWords = \`\n${lines.join('\n')}\n\`;\n`,
);
console.log(`${words.size} words`);
