import { spawnSync } from 'node:child_process';
import { generateKeyPairSync, verify } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { appVersion } from '../../src/wire/contract/version.ts';
import { feedFile, signatureFile } from '../../workers/updates.ts';
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

  /** A folder of a project with scripts of its own, which tell that they ran, and may do more. */
  function project(nightly: number, made: number, acts = { nightly: '', package: '' }): void {
    mkdirSync(join(dir, 'scripts'));
    const script = (name: keyof typeof acts, code: number): void =>
      writeFileSync(
        join(dir, 'scripts', `${name}.mjs`),
        `import { mkdirSync, writeFileSync } from 'node:fs';
         console.log('${name} ran'); ${acts[name]}; process.exit(${code});`,
      );
    script('nightly', nightly);
    script('package', made);
    writeFileSync(join(dir, 'CHANGELOG.md'), changelog);
    git('init');
    git('add', '.');
    git('-c', 'user.name=a', '-c', 'user.email=a@example.org', 'commit', '--message', 'First');
  }
  const git = (...words: string[]): unknown => spawnSync('git', words, { cwd: dir });
  const release = (...args: string[]): { status: number | null; stdout: string; stderr: string } =>
    spawnSync(
      process.execPath,
      [
        '--input-type=module',
        '--eval',
        `const { makeRelease } = await import(process.argv[1]);
         const [root, ...args] = process.argv.slice(2);
         process.exit(makeRelease(args, { root, node: process.execPath }));`,
        resolve('scripts/packaging/release.ts'),
        ...[dir, ...args],
      ],
      { encoding: 'utf8', cwd: dir },
    );

  test('is refused on a dirty tree, and where there is no clone, before anything runs', () => {
    writeFileSync(join(dir, 'CHANGELOG.md'), changelog);
    expect(release()).toEqual(refused('this is no clone: git tells nothing of its tree.'));
    git('init');
    expect(release()).toEqual(refused('the tree has changes that are in no commit.'));
  });

  test('is refused where a check of the night fails: nothing is packed', () => {
    project(1, 0);
    const { status, stdout, stderr } = release();
    expect([status, stdout, stderr]).toEqual([
      2,
      'nightly ran\n',
      'No release: a check of npm run nightly failed.\n',
    ]);
  });

  test('a package that is not made ends it: no sums, no notes', () => {
    project(0, 4);
    expect(release()).toMatchObject({ status: 4, stdout: 'nightly ran\npackage ran\n' });
    expect(readdirSync(dir)).not.toContain('release');
  });

  const makesPackage = `
    const out = process.argv[process.argv.indexOf('--out') + 1];
    mkdirSync(out, { recursive: true }); writeFileSync(out + '/a.deb', process.argv.slice(2, -2).join(' '))`;

  test('is refused where a check changed what is packed; pictures of the checks in docs are no change', () => {
    const acts = { nightly: `mkdirSync('docs'); writeFileSync('docs/sheet', '')`, package: '' };
    project(0, 0, { ...acts, package: makesPackage });
    expect(release()).toMatchObject({ status: 0, stderr: '' });
    rmSync(dir, { recursive: true });
    mkdirSync(dir);
    project(0, 0, { ...acts, nightly: `writeFileSync('CHANGELOG.md', '')` });
    expect(release()).toMatchObject({
      status: 2,
      stdout: 'nightly ran\n',
      stderr: 'No release: the tree is another than the one that was checked.\n',
    });
  });

  test('to its end: every zip packed, sums that sha256sum takes, the notes, a feed that its key signed', () => {
    project(0, 0, { nightly: '', package: makesPackage });
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const key = join(dir, '.git', 'updates.key');
    writeFileSync(key, privateKey.export({ type: 'pkcs8', format: 'pem' }));
    const out = join(dir, '.git', 'made');
    expect(release('--electron', 'one.zip', '--sign', key, '--out', out)).toEqual(
      expect.objectContaining({
        status: 0,
        stdout: `nightly ran\npackage ran\nTilebench ${appVersion} is in ${out}.\n`,
        stderr: '',
      }),
    );
    expect(readdirSync(out)).toEqual([
      'RELEASE-NOTES.md',
      'SHA256SUMS',
      'a.deb',
      feedFile,
      signatureFile,
    ]);
    expect(readFileSync(join(out, 'a.deb'), 'utf8')).toBe('--electron one.zip');
    expect(spawnSync('sha256sum', ['--check', 'SHA256SUMS'], { cwd: out }).status).toBe(0);
    expect(readFileSync(join(out, 'RELEASE-NOTES.md'), 'utf8')).toBe(
      `# Tilebench ${appVersion}\n\n- First.\n`,
    );
    const [feed, signature] = [feedFile, signatureFile].map((name) =>
      readFileSync(join(out, name)),
    );
    expect(verify(null, feed!, publicKey, Buffer.from(String(signature), 'base64'))).toBe(true);
  });

  test('is refused into a folder that is not empty, and with a key of another kind', () => {
    project(0, 0);
    expect(release('--out', 'scripts')).toEqual(refused('scripts is not empty.'));
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const key = join(dir, '.git', 'other.key');
    writeFileSync(key, privateKey.export({ type: 'pkcs8', format: 'pem' }));
    expect(release('--sign', key)).toEqual(refused(`${key} is no Ed25519 key.`));
  });
});

const refused = (why: string): unknown =>
  expect.objectContaining({ status: 2, stdout: '', stderr: `No release: ${why}\n` });
