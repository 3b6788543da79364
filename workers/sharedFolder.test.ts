import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { openSession } from './cli/session.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'tb-shared-'));
});
afterEach(() => {
  rmSync(dir, { recursive: true, force: true });
});

/** Files of a person, among them such that are called as ours are. */
const theirs: Readonly<Record<string, number>> = {
  'tool.sh': 0o755,
  'plan.json': 0o644,
  'bin/deep/tool': 0o755,
  'exchange/letter.eml': 0o644,
  'exchange/bundle.zip': 0o644,
  ...Object.fromEntries(
    [1, 2, 3, 4, 5, 6, 7].map((day) => [`backups/shop-2026110${day}.sqlite`, 0o644]),
  ),
};
const stateOf = (name: string): unknown => {
  const path = join(dir, name);
  return [name, readFileSync(path, 'utf8'), statSync(path).mode & 0o777];
};

test('a data folder that holds other things: none of them is changed or removed, also at the second start', async () => {
  for (const [name, mode] of Object.entries(theirs)) {
    mkdirSync(join(dir, name, '..'), { recursive: true });
    writeFileSync(join(dir, name), `their ${name}`);
    chmodSync(join(dir, name), mode);
  }
  chmodSync(dir, 0o755);
  chmodSync(join(dir, 'bin'), 0o755);
  // What is called as ours is: as it was at the first start; in a folder that has our database,
  // closed to others.
  const mine = (name: string): boolean => !/^(?:exchange|backups)\//.test(name);
  const before = Object.keys(theirs).map(stateOf);
  for (const start of [1, 2]) {
    const session = await openSession({
      rootDir: join(import.meta.dirname, '..'),
      version: '0',
      host: 'cli',
      dataDir: dir,
    });
    await session.client.call('run.list', {});
    await session.close();
    const names = Object.keys(theirs).filter((name) => start === 1 || mine(name));
    expect(names.map(stateOf)).toEqual(
      before.filter((_, i) => names.includes(Object.keys(theirs)[i]!)),
    );
    expect(readdirSync(dir, { recursive: true })).toEqual(
      expect.arrayContaining(Object.keys(theirs)),
    );
    expect(statSync(dir).mode & 0o777).toBe(0o755);
    expect(statSync(join(dir, 'bin')).mode & 0o777).toBe(0o755);
  }
  for (const name of ['tilebench.sqlite', 'engine-lock.sqlite'])
    expect([name, statSync(join(dir, name)).mode & 0o777]).toEqual([name, 0o600]);
});

test('while the simulated workspace is up, no file or folder of its own is open to others', async () => {
  const before = process.umask(0);
  const session = await openSession({
    rootDir: join(import.meta.dirname, '..'),
    version: '0',
    host: 'cli',
    dataDir: dir,
    demo: true,
  });
  try {
    const seen = readdirSync(dir, { recursive: true, withFileTypes: true });
    expect(seen.map(({ name }) => name)).toContain('clock.json');
    for (const entry of seen) {
      const mode = statSync(join(entry.parentPath, entry.name)).mode & 0o777;
      expect([entry.name, mode]).toEqual([entry.name, entry.isDirectory() ? 0o700 : 0o600]);
    }
  } finally {
    await session.close();
    process.umask(before);
  }
});
