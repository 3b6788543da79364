import { createWriteStream, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';

import yazl from 'yazl';

import { filesBelow } from './files.ts';
import type { Arch, Platform, Target } from './target.ts';

const zipName = /^electron-v(\d+\.\d+\.\d+[\w.-]*?)-(linux|win32|darwin)-(x64|arm64)\.zip$/;

/** What a zip of Electron's releases is for, by its name; null = it is named otherwise. */
export function targetOfZip(path: string): Target | null {
  const [, electronVersion, platform, arch] = zipName.exec(basename(path)) ?? [];
  return electronVersion === undefined
    ? null
    : {
        platform: platform as Platform,
        arch: arch as Arch,
        zipDir: dirname(path),
        electronVersion,
      };
}

/**
 * Packs an unpacked Electron as its releases are packed. `skip`: files that are not Electron's.
 * Gives the zip's path.
 */
export async function zipElectron(
  dist: string,
  version: string,
  into: string,
  skip: RegExp = /^$/,
): Promise<string> {
  if (!existsSync(join(dist, 'electron'))) throw new Error(`${dist} holds no Electron for Linux.`);
  const path = join(into, `electron-v${version}-linux-${process.arch}.zip`);
  mkdirSync(into, { recursive: true });
  const zip = new yazl.ZipFile();
  for (const file of filesBelow(dist)) {
    if (skip.test(file)) continue;
    // A package's own licence and version stand beside it.
    zip.addFile(join(dist, file), file === 'LICENSE.electron.txt' ? 'LICENSE' : file, {
      compress: false,
      mode: statSync(join(dist, file)).mode,
    });
  }
  if (!existsSync(join(dist, 'version'))) zip.addBuffer(Buffer.from(`v${version}`), 'version');
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(path));
  return path;
}

/** Version of the installed electron package, which brings no binary by itself. */
export const packageVersion = (root: string): string =>
  (
    JSON.parse(readFileSync(join(root, 'node_modules', 'electron', 'package.json'), 'utf8')) as {
      version: string;
    }
  ).version;
