import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { openChosen, saveTarget } from './chosenFile.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'tb-chosen-'));
  writeFileSync(join(dir, 'file'), 'text');
  mkdirSync(join(dir, 'folder'));
  execFileSync('mkfifo', [join(dir, 'pipe')]);
  for (const name of ['file', 'folder', 'pipe']) symlinkSync(name, join(dir, `to-${name}`));
});
afterEach(() => {
  rmSync(dir, { recursive: true, force: true });
});

test.each([
  ['folder', 'a folder'],
  ['pipe', 'a pipe'],
  ['to-folder', 'a folder'],
  ['to-pipe', 'a pipe'],
])('%s is neither opened nor replaced, and not waited for', async (name, kind) => {
  const path = join(dir, name);
  await expect(openChosen(path)).rejects.toThrow(`${path} is ${kind}`);
  await expect(saveTarget(path)).rejects.toThrow(`${path} cannot be written: it is ${kind}`);
});

test('a device is refused', async () => {
  await expect(openChosen('/dev/zero')).rejects.toThrow('is a device');
  await expect(saveTarget('/dev/null')).rejects.toThrow('it is a device');
});

test('a file is opened, also by a link, and written where it lies; a new one where it was named', async () => {
  const file = await openChosen(join(dir, 'to-file'));
  expect(await file.readFile('utf8')).toBe('text');
  await file.close();
  expect(await saveTarget(join(dir, 'to-file'))).toBe(join(dir, 'file'));
  expect(await saveTarget(join(dir, 'new'))).toBe(join(dir, 'new'));
  await expect(openChosen(join(dir, 'new'))).rejects.toThrow('ENOENT');
});

test('every file that the desktop opens or saves for a person goes this way', () => {
  for (const name of ['desktop.ts', 'binaryFiles.ts']) {
    const text = readFileSync(join(import.meta.dirname, name), 'utf8');
    expect(text).toContain('openChosen(');
    expect(text).not.toMatch(/\b(?:readFile|open)\(\s*path/);
  }
});
