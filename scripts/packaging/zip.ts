import { createWriteStream, lstatSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

import yazl from 'yazl';

import { filesBelow } from './files.ts';
import type { Release, Target } from './target.ts';

/** Packs an application for Windows or macOS: to be unpacked and started. */
export async function makeZip(
  { version, outDir, epochS, fast }: Release,
  { platform, arch }: Target,
  application: string,
): Promise<string> {
  const name = `tilebench-${version}-${platform === 'darwin' ? 'macos' : 'windows'}-${arch}`;
  const path = join(outDir, `${name}.zip`);
  const zip = new yazl.ZipFile();
  const mtime = new Date(epochS * 1_000);
  for (const file of filesBelow(application)) {
    const from = join(application, file);
    const stat = lstatSync(from);
    const options = { mtime, mode: stat.mode, compress: !fast };
    // A framework of macOS is full of links, which must stay links.
    if (stat.isSymbolicLink())
      zip.addBuffer(Buffer.from(readlinkSync(from)), `${name}/${file}`, options);
    else
      zip.addFile(from, `${name}/${file}`, {
        ...options,
        mode: (stat.mode & 0o100) !== 0 ? 0o100755 : 0o100644,
      });
  }
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(path));
  return path;
}
