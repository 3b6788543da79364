import { findNode24, root, runUnder24 } from './node24.mjs';

/** Any Node from 18 starts this; the rest runs under Node 24. */
async function main() {
  const node = findNode24();
  if (node === null) return 1;
  if (node !== process.execPath) return runUnder24(node, process.argv.slice(1));
  const { makeRelease } = await import('./packaging/release.ts');
  return makeRelease(process.argv.slice(2), { root, node });
}

main().then(
  (code) => process.exit(code),
  (thrown) => {
    process.stderr.write(`${thrown instanceof Error ? thrown.message : String(thrown)}\n`);
    process.exit(1);
  },
);
