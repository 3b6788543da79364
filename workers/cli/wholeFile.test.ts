import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { writeWhole } from './wholeFile.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'tb-whole-'));
});
afterEach(() => {
  rmSync(dir, { recursive: true, force: true });
});

async function* words(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

test('what is no file is never replaced, and refused by what it is', async () => {
  mkdirSync(join(dir, 'folder'));
  execFileSync('mkfifo', [join(dir, 'pipe')]);
  const server = createServer().listen(join(dir, 'socket'));
  await new Promise((listening) => server.once('listening', listening));
  symlinkSync('pipe', join(dir, 'link'));
  symlinkSync('circle', join(dir, 'circle'));
  const before = readdirSync(dir);
  const modes = (): number[] => before.map((name) => lstatSync(join(dir, name)).mode);
  const was = modes();
  for (const [name, why] of [
    ['folder', 'it is a folder'],
    ['folder/', 'it names a folder'],
    ['new/', 'it names a folder'],
    ['pipe', 'it is a pipe'],
    ['link', 'it is a pipe'],
    ['socket', 'it is a socket'],
    ['circle', 'is a link that leads to itself'],
    ['pipe/x', 'lies in something that is no folder'],
    ['none/x', 'does not exist'],
    ['n'.repeat(300), 'has too long a name'],
  ] as const) {
    await expect(writeWhole(join(dir, name), words('x'))).rejects.toMatchObject({
      kind: 'invalidInput',
      message: expect.stringContaining(why),
    });
  }
  await expect(writeWhole('', words('x'))).rejects.toMatchObject({ kind: 'invalidInput' });
  expect(readdirSync(dir)).toEqual(before);
  expect(modes()).toEqual(was);
  server.close();
});

test('a link is followed, a replaced file leaves its mode, the longest name has room for its part', async () => {
  writeFileSync(join(dir, 'real'), 'before');
  chmodSync(join(dir, 'real'), 0o640);
  symlinkSync('real', join(dir, 'link'));
  await writeWhole(join(dir, 'link'), words('after'));
  expect(lstatSync(join(dir, 'link')).isSymbolicLink()).toBe(true);
  expect(readFileSync(join(dir, 'real'), 'utf8')).toBe('after');
  expect(statSync(join(dir, 'real')).mode & 0o777).toBe(0o640);
  const longest = 'ü'.repeat(127);
  await writeWhole(join(dir, longest), words('long'));
  expect(readdirSync(dir).sort()).toEqual(['link', 'real', longest].sort());
});
