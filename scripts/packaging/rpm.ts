import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { filesBelow } from './files.ts';
import type { Arch, Release } from './target.ts';

const rpmArch: Readonly<Record<Arch, string>> = { x64: 'x86_64', arm64: 'aarch64' };
const requires = [
  'alsa-lib',
  'at-spi2-atk',
  'cups-libs',
  'gtk3',
  'libX11-xcb',
  'libdrm',
  'mesa-libgbm',
  'nss',
];

/** Why no RPM can be made here, in one line; null = it can. */
export const whyNoRpm = (): string | null =>
  spawnSync('rpmbuild', ['--version'], { stdio: 'ignore' }).status === 0
    ? null
    : 'No RPM is made: rpmbuild is missing (apt-get install rpm, or dnf install rpm-build).';

/** Folders that nobody else has: they go with the package. */
function ownFolders(files: readonly string[]): string[] {
  const folders = new Set<string>();
  for (const file of files)
    for (let at = dirname(file); /(^|\/)tilebench(\/|$)/.test(at); at = dirname(at))
      folders.add(at);
  return [...folders].sort();
}

function specOf(version: string, files: readonly string[]): string {
  const entries = files.map((path) =>
    path.endsWith('/chrome-sandbox') ? `%attr(4755, root, root) "/usr/${path}"` : `"/usr/${path}"`,
  );
  return [
    // Files are packed as they were laid out: not stripped, not searched for what they need.
    '%global debug_package %{nil}',
    '%global __os_install_post %{nil}',
    '%global _build_id_links none',
    '%define _buildhost localhost',
    '%define use_source_date_epoch_as_buildtime 1',
    '%define clamp_mtime_to_source_date_epoch 1',
    'Name: tilebench',
    `Version: ${version}`,
    'Release: 1',
    'Summary: Console for tile-based virtualisation benchmarks',
    'License: LicenseRef-Proprietary',
    'AutoReqProv: no',
    'Requires: glibc >= 2.34',
    ...requires.map((name) => `Requires: ${name}`),
    '%description',
    'Connect vCenter, client machines and a power meter, lay out tiles, check, run,',
    'watch, score and compare each run with every run before it.',
    '%files',
    '%defattr(-, root, root)',
    ...ownFolders(files).map((path) => `%dir "/usr/${path}"`),
    ...entries,
    '',
  ].join('\n');
}

/** Makes the RPM of a laid out prefix, which is given back where it was. */
export function makeRpm(release: Release, arch: Arch, prefix: string): string {
  const { version, outDir, workDir, epochS, fast } = release;
  const top = join(workDir, 'rpm');
  const buildRoot = join(top, 'root');
  mkdirSync(buildRoot, { recursive: true });
  const spec = join(top, 'tilebench.spec');
  writeFileSync(spec, specOf(version, filesBelow(prefix)));
  renameSync(prefix, join(buildRoot, 'usr'));
  try {
    execFileSync(
      'rpmbuild',
      [
        '-bb',
        `--target=${rpmArch[arch]}-linux`,
        `--buildroot=${buildRoot}`,
        '--noclean',
        `--define=_topdir ${top}`,
        `--define=_rpmdir ${outDir}`,
        '--define=_rpmfilename tilebench-%{VERSION}-%{RELEASE}.%{ARCH}.rpm',
        `--define=_binary_payload ${fast ? 'w1.gzdio' : 'w19.zstdio'}`,
        spec,
      ],
      { stdio: 'pipe', env: { ...process.env, SOURCE_DATE_EPOCH: String(epochS) } },
    );
  } finally {
    renameSync(join(buildRoot, 'usr'), prefix);
  }
  const name = readdirSync(outDir).find((file) => file.endsWith(`.${rpmArch[arch]}.rpm`));
  if (name === undefined) throw new Error('rpmbuild made nothing.');
  return join(outDir, name);
}
