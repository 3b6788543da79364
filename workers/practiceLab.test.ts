import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import {
  announcePracticeLab,
  createPracticeLabEdge,
  practiceLabPath,
  styleTilePath,
  withdrawPracticeLab,
} from './practiceLab.ts';

let dir = '';
let path = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'tb-practice-'));
  path = join(dir, 'tilebench', 'practice-lab.json');
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));
const edge = () => createPracticeLabEdge({ TILEBENCH_PRACTICE_LAB: path });

test('it lies in the folder for application data, or where it is told to', () => {
  expect(practiceLabPath({ XDG_DATA_HOME: '/x' })).toBe('/x/tilebench/practice-lab.json');
  expect(practiceLabPath({ TILEBENCH_PRACTICE_LAB: '/y' })).toBe('/y');
  expect(practiceLabPath({})).toMatch(/\/\.local\/share\/tilebench\/practice-lab\.json$/);
});

test('a lab tells of itself to its user alone, and takes only its own word back', async () => {
  expect(await edge().read('lab')).toBeNull();
  announcePracticeLab(path, 'one');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(await edge().read('lab')).toEqual({ path, text: 'one', stranger: null });
  announcePracticeLab(path, 'two');
  withdrawPracticeLab(path, 'one');
  expect(readFileSync(path, 'utf8')).toBe('two');
  expect(await edge().read('styleTile')).toBeNull();
  announcePracticeLab(styleTilePath(path), 'tile');
  expect(await edge().read('styleTile')).toMatchObject({ text: 'tile', stranger: null });
  expect(readFileSync(path, 'utf8')).toBe('two');
  withdrawPracticeLab(path, 'two');
  expect(existsSync(path)).toBe(false);
  withdrawPracticeLab(path, 'two');
});

test.each([0o620, 0o602])(
  'a file that others may write to is not the user’s alone (%o)',
  async (mode) => {
    announcePracticeLab(path, 'one');
    chmodSync(path, mode);
    expect(await edge().read('lab')).toMatchObject({ stranger: 'other users may write to it' });
  },
);

test('a file of another user is told as such; what is no file or too large is none', async () => {
  announcePracticeLab(path, 'one');
  const getuid = jest.spyOn(process, 'getuid').mockReturnValue(statSync(path).uid + 1);
  expect(await edge().read('lab')).toMatchObject({ stranger: 'it belongs to another user' });
  getuid.mockRestore();
  writeFileSync(path, 'x'.repeat(1024 * 1024 + 1));
  expect(await edge().read('lab')).toBeNull();
  expect(await createPracticeLabEdge({ TILEBENCH_PRACTICE_LAB: dir }).read('lab')).toBeNull();
});

test('whether somebody listens is known, and that nobody does', async () => {
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  expect(await edge().answers('127.0.0.1', port)).toBe(true);
  await new Promise((resolve) => server.close(resolve));
  expect(await edge().answers('127.0.0.1', port)).toBe(false);
});
