import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { changedArchive } from './sealedArchive.ts';

let dir: string, consoleDir: string;
const archive = Buffer.from('the window process');
const sealOf = (content: Buffer): string =>
  `${JSON.stringify({ sha256: createHash('sha256').update(content).digest('hex') })}\n`;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'tilebench-seal-'));
  consoleDir = join(dir, 'console');
  mkdirSync(consoleDir);
  writeFileSync(join(dir, 'app.asar'), archive);
  writeFileSync(join(consoleDir, 'archive.json'), sealOf(archive));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

test('an archive as it was packed is served, and so is the folder of the project, which has no seal', () => {
  expect(changedArchive(consoleDir)).toBeNull();
  rmSync(join(consoleDir, 'archive.json'));
  expect(changedArchive(consoleDir)).toBeNull();
});

test.each([
  ['of another content', () => writeFileSync(join(dir, 'app.asar'), 'THE window process')],
  ['that is missing', () => rmSync(join(dir, 'app.asar'))],
])('an archive %s is named and not served', (_name, change) => {
  change();
  const found = changedArchive(consoleDir);
  expect(found?.kind).toBe('untrusted');
  expect(found?.details).toEqual({ changedPart: join(dir, 'app.asar') });
});

test.each(['', '{}', '{"sha256":"00"}\n', 'no JSON'])(
  'a seal that says %j seals nothing',
  (text) => {
    writeFileSync(join(consoleDir, 'archive.json'), text);
    expect(changedArchive(consoleDir)?.message).toContain('archive.json is not the file');
  },
);
