import { build } from './build.mjs';
import { findNode24, root, runUnder24 } from './node24.mjs';

/**
 * Long checks for an idle machine, before a release: `npm run nightly [-- NAME …]`. One line a
 * check; exit 1 when any fails.
 */
async function main() {
  const node = findNode24();
  if (node === null) return 1;
  if (node !== process.execPath) return runUnder24(node, process.argv.slice(1));
  const { runNightly } = await import('./testing/nightly.ts');
  return runNightly(process.argv.slice(2), { root, node, build });
}

main().then(
  (code) => process.exit(code),
  (thrown) => {
    process.stderr.write(`${thrown instanceof Error ? thrown.message : String(thrown)}\n`);
    process.exit(1);
  },
);
