import { spawnSync } from 'node:child_process';
import { createHash, createPrivateKey, type KeyObject, sign } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { appVersion } from '../../src/wire/contract/version.ts';
import { type FeedFile, feedFile, signatureFile } from '../../workers/updates.ts';

const usage = `npm run release -- [options]
Refuses a dirty tree; runs npm run nightly; packages; then writes checksums and release notes beside
the packages, each of which holds its bill of materials. Packages for another machine are made with
npm run package.
  --electron ZIP   a zip of Electron's releases, once for each machine
  --sign FILE      private Ed25519 key in PEM: the folder becomes a feed of updates
  --stand-in       the Electron of the tests inside: to try the command, never for users
  --out DIR        default: release
`;

/** What a version changed, out of the changelog's section of that version; null = it has none. */
export function notesOf(changelog: string, version: string): string | null {
  const lines = changelog.split('\n');
  const start = lines.findIndex((line) => line.startsWith('## ') && line.split(' ')[1] === version);
  if (start < 0) return null;
  const length = lines.slice(start + 1).findIndex((line) => line.startsWith('## '));
  const text = lines.slice(start + 1, length < 0 ? undefined : start + 1 + length);
  return text.join('\n').trim() || null;
}

/** The feed of a folder of packages, and one line a file for `sha256sum --check`. */
export function feedOf(
  dir: string,
  names: readonly string[],
  told: { version: string; notes: string; epochS: number },
): { feed: FeedFile; sums: string } {
  const files = names.map((name) => ({
    name,
    bytes: statSync(join(dir, name)).size,
    sha256: createHash('sha256')
      .update(readFileSync(join(dir, name)))
      .digest('hex'),
  }));
  return {
    feed: {
      format: 1,
      version: told.version,
      publishedAt: new Date(told.epochS * 1_000).toISOString().replace('.000Z', 'Z'),
      notes: told.notes,
      files,
    },
    sums: files.map(({ name, sha256 }) => `${sha256}  ${name}\n`).join(''),
  };
}

/** Makes a release; gives the exit code: 0 made, 2 refused, 4 a step failed. */
export function makeRelease(
  args: readonly string[],
  { root, node }: { root: string; node: string },
): number {
  const { values } = parseArgs({
    args: [...args],
    options: {
      electron: { type: 'string', multiple: true },
      sign: { type: 'string' },
      'stand-in': { type: 'boolean', default: false },
      out: { type: 'string', default: 'release' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(usage);
    return 0;
  }
  const refuse = (why: string): number => {
    process.stderr.write(`No release: ${why}\n`);
    return 2;
  };
  const git = (...words: string[]): string | null => {
    const { status, stdout } = spawnSync('git', words, { cwd: root, encoding: 'utf8' });
    return status === 0 ? stdout.trim() : null;
  };
  const changes = git('status', '--porcelain');
  if (changes === null) return refuse('this is no clone: git tells nothing of its tree.');
  if (changes !== '') return refuse('the tree has changes that are in no commit.');
  const commit = git('rev-parse', 'HEAD');
  const notes = notesOf(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), appVersion);
  if (notes === null) return refuse(`CHANGELOG.md says nothing of ${appVersion}.`);
  const out = resolve(values.out);
  if (existsSync(out) && readdirSync(out).length > 0) return refuse(`${values.out} is not empty.`);
  const key = values.sign === undefined ? null : createPrivateKey(readFileSync(values.sign));
  if (key !== null && key.asymmetricKeyType !== 'ed25519')
    return refuse(`${values.sign} is no Ed25519 key.`);
  const run = (script: string, ...more: string[]): boolean =>
    spawnSync(node, [join('scripts', script), ...more], { cwd: root, stdio: 'inherit' }).status ===
    0;
  if (!run('nightly.mjs')) return refuse('a check of npm run nightly failed.');
  // The checks write their pictures and tables into `docs`, of which a package holds nothing.
  const changed = git('status', '--porcelain', '--', '.', ':(exclude)docs');
  if (changed !== '' || git('rev-parse', 'HEAD') !== commit)
    return refuse('the tree is another than the one that was checked.');
  const inside = values['stand-in']
    ? [['--stand-in', '--fast']]
    : (values.electron?.map((zip) => ['--electron', zip]) ?? [[]]);
  for (const one of inside) if (!run('package.mjs', ...one, '--out', out)) return 4;
  writeBeside(out, key, { notes, epochS: Number(git('log', '-1', '--format=%ct')) });
  process.stdout.write(`Tilebench ${appVersion} is in ${values.out}.\n`);
  return 0;
}

function writeBeside(
  dir: string,
  key: KeyObject | null,
  told: { notes: string; epochS: number },
): void {
  const names = readdirSync(dir).sort();
  const { feed, sums } = feedOf(dir, names, { version: appVersion, ...told });
  writeFileSync(join(dir, 'SHA256SUMS'), sums);
  writeFileSync(join(dir, 'RELEASE-NOTES.md'), `# Tilebench ${appVersion}\n\n${told.notes}\n`);
  if (key === null) return;
  const text = Buffer.from(`${JSON.stringify(feed, null, 1)}\n`);
  writeFileSync(join(dir, feedFile), text);
  writeFileSync(join(dir, signatureFile), `${sign(null, text, key).toString('base64')}\n`);
}
