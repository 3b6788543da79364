import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { changedBeforeStart, changedContent, type PackagePart, readParts } from './packageParts.ts';

let dir: string;
let parts: PackagePart[];
const node = 'bin/node';
const bundle = 'dist/workers/engineProcess.cjs';
const page = 'dist/ui/index.html';
const lay = (path: string, text: string): void => {
  mkdirSync(dirname(join(dir, path)), { recursive: true });
  writeFileSync(join(dir, path), text);
};
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'tilebench-parts-'));
  parts = [node, bundle, page].map((path) => {
    const text = `the text of ${path}`;
    lay(path, text);
    return { path, bytes: text.length, sha256: createHash('sha256').update(text).digest('hex') };
  });
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

test('what lies there as it was packed is used', async () => {
  expect(changedBeforeStart(dir, parts)).toBeNull();
  expect(await changedContent(dir, parts)).toBeNull();
});

test.each([
  ['Node of another length', node, 'short', '5 bytes instead of 20'],
  ['a bundle of the same length', bundle, 'THE text of dist/workers/engineProcess.cjs', 'another'],
])('before a start: %s is not started', (_name, path, text, why) => {
  lay(path, text);
  const changed = changedBeforeStart(dir, parts);
  expect(changed?.message).toContain(`${join(dir, path)} is not the file`);
  expect(changed?.message).toContain(why);
  expect(changed?.details).toEqual({ changedPart: join(dir, path) });
});

test('before a start: Node that is missing is told as missing', () => {
  rmSync(join(dir, node));
  expect(changedBeforeStart(dir, parts)?.message).toContain('it is missing');
});

test('behind the start: what has the right length and another content', async () => {
  for (const path of [node, page]) {
    lay(path, `THE text of ${path}`);
    expect(changedBeforeStart(dir, parts)).toBeNull();
    expect((await changedContent(dir, parts))?.message).toContain(
      `${join(dir, path)} is not the file that the package of Tilebench brought: its content`,
    );
    lay(path, `the text of ${path}`);
  }
});

test('a list that was cut off lists nothing: the window does not start on it', () => {
  lay('parts.json', JSON.stringify(parts));
  expect(readParts(join(dir, 'parts.json'))).toEqual(parts);
  lay('parts.json', '[{"path":"bin/node"}]');
  expect(() => readParts(join(dir, 'parts.json'))).toThrow('lists no parts');
});
