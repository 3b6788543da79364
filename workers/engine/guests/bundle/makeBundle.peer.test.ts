import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { roleOf } from '../../../../src/core/roles/roles.ts';
import { type BundleWish, makeBundle } from './makeBundle.ts';
import { createBundleShelf } from './shelf.ts';

/** A mirror of two packages of our own, of which one needs the other; an epoch is in its version. */
let dir: string;
let sources: string[];
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'tb-make-bundle-'));
  const mirror = join(dir, 'mirror');
  mkdirSync(mirror);
  const stanzas = [
    ['nginx-light', '1.22', 'Depends: tile-part (>= 2:1.0)\n'],
    ['tile-part', '2:1.5~rc1', ''],
    ['tile-other', '1', ''],
  ].map(([name = '', version = '', more = '']) => {
    const root = join(dir, name);
    mkdirSync(join(root, 'DEBIAN'), { recursive: true });
    writeFileSync(
      join(root, 'DEBIAN', 'control'),
      `Package: ${name}\nVersion: ${version}\nArchitecture: all\n` +
        `Maintainer: none <none@lab.example>\n${more}Description: nothing\n`,
    );
    const file = `${name}.deb`;
    execFileSync('dpkg-deb', ['-b', root, join(mirror, file)], { stdio: 'ignore' });
    const said = (program: string, ...args: string[]): string =>
      execFileSync(program, [...args, join(mirror, file)], { encoding: 'utf8' });
    const sha256 = said('sha256sum').slice(0, 64);
    const size = said('stat', '-c', '%s').trim();
    return `${said('dpkg-deb', '-f')}Filename: ./${file}\nSize: ${size}\nSHA256: ${sha256}\n`;
  });
  writeFileSync(join(mirror, 'Packages'), stanzas.join('\n'));
  sources = [`deb [trusted=yes] copy:${mirror} ./`];
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const make = (change: Partial<BundleWish> = {}) =>
  makeBundle({
    roles: [roleOf('web')!],
    release: 'debian-12',
    architecture: 'amd64',
    sources,
    out: join(dir, 'web.tar'),
    nowMs: 1_000,
    ...change,
  });

test('a bundle has what APT finds to be needed and no more, is taken in, and APT installs from it', async () => {
  const bundle = await make();
  expect(bundle).toMatchObject({
    release: 'debian-12',
    roles: ['web'],
    packages: 2,
    madeAtMs: 1_000,
  });
  const shelf = createBundleShelf(join(dir, 'data'));
  expect(await shelf.take(join(dir, 'web.tar'))).toEqual(bundle);

  const unpacked = join(dir, 'unpacked');
  mkdirSync(join(unpacked, 'lists', 'partial'), { recursive: true });
  execFileSync('tar', ['-xf', join(dir, 'web.tar'), '-C', unpacked]);
  expect(readdirSync(unpacked).sort()).toEqual([
    'Packages',
    'lists',
    'nginx-light_1.22_all.deb',
    'tile-part_1.5~rc1_all.deb',
    'tilebench-bundle.json',
  ]);
  writeFileSync(join(unpacked, 'sources.list'), `deb [trusted=yes] file:${unpacked} ./\n`);
  writeFileSync(join(unpacked, 'status'), '');
  const apt = (...args: string[]): string =>
    execFileSync(
      'apt-get',
      [
        ...['SourceList', 'SourceParts'].flatMap((name) => [
          '-o',
          `Dir::Etc::${name}=${name === 'SourceList' ? join(unpacked, 'sources.list') : '/dev/null'}`,
        ]),
        ...[
          '-o',
          `Dir::State::Lists=${unpacked}/lists`,
          '-o',
          `Dir::State::status=${unpacked}/status`,
        ],
        ...['-o', 'Dir::Cache::pkgcache=', '-o', 'Dir::Cache::srcpkgcache=', '-q', ...args],
      ],
      { encoding: 'utf8', env: { ...process.env, LC_ALL: 'C' } },
    );
  apt('-o', 'APT::Sandbox::User=root', 'update');
  const plan = apt('-s', 'install', 'nginx-light');
  expect(plan).toContain('Inst tile-part (2:1.5~rc1');
  expect(plan).toContain('Inst nginx-light (1.22');
});

test('what the mirror lacks, a mirror that is away and an unknown release are told; no file is left', async () => {
  const out = join(dir, 'none.tar');
  await expect(make({ out, roles: [roleOf('java')!] })).rejects.toMatchObject({
    message: expect.stringContaining('does not have a package of this role') as string,
  });
  await expect(
    make({ out, sources: ['deb [trusted=yes] http://127.0.0.1:9/debian bookworm main'] }),
  ).rejects.toMatchObject({
    message: expect.stringContaining('cannot reach its package mirror') as string,
  });
  await expect(make({ out, roles: [roleOf('standby')!] })).rejects.toThrow('install no package');
  const { sources: _none, ...wish } = { roles: [roleOf('web')!], out, nowMs: 0, sources };
  await expect(makeBundle({ ...wish, release: 'ubuntu-24.04' })).rejects.toMatchObject({
    hint: 'Name a mirror of ubuntu-24.04 with --mirror ADDRESS.',
  });
  await expect(makeBundle({ ...wish, release: 'debian-1' })).rejects.toThrow(
    'debian-1 is no release',
  );
  expect([existsSync(out), existsSync(`${out}.part`)]).toEqual([false, false]);
});
