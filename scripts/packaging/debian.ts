import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { bytesBelow, filesBelow } from './files.ts';
import type { Arch, Release } from './target.ts';

const debianArch: Readonly<Record<Arch, string>> = { x64: 'amd64', arm64: 'arm64' };
/** Newer Debian and Ubuntu name some libraries otherwise. */
const depends = [
  // better-sqlite3's binary; Node 24 needs less.
  'libc6 (>= 2.34)',
  'libasound2 | libasound2t64',
  'libatk-bridge2.0-0 | libatk-bridge2.0-0t64',
  'libcups2 | libcups2t64',
  'libdrm2',
  'libgbm1',
  'libgtk-3-0 | libgtk-3-0t64',
  'libnss3',
  // Opened by name only once a window is to be made: no list of what a program is linked with has it.
  'libx11-xcb1',
  'libxcomposite1',
  'libxdamage1',
  'libxkbcommon0',
  'libxrandr2',
];
/** Where passwords are kept, what opens an address in the browser, what draws on a graphics card. */
const recommends = [
  'libsecret-1-0',
  'gnome-keyring | kwalletmanager',
  'xdg-utils',
  'libgl1',
  'libudev1',
];

function control(version: string, arch: Arch, prefix: string): string {
  return [
    'Package: tilebench',
    `Version: ${version}`,
    `Architecture: ${debianArch[arch]}`,
    'Maintainer: Tilebench <maintainers@tilebench.invalid>',
    `Installed-Size: ${Math.ceil(bytesBelow(prefix) / 1024)}`,
    `Depends: ${depends.join(', ')}`,
    `Recommends: ${recommends.join(', ')}`,
    'Section: admin',
    'Priority: optional',
    'Description: console for tile-based virtualisation benchmarks',
    ' Connect vCenter, client machines and a power meter, lay out tiles, check, run,',
    ' watch, score and compare each run with every run before it. Brings the console',
    ' as a window, in a browser, and a command line. A simulated lab is built in.',
    '',
  ].join('\n');
}

/** What `dpkg --verify` holds the installed files against. */
const md5sums = (top: string): string =>
  filesBelow(top)
    .filter((path) => !path.startsWith('DEBIAN/') && lstatSync(join(top, path)).isFile())
    .map(
      (path) =>
        `${createHash('md5')
          .update(readFileSync(join(top, path)))
          .digest('hex')}  ${path}\n`,
    )
    .join('');

/**
 * Makes the Debian package of a laid out prefix, which is given back where it was. No script of
 * ours runs at installing: menus, file types and pages of the manual are taken up by triggers.
 */
export function makeDebian(release: Release, arch: Arch, prefix: string): string {
  const { version, outDir, workDir, epochS, fast } = release;
  const top = join(workDir, 'debian');
  mkdirSync(join(top, 'DEBIAN'), { recursive: true });
  renameSync(prefix, join(top, 'usr'));
  const path = join(outDir, `tilebench_${version}_${debianArch[arch]}.deb`);
  try {
    writeFileSync(join(top, 'DEBIAN', 'control'), control(version, arch, join(top, 'usr')));
    writeFileSync(join(top, 'DEBIAN', 'md5sums'), md5sums(top));
    for (const file of ['.', 'DEBIAN']) chmodSync(join(top, file), 0o755);
    for (const file of ['control', 'md5sums']) chmodSync(join(top, 'DEBIAN', file), 0o644);
    execFileSync(
      'dpkg-deb',
      ['--root-owner-group', fast ? '-Znone' : '-Zxz', '--build', top, path],
      { stdio: 'pipe', env: { ...process.env, SOURCE_DATE_EPOCH: String(epochS) } },
    );
  } finally {
    renameSync(join(top, 'usr'), prefix);
  }
  return path;
}
