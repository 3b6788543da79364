import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import {
  flipFuses,
  type FuseConfig,
  FuseState,
  FuseV1Options,
  FuseVersion,
  getCurrentFuseWire,
} from '@electron/fuses';
import { packager } from '@electron/packager';

import { type PackagePart, partsFile } from '../../electron/packageParts.ts';
import { archiveName, sealFile } from '../../workers/sealedArchive.ts';
import { filesBelow } from './files.ts';
import type { Release, Target } from './target.ts';
import { consoleFolder, windowProgram } from './target.ts';

/** What the shipped Electron may and may not, by the names of its fuses. */
const wanted = {
  RunAsNode: false,
  EnableCookieEncryption: true,
  EnableNodeOptionsEnvironmentVariable: false,
  EnableNodeCliInspectArguments: false,
  EnableEmbeddedAsarIntegrityValidation: true,
  OnlyLoadAppFromAsar: true,
  LoadBrowserProcessSpecificV8Snapshot: false,
  GrantFileProtocolExtraPrivileges: false,
} as const satisfies Partial<Record<keyof typeof FuseV1Options, boolean>>;
type FuseName = keyof typeof wanted;
const fuseNames = Object.keys(wanted) as FuseName[];

/**
 * Sets the fuses of a packaged Electron and reads them back. Gives the names of those that this
 * Electron is too old to have. Throws when one did not take.
 */
async function setFuses(program: string): Promise<FuseName[]> {
  const present = await getCurrentFuseWire(program);
  const absent = fuseNames.filter((name) => present[FuseV1Options[name]] === undefined);
  const known = fuseNames.filter((name) => !absent.includes(name));
  const config: FuseConfig = {
    version: FuseVersion.V1,
    strictlyRequireAllFuses: false,
    ...Object.fromEntries(known.map((name) => [FuseV1Options[name], wanted[name]])),
  };
  await flipFuses(program, config);
  const now = await getCurrentFuseWire(program);
  const wrong = known.filter(
    (name) => (now[FuseV1Options[name]] === FuseState.ENABLE) !== wanted[name],
  );
  if (wrong.length > 0) throw new Error(`Fuses of ${program} did not take: ${wrong.join(', ')}.`);
  return absent;
}

/** Where the program lies in what the packager made. */
function programOf(folder: string, { platform }: Target): string {
  if (platform === 'darwin')
    return join(folder, 'Tilebench.app', 'Contents', 'MacOS', windowProgram);
  return join(folder, platform === 'win32' ? `${windowProgram}.exe` : windowProgram);
}

/** What the window process holds against what it finds: every file of the laid out console. */
const listParts = (consoleDir: string): PackagePart[] =>
  filesBelow(consoleDir).map((path) => {
    const content = readFileSync(join(consoleDir, path));
    const sha256 = createHash('sha256').update(content).digest('hex');
    return { path, bytes: content.length, sha256 };
  });

const resourcesOf = (folder: string, { platform }: Target): string =>
  platform === 'darwin'
    ? join(folder, 'Tilebench.app', 'Contents', 'Resources')
    : join(folder, 'resources');

/**
 * Writes the digest of the window process's archive beside the engine, which holds it against what
 * it finds: on Linux Electron itself does not look.
 */
function sealArchive(resources: string): void {
  const archive = readFileSync(join(resources, archiveName));
  const sha256 = createHash('sha256').update(archive).digest('hex');
  writeFileSync(join(resources, consoleFolder, sealFile), `${JSON.stringify({ sha256 })}\n`);
}

/**
 * Electron with the window process in its archive and the laid out console beside it; gives its
 * folder and the fuses it lacks.
 */
export async function makeApplication(
  release: Release,
  target: Target,
  consoleDir: string,
): Promise<{ folder: string; lacksFuses: string[] }> {
  const { root, version, workDir } = release;
  const source = join(workDir, 'window');
  mkdirSync(join(source, 'dist'), { recursive: true });
  cpSync(join(root, 'dist', 'electron'), join(source, 'dist', 'electron'), { recursive: true });
  writeFileSync(join(source, 'dist', 'electron', partsFile), JSON.stringify(listParts(consoleDir)));
  writeFileSync(
    join(source, 'package.json'),
    `${JSON.stringify({ name: 'tilebench', version, main: 'dist/electron/main.cjs' })}\n`,
  );
  const [folder] = await packager({
    dir: source,
    out: join(workDir, 'packed'),
    tmpdir: join(workDir, 'tmp'),
    name: 'Tilebench',
    executableName: windowProgram,
    appVersion: version,
    appBundleId: 'org.tilebench.console',
    appCopyright: 'Tilebench',
    platform: target.platform,
    arch: target.arch,
    electronVersion: target.electronVersion,
    electronZipDir: target.zipDir,
    asar: true,
    prune: false,
    overwrite: true,
    quiet: true,
    extraResource: consoleDir,
    protocols: [{ name: 'Tilebench', schemes: ['tilebench'] }],
    extendInfo: {
      CFBundleDocumentTypes: [
        {
          CFBundleTypeName: 'Tilebench bundle',
          CFBundleTypeExtensions: ['tilebench'],
          CFBundleTypeRole: 'Viewer',
        },
      ],
    },
  });
  if (folder === undefined) throw new Error('The packager made nothing.');
  sealArchive(resourcesOf(folder, target));
  return { folder, lacksFuses: await setFuses(programOf(folder, target)) };
}

/** Where the laid out console is before it is packed; its name is that in the package. */
export const consoleDirIn = (workDir: string): string => join(workDir, 'laid', consoleFolder);
