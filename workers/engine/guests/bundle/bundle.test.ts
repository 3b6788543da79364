import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { bundleHeadName, bundleIndexName, indexStanza } from '../../../../src/core/roles/bundle.ts';
import { type BundleShelf, createBundleShelf } from './shelf.ts';
import { type TarSource, writeTar } from './tar.ts';

let dir: string;
let shelf: BundleShelf;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'tb-bundle-'));
  shelf = createBundleShelf(join(dir, 'data'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const text = 'as if it were a package';
const sha256 = createHash('sha256').update(text).digest('hex');
const file = 'nginx-light_1.22_all.deb';
const head = {
  tilebenchBundle: 1,
  release: 'debian-12',
  architecture: 'amd64',
  roles: ['web'],
  madeAtMs: 1_000,
};
const control =
  'Package: nginx-light\nVersion: 1.22\nArchitecture: all\nDescription: a server\n more';
const stanza = indexStanza(control, { file, bytes: text.length, sha256 });
interface Change {
  head?: unknown;
  index?: string;
  packages?: TarSource[];
}
const sources = (change: Change): TarSource[] => [
  { name: bundleHeadName, text: JSON.stringify(change.head ?? head) },
  { name: bundleIndexName, text: change.index ?? stanza },
  ...(change.packages ?? [{ name: file, text }]),
];
async function write(change: Change = {}): Promise<string> {
  const path = join(dir, 'web.tar');
  await writeTar(path, sources(change));
  return path;
}
const kept = (): string[] => readdirSync(join(dir, 'data', 'guest-bundles'));

test('a bundle is kept under its digest, listed, found by another engine, and forgotten', async () => {
  const path = await write();
  const digest = createHash('sha256').update(readFileSync(path)).digest('hex');
  const taken = await shelf.take(path);
  expect(taken).toEqual({
    sha256: digest,
    bytes: readFileSync(path).length,
    release: 'debian-12',
    architecture: 'amd64',
    roles: ['web'],
    packages: 1,
    madeAtMs: 1_000,
  });
  expect(kept()).toEqual([`${digest}.tar`]);
  const next = createBundleShelf(join(dir, 'data'));
  expect([await next.list(), (await next.find(digest))?.bundle]).toEqual([[taken], taken]);
  // What was changed where it lies is no longer the one of that name.
  writeFileSync(join(dir, 'data', 'guest-bundles', `${digest}.tar`), 'other');
  await expect(createBundleShelf(join(dir, 'data')).find(digest)).rejects.toThrow('cut short');
  await shelf.remove(digest);
  expect([await shelf.list(), kept()]).toEqual([[], []]);
});

test.each<[string, Change, string]>([
  [
    'a way out of the folder',
    { packages: [{ name: '../../etc/x', text }] },
    '"../../etc/x" is not in the list',
  ],
  [
    'a way out of the folder that its list names',
    { index: stanza.replace(file, '../../etc/x.deb') },
    'lies at "../../etc/x.deb"',
  ],
  ['a whole path', { index: stanza.replace(`./${file}`, '/etc/x.deb') }, 'lies at "/etc/x.deb"'],
  [
    'an option in place of a name',
    { index: stanza.replace(file, '--to-command=x.deb') },
    'lies at',
  ],
  [
    'another content',
    { packages: [{ name: file, text: text.replace('as', 'AS') }] },
    'Package nginx-light is not the one of the list: its SHA-256 differs.',
  ],
  ['another size', { packages: [{ name: file, text: 'x' }] }, 'its size differs'],
  ['a package less', { packages: [] }, 'Package nginx-light is missing'],
  [
    'a package twice',
    {
      packages: [
        { name: file, text },
        { name: file, text },
      ],
    },
    'stands twice',
  ],
  ['no digest', { index: stanza.replace(/SHA256.*/, '') }, 'has no SHA-256'],
  [
    'another architecture',
    { index: stanza.replace('Architecture: all', 'Architecture: arm64') },
    'is for arm64, the bundle for amd64',
  ],
  [
    'a role without its packages',
    { head: { ...head, roles: ['web', 'mail'] } },
    'lacks package postfix of its role mail',
  ],
  ['another version', { head: { ...head, tilebenchBundle: 2 } }, 'of another version'],
  ['a head that is no JSON', { head: undefined, index: 'x' }, 'lies at ""'],
])('%s is refused by name, and nothing is kept', async (_what, change, words) => {
  const path = await write(change);
  await expect(shelf.take(path)).rejects.toMatchObject({
    kind: 'invalidInput',
    message: expect.stringContaining(words) as string,
    hint: expect.stringContaining('tilebench guests bundle') as string,
  });
  expect(kept()).toEqual([]);
});

test('links, folders and what is cut short or no bundle at all are refused', async () => {
  const path = await write();
  const parts = join(dir, 'parts');
  mkdirSync(parts);
  for (const source of sources({}))
    writeFileSync(join(parts, source.name), 'text' in source ? source.text : '');
  const names = [bundleHeadName, bundleIndexName, file];
  const refusal = async (bytes?: Buffer): Promise<string> => {
    if (bytes) writeFileSync(path, bytes);
    return shelf.take(path).then(
      () => 'taken',
      (thrown: unknown) => String(thrown),
    );
  };
  const pack = (...args: string[]): Promise<string> => {
    execFileSync('tar', ['-C', parts, '-cf', path, ...args]);
    return refusal();
  };
  // What a tar program packs is read as well: the form is the common one.
  expect(await pack('--format=ustar', ...names)).toBe('taken');
  symlinkSync('/etc/passwd', join(parts, 'link.deb'));
  expect(await pack('--format=ustar', ...names, 'link.deb')).toContain(
    '"link.deb" of the archive is no plain file',
  );
  mkdirSync(join(parts, 'folder'));
  expect(await pack('--format=ustar', ...names, 'folder')).toContain('no plain file (type 5)');
  const long = 'a'.repeat(120);
  writeFileSync(join(parts, `${long}.deb`), '');
  expect(await pack('--format=gnu', ...names, `${long}.deb`)).toContain('no plain file (type L)');

  await writeTar(join(dir, 'again.tar'), sources({}));
  const whole = readFileSync(join(dir, 'again.tar'));
  expect(await refusal(whole.subarray(0, 2_000))).toContain('cut short');
  expect(await refusal(Buffer.alloc(10))).toContain('cut short');
  const damaged = Buffer.from(whole);
  damaged[3] = 0x21;
  expect(await refusal(damaged)).toContain('is no bundle, or is damaged');
});

test.each([
  ['a folder', () => dir, 'it is a folder'],
  ['nothing', () => join(dir, 'none'), 'it is not there'],
  ['half a path', () => 'web.tar', 'a whole path is needed'],
])('%s is no bundle', async (_what, path, words) => {
  await expect(shelf.take(path())).rejects.toThrow(words);
});
