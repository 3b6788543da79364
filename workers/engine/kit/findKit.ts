import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { access, mkdir, readdir, readFile, rename } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

import { fail } from '../../../src/core/base/errors.ts';
import { byNaturalOrder } from '../../../src/core/base/naturalOrder.ts';

const run = promisify(execFile);

/** What a client may be, as Go names it. Only the first has been run. */
export type KitPlatform = 'linux-amd64' | 'linux-arm64' | 'windows-amd64';

/** Where tilekit may come from. */
export interface KitPlaces {
  /** The Go module, `kit/` of this repository; a package leaves it out. */
  sourceDir: string;
  /** Where what is built is kept. */
  cacheDir: string;
  /** What a package carries: a file `tilekit-<platform>` each. */
  carriedDir: string;
}

export interface KitFile {
  path: string;
  sha256: string;
}

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/**
 * The load generator for a platform: built from its sources where they and Go are here, else the
 * one that the package carries. Throws notFound, in words, where there is neither.
 */
export async function findKit(
  places: KitPlaces,
  platform: KitPlatform = 'linux-amd64',
): Promise<KitFile> {
  const built = (await isThere(join(places.sourceDir, 'go.mod')))
    ? await buildKit(places, platform)
    : null;
  const path = built ?? join(places.carriedDir, `tilekit-${platform}`);
  if (!(await isThere(path)))
    throw fail(
      'notFound',
      `This computer has no load generator tilekit for ${platform}: none is carried here, ` +
        'and Go, which builds it, is not installed.',
      'On this computer: apt-get install golang-go (Debian, Ubuntu), or https://go.dev/dl; 1.19 or newer.',
    );
  return {
    path,
    sha256: createHash('sha256')
      .update(await readFile(path))
      .digest('hex'),
  };
}

/** Its path, built once for these sources; null where Go is missing. */
async function buildKit(
  { sourceDir, cacheDir }: KitPlaces,
  platform: KitPlatform,
): Promise<string | null> {
  const hash = createHash('sha256');
  const names = await readdir(sourceDir, { recursive: true });
  for (const name of names
    .filter((one) => /(?<!_test)\.go$|^go\.mod$/.test(one))
    .sort(byNaturalOrder))
    hash.update(`${name}\0`).update(await readFile(join(sourceDir, name)));
  const binary = resolve(cacheDir, `tilekit-${hash.digest('hex').slice(0, 16)}-${platform}`);
  if (await isThere(binary)) return binary;
  await mkdir(cacheDir, { recursive: true });
  // Two builds may run at once: each into a file of its own, then renamed.
  const partial = `${binary}.${randomBytes(4).toString('hex')}`;
  const [system = '', processor = ''] = platform.split('-');
  try {
    await run(
      'go',
      ['build', '-trimpath', '-buildvcs=false', '-ldflags=-s -w', '-o', partial, '.'],
      {
        cwd: sourceDir,
        env: { ...withGo(process.env), GOOS: system, GOARCH: processor },
      },
    );
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw fail(
      'internal',
      `The load generator tilekit does not build for ${platform}: ${String(thrown).slice(0, 2_000)}`,
      'It needs Go 1.19 or newer and nothing else.',
    );
  }
  await rename(partial, binary);
  return binary;
}

/** Where Go's own archive puts itself is often not on the path. Without C: the program is static. */
export const withGo = (
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> => ({
  ...env,
  CGO_ENABLED: '0',
  PATH: `${env['PATH'] ?? '/usr/bin:/bin'}:/usr/local/go/bin`,
});
