import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { makeSetup, whyNoSetup } from './windowsSetup.ts';

/*
 * Every night: the packages twice, byte by byte the same; the tar.gz unpacked and run by somebody
 * who is not root; the installer for Windows compiled around a played application, which says nothing
 * of how it runs there. Exit 1 when any fails.
 */
const root = resolve(import.meta.dirname, '../..');
const nobody = 65534;
const dir = mkdtempSync(join(tmpdir(), 'tilebench-twice-'));

/** The packages of one making, with the SHA-256 of each. */
function make(name: string): Map<string, string> {
  const out = join(dir, name);
  execFileSync(
    process.execPath,
    ['scripts/package.mjs', 'deb', 'tar', '--stand-in', '--fast', '--out', out],
    { cwd: root, stdio: 'inherit' },
  );
  return new Map(
    readdirSync(out).map((file) => [
      file,
      createHash('sha256')
        .update(readFileSync(join(out, file)))
        .digest('hex'),
    ]),
  );
}

/** Unpacks a tar.gz and runs its command line, without root where this is root. */
function runUnpacked(archive: string): string {
  const home = join(dir, 'home');
  mkdirSync(home);
  for (const folder of [dir, home]) chmodSync(folder, 0o777);
  const who = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};
  const options = { ...who, cwd: home, env: { PATH: '/usr/bin:/bin', HOME: home } };
  execFileSync('tar', ['-xzf', archive, '--strip-components=1'], options);
  return execFileSync('bin/tilebench', ['runs', 'list', '--demo'], {
    ...options,
    encoding: 'utf8',
  });
}

/** The installer around two files; gives its SHA-256. */
function makePlayedSetup(name: string): string {
  const why = whyNoSetup();
  if (why !== null) throw new Error(why);
  const [application, outDir] = [join(dir, `application-${name}`), join(dir, `setup-${name}`)];
  for (const folder of [join(application, 'resources'), outDir])
    mkdirSync(folder, { recursive: true });
  writeFileSync(join(application, 'tilebench-console.exe'), 'no program');
  writeFileSync(join(application, 'resources', 'a part.txt'), 'a part');
  const path = makeSetup({ version: '0.0.0', outDir, epochS: 1 }, { arch: 'x64' }, application);
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}

try {
  if (makePlayedSetup('first') !== makePlayedSetup('second'))
    throw new Error('Not the same bytes twice: the installer for Windows');
  const [first, second] = [make('first'), make('second')];
  const other = [...first].filter(([file, sum]) => second.get(file) !== sum).map(([file]) => file);
  if (first.size === 0 || other.length > 0)
    throw new Error(`Not the same bytes twice: ${other.join(', ')}`);
  const archive = [...first.keys()].find((file) => file.endsWith('.tar.gz')) ?? '';
  if (!runUnpacked(join(dir, 'first', archive)).includes('score'))
    throw new Error('The unpacked command line prints no table.');
  process.stdout.write(`${[...first].map(([file, sum]) => `${sum}  ${file}`).join('\n')}\n`);
} catch (thrown) {
  process.stderr.write(`${thrown instanceof Error ? thrown.message : String(thrown)}\n`);
  process.exitCode = 1;
} finally {
  rmSync(dir, { recursive: true, force: true });
}
