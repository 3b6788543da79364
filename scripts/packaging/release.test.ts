import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { feedOf, notesOf } from './release.ts';

const changelog = '# Changelog\n\n## 0.2.0 (2026-12-01)\n- New.\n- Newer.\n\n## 0.1.0\n- First.\n';

test.each([
  ['0.2.0', '- New.\n- Newer.'],
  ['0.1.0', '- First.'],
  ['0.1', null],
])('notes of %s', (version, notes) => expect(notesOf(changelog, version)).toBe(notes));

describe('a release', () => {
  let dir: string;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'tilebench-release-'));
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  test('its sums are those of sha256sum, and name each file of the feed', () => {
    writeFileSync(join(dir, 'a.deb'), 'a package');
    const { feed, sums } = feedOf(dir, ['a.deb'], { version: '0.2.0', notes: 'n', epochS: 0 });
    expect(feed).toMatchObject({ publishedAt: '1970-01-01T00:00:00Z', files: [{ bytes: 9 }] });
    const { status } = spawnSync('sha256sum', ['--check', '-'], { cwd: dir, input: sums });
    expect(status).toBe(0);
  });

  test('is refused on a dirty tree before anything runs', () => {
    const git = (...words: string[]): unknown => spawnSync('git', words, { cwd: dir });
    git('init');
    writeFileSync(join(dir, 'CHANGELOG.md'), changelog);
    const script = `
      const { makeRelease } = await import(process.argv[1]);
      process.exit(makeRelease([], { root: process.argv[2], node: '/nowhere' }));`;
    const { status, stderr } = spawnSync(
      process.execPath,
      ['--input-type=module', '--eval', script, resolve('scripts/packaging/release.ts'), dir],
      { encoding: 'utf8' },
    );
    expect(stderr).toContain('No release: the tree has changes');
    expect(status).toBe(2);
  });
});
