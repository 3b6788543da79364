import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

import type { Arch, Release } from './target.ts';

/** Packs a laid out prefix as a folder that runs wherever it is unpacked. */
export function makeTarball(release: Release, arch: Arch, prefix: string): string {
  const { version, outDir, epochS, fast } = release;
  const name = `tilebench-${version}-linux-${arch}`;
  const path = join(outDir, `${name}.tar.gz`);
  execFileSync(
    'tar',
    [
      '--create',
      `--file=${path}`,
      // No name and no time in the head of the gzip.
      `--use-compress-program=gzip -n ${fast ? '-1' : '-9'}`,
      '--sort=name',
      '--format=gnu',
      `--mtime=@${epochS}`,
      '--owner=0',
      '--group=0',
      '--numeric-owner',
      // Who unpacks it as root must not get a program that runs as root unasked.
      '--mode=u-s',
      `--transform=s,^\\.,${name},`,
      '--directory',
      prefix,
      '.',
    ],
    { stdio: 'pipe' },
  );
  return path;
}
