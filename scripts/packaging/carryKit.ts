import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { toAppError } from '../../src/core/base/errors.ts';
import { findKit, type KitPlatform, withGo } from '../../workers/engine/kit/findKit.ts';
import { copyFile } from './files.ts';
import type { Part } from './parts.ts';

/** Every kind of client. */
export const kitPlatforms: readonly KitPlatform[] = ['linux-amd64', 'linux-arm64', 'windows-amd64'];

/**
 * Puts the load generator into a folder, a file for each kind of client: built from its sources
 * where Go is, else as `npm run kit` left it in `resources/kit`. Throws notFound where there is
 * neither.
 */
export async function carryKit(
  root: string,
  into: string,
  platforms: readonly KitPlatform[] = kitPlatforms,
): Promise<{ path: string; sha256: string }[]> {
  const carriedDir = join(root, 'resources', 'kit');
  const places = { sourceDir: join(root, 'kit'), cacheDir: join(root, '.cache'), carriedDir };
  const carried = [];
  for (const platform of platforms) {
    const { path, sha256 } = await findKit(places, platform);
    const to = join(into, `tilekit-${platform}`);
    if (path !== to) copyFile(path, to);
    carried.push({ path: to, sha256 });
  }
  return carried;
}

/** For a package: what of somebody else's the load generator brings in, or why it is left out. */
export async function packKit(
  root: string,
  into: string,
  platforms: readonly KitPlatform[],
): Promise<{ parts: Part[]; left: string | null }> {
  try {
    await carryKit(root, into, platforms);
  } catch (thrown) {
    const { kind, message } = toAppError(thrown);
    if (kind !== 'notFound') throw thrown;
    return { parts: [], left: `The package carries no load generator. ${message}` };
  }
  return { parts: [goPart()], left: null };
}

/**
 * Go's own library, which is part of every program built with it; without its version and text
 * where what is carried was built elsewhere.
 */
function goPart(): Part {
  const ask = (...words: string[]): string => {
    const { error, stdout } = spawnSync('go', words, {
      env: withGo(process.env),
      encoding: 'utf8',
    });
    return error === undefined ? stdout.trim() : '';
  };
  const version = /\bgo([\d.]+)/.exec(ask('version'))?.[1] ?? '';
  const licence = join(ask('env', 'GOROOT'), 'LICENSE');
  return {
    name: 'go',
    version,
    license: 'BSD-3-Clause',
    purl: `pkg:github/golang/go@go${version}`,
    texts: existsSync(licence) ? [readFileSync(licence, 'utf8').trim()] : [],
  };
}
