import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { openArgument, readTextArgument } from './readFile.ts';
import { runHere } from './testing/runHere.ts';

let dir: string;
const at = (name: string): string => join(dir, name);
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'tb-read-'));
  mkdirSync(at('folder'));
  execFileSync('mkfifo', [at('pipe')]);
  symlinkSync(at('pipe'), at('link'));
  symlinkSync(at('round'), at('round'));
});
afterAll(() => {
  rmSync(dir, { recursive: true, force: true });
});

test.each([
  ['folder', 'it is a folder'],
  ['pipe', 'it is a pipe'],
  ['link', 'it is a pipe'],
  ['round', 'its links lead round in a circle'],
  ['none', 'there is no such file'],
])('%s is refused in words, at once', async (name, words) => {
  await expect(openArgument(at(name))).rejects.toMatchObject({
    kind: 'invalidInput',
    message: `${at(name)} cannot be read: ${words}.`,
  });
});

test('so are a device and a socket', async () => {
  await expect(openArgument('/dev/zero')).rejects.toMatchObject({
    message: '/dev/zero cannot be read: it is a device.',
  });
  const server = createServer().listen(at('socket'));
  await new Promise((resolve) => server.once('listening', resolve));
  try {
    await expect(openArgument(at('socket'))).rejects.toMatchObject({ kind: 'invalidInput' });
  } finally {
    server.close();
  }
});

test.each<[string, Uint8Array, RegExp]>([
  [
    'UTF-16, little end first',
    Buffer.from('\ufeff{"a":1}', 'utf16le'),
    /is UTF-16 text; UTF-8 is read/,
  ],
  ['UTF-16, big end first', Buffer.from('\ufeff{"a":1}', 'utf16le').swap16(), /is UTF-16 text/],
  ['UTF-16 without a mark', Buffer.from('{"a":1}', 'utf16le'), /is UTF-16 text/],
  ['UTF-32', Buffer.from([0xff, 0xfe, 0, 0, 0x7b, 0, 0, 0]), /is UTF-32 text/],
  ['Latin 1', Buffer.from('{"a":\n"\xe9"}', 'latin1'), /:2:2: this is no UTF-8 text/],
])('%s is named', async (_, bytes, words) => {
  writeFileSync(at('text'), bytes);
  await expect(readTextArgument(at('text'))).rejects.toMatchObject({
    kind: 'invalidInput',
    message: expect.stringMatching(words) as string,
  });
});

test('a byte order mark is dropped', async () => {
  writeFileSync(at('text'), new TextEncoder().encode('\ufeff{}'));
  expect(await readTextArgument(at('text'))).toBe('{}');
});

/**
 * Every command that takes a file, with what it was given: exit code 2 and the file's name,
 * whatever the file is.
 */
const commands = [['check'], ['run'], ['score'], ['open']] as const;
const hostile: readonly (readonly [string, string | Uint8Array | null])[] = [
  ['folder', null],
  ['pipe', null],
  ['deep.json', '['.repeat(100_000)],
  ['newer.json', '{"tilebenchPlan": 99, "tilebenchResults": 99}'],
  ['utf16.json', Buffer.from('\ufeff{}', 'utf16le')],
  ['empty.json', ''],
  ['escape.json', '{"\\u001b[31m\u001b[2J": "\u202e"}'],
];
describe.each(commands)('tilebench %s', (command) => {
  test.each(hostile)(
    '%s: exit code 2, the file by its name, nothing raw on the terminal',
    async (name, content) => {
      if (content !== null) writeFileSync(at(name), content);
      const { code, out, err } = await runHere(command, at(name), '--data', at('data'));
      expect(`${out}${err}`).toContain(name);
      expect(`${out}${err}`).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/);
      expect(code).toBe(2);
    },
  );
});
