import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';

import { appVersion } from '../../src/wire/contract/version.ts';
import { consoleDirIn, makeApplication } from './application.ts';
import { kitPlatforms, packKit } from './carryKit.ts';
import { bashCompletion, describedProgram, manualPage } from './commandTexts.ts';
import { layConsole } from './console.ts';
import { makeDebian } from './debian.ts';
import { packageVersion, targetOfZip, zipElectron } from './electronZip.ts';
import { bytesBelow, copyFile } from './files.ts';
import { type Kind, kinds, sortKinds } from './kinds.ts';
import { layLinux } from './linuxTree.ts';
import { machineOf } from './machineOf.ts';
import { cycloneDx, licenceText, partsOf } from './parts.ts';
import { makeRpm } from './rpm.ts';
import { makeTarball } from './tarball.ts';
import type { Release, Target } from './target.ts';
import { makeSetup } from './windowsSetup.ts';
import { makeZip } from './zip.ts';

/** What the starter brings: scripts that any Node can run. */
export interface Starter {
  root: string;
  build: (how: { force: boolean }) => Promise<boolean>;
  /** Packages that lie beside the bundles. */
  besideBundles: readonly string[];
  /** The Electron of the tests, for packages that are only tried. */
  electron22: () => string;
  installedElectron: () => string | null;
}

const usage = `npm run package [-- KIND …] [options]
Kinds: ${kinds.join(', ')}; default: all that can be made.
  --electron ZIP   a zip of Electron's releases; says by its name for which machine
  --node FILE      Node 24 for that machine; default: the one that npm ci brought for this one
  --stand-in       the Electron of the tests inside: for trying, never for users
  --out DIR        where the packages go; default: release
  --fast           packed quickly and not small, with the load generator for x86-64 Linux alone
`;

/** Makes the asked packages; gives the exit code: 0 made, 2 asked wrongly, 4 not made. */
export async function makePackages(args: readonly string[], starter: Starter): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      electron: { type: 'string' },
      node: { type: 'string' },
      'stand-in': { type: 'boolean', default: false },
      out: { type: 'string', default: 'release' },
      fast: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const unknown = positionals.filter((name) => !(kinds as readonly string[]).includes(name));
  if (values.help || unknown.length > 0) {
    process.stderr.write(unknown.length > 0 ? `No such kind: ${unknown.join(', ')}.\n` : usage);
    return values.help ? 0 : 2;
  }
  const workDir = mkdtempSync(join(tmpdir(), 'tilebench-package-'));
  try {
    const standIn = values['stand-in'];
    const target = await electronFor(starter, workDir, values.electron, standIn);
    const release: Release = {
      root: starter.root,
      version: standIn ? `${appVersion}~standin` : appVersion,
      outDir: resolve(values.out),
      workDir,
      epochS: epochOf(starter.root),
      fast: values.fast,
    };
    mkdirSync(release.outDir, { recursive: true });
    await starter.build({ force: false });
    const { made, left, notes } = sortKinds(target, positionals as Kind[]);
    for (const line of [...left, ...notes]) say(line);
    if (made.length === 0) return 4;
    await makeThem(release, target, made, nodeFor(starter, target, values.node), starter);
    return positionals.length > 0 && left.length > 0 ? 4 : 0;
  } finally {
    rmSync(workDir, { recursive: true, force: true });
  }
}

/** Times in packages: SOURCE_DATE_EPOCH, else that of the commit. */
function epochOf(root: string): number {
  const told = process.env['SOURCE_DATE_EPOCH'];
  const text =
    told ?? execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: root, encoding: 'utf8' });
  const epochS = Number(text);
  if (!Number.isSafeInteger(epochS)) throw new Error(`SOURCE_DATE_EPOCH is no time: ${text}`);
  return epochS;
}

async function electronFor(
  { root, electron22, installedElectron }: Starter,
  workDir: string,
  zip: string | undefined,
  standIn: boolean,
): Promise<Target> {
  const zips = join(workDir, 'electron');
  if (standIn) {
    const junk = /^(resources|usr)\/|^(AppRun|\.DirIcon|fiftyone\..*)$/;
    return targetOf(await zipElectron(electron22(), '22.3.25', zips, junk));
  }
  if (zip !== undefined) {
    if (!existsSync(zip)) throw new Error(`${zip} is not there.`);
    return targetOf(resolve(zip));
  }
  const installed = installedElectron();
  if (installed === null)
    throw new Error(
      'No Electron to pack: give a zip of its releases with --electron, or fetch it with ' +
        'node node_modules/electron/install.js.',
    );
  return targetOf(await zipElectron(join(installed, '..'), packageVersion(root), zips));
}

function targetOf(zip: string): Target {
  const target = targetOfZip(zip);
  if (target === null)
    throw new Error(
      `${zip} is not named as Electron's releases are: electron-vVERSION-PLATFORM-ARCH.zip.`,
    );
  return target;
}

/** Node for the target, and the text of its licence. */
function nodeFor(
  { root }: Starter,
  { platform, arch }: Target,
  told: string | undefined,
): { path: string; license: string | null } {
  const name = `node-${platform === 'win32' ? 'win' : platform}-${arch}`;
  const exe = platform === 'win32' ? 'node.exe' : 'node';
  const folders = ['node_modules/node/node_modules', 'node_modules'].map((at) =>
    join(root, at, name),
  );
  const folder = folders.find((at) => existsSync(join(at, 'LICENSE')));
  const own = platform === process.platform && arch === process.arch;
  // The package's set-up moves its program there.
  const path =
    told ??
    (own ? join(root, 'node_modules', 'node', 'bin', exe) : folder && join(folder, 'bin', exe));
  if (path === undefined || !existsSync(path))
    throw new Error(
      `No Node for ${platform} on ${arch} is installed: name one with --node (npm pack ${name} brings it).`,
    );
  if (platform === 'linux' && machineOf(path) !== arch)
    throw new Error(`${path} is no program for Linux on ${arch}: name a Node that is with --node.`);
  const license = [folder, join(path, '..', '..')]
    .map((at) => at && join(at, 'LICENSE'))
    .find((at) => at && existsSync(at));
  return { path, license: license ? readFileSync(license, 'utf8') : null };
}

async function makeThem(
  release: Release,
  target: Target,
  kindsToMake: readonly Kind[],
  node: { path: string; license: string | null },
  { besideBundles }: Starter,
): Promise<void> {
  const { root, workDir, version, epochS } = release;
  const consoleDir = consoleDirIn(workDir);
  layConsole(root, consoleDir, target, { nodePath: node.path, besideBundles });
  const kit = await packKit(
    root,
    join(consoleDir, 'resources', 'kit'),
    release.fast ? kitPlatforms.slice(0, 1) : kitPlatforms,
  );
  if (kit.left !== null) say(kit.left);
  const { folder, lacksFuses } = await makeApplication(release, target, consoleDir);
  if (lacksFuses.length > 0)
    say(`This Electron (${target.electronVersion}) has no fuse ${lacksFuses.join(', ')}.`);
  const parts = [...partsOf(root, target, node.license), ...kit.parts];
  const bill = cycloneDx(version, parts, epochS);
  const licences = licenceText(parts);
  if (target.platform !== 'linux') {
    writeFileSync(join(folder, 'sbom.cdx.json'), bill);
    writeFileSync(join(folder, 'LICENSES.txt'), licences);
    if (target.platform === 'win32')
      copyFile(join(import.meta.dirname, 'windows.cmd'), join(folder, 'tilebench.cmd'));
    for (const kind of kindsToMake)
      told(
        kind === 'setup'
          ? makeSetup(release, target, folder)
          : await makeZip(release, target, folder),
      );
    return;
  }
  const program = describedProgram(version);
  const prefix = join(workDir, 'usr');
  layLinux(root, folder, prefix, {
    'share/man/man1/tilebench.1.gz': gzipSync(manualPage(program, version, epochS)),
    'share/bash-completion/completions/tilebench': bashCompletion(program),
    'share/doc/tilebench/sbom.cdx.json': bill,
    'share/doc/tilebench/copyright': licences,
  });
  say(`${mebibytes(bytesBelow(prefix))} installed.`);
  const makers = { deb: makeDebian, tar: makeTarball, rpm: makeRpm };
  for (const kind of kindsToMake)
    if (kind in makers) told(makers[kind as keyof typeof makers](release, target.arch, prefix));
}

const told = (path: string): void => say(`${path} (${mebibytes(statSync(path).size)})`);
const say = (text: string): void => {
  process.stdout.write(`${text}\n`);
};
const mebibytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
