import { besideBundles, build } from './build.mjs';
import { installedElectron } from './electron.mjs';
import { electron22 } from './electron22.mjs';
import { findNode24, root, runUnder24 } from './node24.mjs';

/** Any Node from 18 starts this; the rest runs under Node 24. */
async function main() {
  const node = findNode24();
  if (node === null) return 1;
  if (node !== process.execPath) return runUnder24(node, process.argv.slice(1));
  const { makePackages } = await import('./packaging/main.ts');
  return makePackages(process.argv.slice(2), {
    root,
    build,
    besideBundles,
    electron22,
    installedElectron,
  });
}

main().then(
  (code) => process.exit(code),
  (thrown) => {
    process.stderr.write(`${thrown instanceof Error ? thrown.message : String(thrown)}\n`);
    process.exit(1);
  },
);
