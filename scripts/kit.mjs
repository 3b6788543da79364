import { mkdirSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';

import { findNode24, root, runUnder24 } from './node24.mjs';

/** Builds the load generator for every kind of client into a folder; default: where a package carries it. */
async function main() {
  const node = findNode24();
  if (node === null) return 1;
  if (node !== process.execPath) return runUnder24(node, process.argv.slice(1));
  const { findKit } = await import('../workers/engine/kit/findKit.ts');
  const carriedDir = join(root, 'resources', 'kit');
  const into = process.argv[2] ?? carriedDir;
  mkdirSync(into, { recursive: true });
  const places = { sourceDir: join(root, 'kit'), cacheDir: join(root, '.cache'), carriedDir };
  for (const platform of ['linux-amd64', 'linux-arm64', 'windows-amd64']) {
    const { path, sha256 } = await findKit(places, platform);
    const to = join(into, `tilekit-${platform}`);
    if (path !== to) await cp(path, to);
    process.stdout.write(`${sha256}  ${to}\n`);
  }
  return 0;
}

main().then(
  (code) => process.exit(code),
  (thrown) => {
    process.stderr.write(`${thrown instanceof Error ? thrown.message : String(thrown)}\n`);
    process.exit(1);
  },
);
