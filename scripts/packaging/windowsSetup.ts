import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';

import type { Release, Target } from './target.ts';

/** Why no installer for Windows can be made here, in one line; null = it can. */
export const whyNoSetup = (): string | null =>
  spawnSync('makensis', ['-VERSION'], { stdio: 'ignore' }).status === 0
    ? null
    : 'No installer for Windows is made: makensis is missing (apt-get install nsis).';

/**
 * Packs an application for Windows into a program that installs it for one user; gives its path.
 * It is not signed.
 */
export function makeSetup(
  { version, outDir, epochS }: Pick<Release, 'version' | 'outDir' | 'epochS'>,
  { arch }: Pick<Target, 'arch'>,
  application: string,
): string {
  const path = join(outDir, `tilebench-${version}-windows-${arch}-setup.exe`);
  const given = { SOURCE: application, VERSION: version, OUT: path };
  execFileSync(
    'makensis',
    [
      '-V1',
      ...Object.entries(given).map(([name, value]) => `-D${name}=${value}`),
      join(import.meta.dirname, 'windows.nsi'),
    ],
    { stdio: 'pipe', env: { ...process.env, SOURCE_DATE_EPOCH: String(epochS) } },
  );
  return path;
}
