import { join } from 'node:path';

import { findNode24, root, runUnder24 } from './node24.mjs';

/** Builds the load generator for every kind of client into a folder; default: where a package carries it. */
async function main() {
  const node = findNode24();
  if (node === null) return 1;
  if (node !== process.execPath) return runUnder24(node, process.argv.slice(1));
  const { carryKit } = await import('./packaging/carryKit.ts');
  const into = process.argv[2] ?? join(root, 'resources', 'kit');
  for (const { path, sha256 } of await carryKit(root, into))
    process.stdout.write(`${sha256}  ${path}\n`);
  return 0;
}

main().then(
  (code) => process.exit(code),
  (thrown) => {
    process.stderr.write(`${thrown instanceof Error ? thrown.message : String(thrown)}\n`);
    process.exit(1);
  },
);
