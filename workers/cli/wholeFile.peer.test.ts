import { execFileSync } from 'node:child_process';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { writeWhole } from './wholeFile.ts';

let dir: string;
let mount: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'tb-whole-'));
  mount = join(dir, 'small');
  mkdirSync(mount);
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', mount]);
});
afterEach(() => {
  execFileSync('umount', ['-l', mount]);
  rmSync(dir, { recursive: true, force: true });
});

test('a disk that is full in the middle: told so, nothing of it kept, the space free again, the older file as it was', async () => {
  const path = join(mount, 'run.csv');
  writeFileSync(path, 'yesterday');
  async function* tooMuch(): AsyncGenerator<Uint8Array> {
    for (let i = 0; i < 64; i += 1) yield new Uint8Array(64 * 1024).fill(65);
  }
  await expect(writeWhole(path, tooMuch())).rejects.toMatchObject({
    kind: 'internal',
    message: expect.stringMatching(/run\.csv was not written: the disk is full/),
    hint: expect.stringContaining('Free space'),
  });
  expect(readdirSync(mount)).toEqual(['run.csv']);
  expect(readFileSync(path, 'utf8')).toBe('yesterday');
  // What the part had taken is free again.
  expect(
    await writeWhole(
      path,
      (async function* fits() {
        yield new Uint8Array(1_500_000);
      })(),
    ),
  ).toBe(1_500_000);
});

test('a device stays a device', async () => {
  // Like /dev/null, but nobody's: what replaces it hurts nobody.
  const path = join(dir, 'null');
  execFileSync('mknod', [path, 'c', '1', '3']);
  const pieces = (async function* some() {
    yield new Uint8Array(1);
  })();
  await expect(writeWhole(path, pieces)).rejects.toMatchObject({
    kind: 'invalidInput',
    message: expect.stringContaining('it is a device'),
  });
  expect(lstatSync(path).isCharacterDevice()).toBe(true);
  expect(readdirSync(dir).sort()).toEqual(['null', 'small']);
});
