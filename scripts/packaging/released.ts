import { execFileSync, spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/*
 * Every night: `npm run release` to its end in a clone of this commit, with packages around the
 * Electron of the tests and a signed feed, against which the command line holds each package. The
 * checks of the night, of which this is one, are taken as passed. Exit 1 when any of it fails.
 */
const root = resolve(import.meta.dirname, '../..');
const dir = mkdtempSync(join(tmpdir(), 'tilebench-released-'));
const clone = join(dir, 'clone');
const out = join(dir, 'made');

function makeClone(): void {
  const git = (...words: string[]): unknown =>
    execFileSync('git', ['-C', clone, ...words], { stdio: ['ignore', 'ignore', 'inherit'] });
  execFileSync('git', ['clone', '--quiet', root, clone], { stdio: 'inherit' });
  symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'));
  appendFileSync(join(clone, '.git', 'info', 'exclude'), 'node_modules\n');
  writeFileSync(
    join(clone, 'scripts', 'nightly.mjs'),
    "process.stdout.write('Taken as passed.\\n');",
  );
  const author = ['-c', 'user.name=Tilebench', '-c', 'user.email=tilebench@example.org'];
  git(...author, 'commit', '--quiet', '--all', '--message', 'Take the checks as passed');
}

/** Makes the release; gives the file that tells the command line of its feed. */
function makeSigned(): string {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const [key, known, settings] = ['key.pem', 'known.pem', 'updates.json'].map((name) =>
    join(dir, name),
  ) as [string, string, string];
  writeFileSync(key, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  writeFileSync(known, publicKey.export({ type: 'spki', format: 'pem' }));
  writeFileSync(settings, JSON.stringify({ feed: out, key: known }));
  execFileSync(
    process.execPath,
    ['scripts/release.mjs', '--stand-in', '--sign', key, '--out', out],
    { cwd: clone, stdio: 'inherit' },
  );
  return settings;
}

/** Whether the command line takes this package for the feed's. */
const isTaken = (settings: string, path: string): boolean =>
  spawnSync(process.execPath, [join(root, 'bin', 'tilebench.mjs'), 'update', 'verify', path], {
    env: { ...process.env, TILEBENCH_UPDATES: settings },
    stdio: 'inherit',
  }).status === 0;

function look(settings: string): string[] {
  execFileSync('sha256sum', ['--quiet', '--check', 'SHA256SUMS'], { cwd: out, stdio: 'inherit' });
  const packages = readdirSync(out).filter((name) => /\.(deb|tar\.gz|rpm)$/.test(name));
  const faults = packages.length === 0 ? ['no package was made'] : [];
  for (const name of packages) {
    const path = join(out, name);
    if (!isTaken(settings, path)) faults.push(`${name} is not taken for a package of its feed`);
    appendFileSync(path, ' ');
    if (isTaken(settings, path)) faults.push(`${name} is taken although it was changed`);
  }
  return faults;
}

try {
  makeClone();
  const faults = look(makeSigned());
  for (const fault of faults) process.stderr.write(`${fault}\n`);
  process.exitCode = faults.length === 0 ? 0 : 1;
} finally {
  rmSync(dir, { recursive: true, force: true });
}
