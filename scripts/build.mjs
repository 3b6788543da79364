import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { findNode24, root, runUnder24 } from './node24.mjs';

const sources = [
  'src',
  'electron',
  'workers',
  'resources/lab',
  'package-lock.json',
  'vite.config.ts',
  'scripts/build.mjs',
];

/** Packages that lie beside the bundles: native, of WebAssembly, or needed by one export only. */
export const besideBundles = [
  'better-sqlite3',
  'ssh2',
  'node-ssh',
  'cpu-features',
  'pdfmake',
  'subset-font',
  'fontkit',
  'pptxgenjs',
  'jszip',
  '@resvg/resvg-wasm',
];

/**
 * Leaves zod's translations of its messages out of a bundle: fifty languages, of which none is
 * spoken here, were a tenth of the engine's code and read at each start. The bundler of the pages
 * sees that by itself.
 */
const withoutTranslations = {
  name: 'without-translations',
  setup(bundle) {
    bundle.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: 'export {};',
    }));
  },
};

/**
 * A hash over names, sizes and times of everything the bundles are made of: quick, and wrong only
 * towards building once more.
 */
function stampOf() {
  const hash = createHash('sha256');
  const visit = (path) => {
    const entry = statSync(join(root, path));
    if (entry.isDirectory())
      for (const name of readdirSync(join(root, path)).sort()) visit(`${path}/${name}`);
    else hash.update(`${path} ${entry.size} ${entry.mtimeMs}\n`);
  };
  for (const path of sources) if (existsSync(join(root, path))) visit(path);
  return hash.digest('hex');
}

/**
 * Builds interface, window process and engine bundle where they are older than their sources.
 * Throws with the tool's words.
 */
export async function build({ force = false, quiet = false } = {}) {
  const stampFile = join(root, 'dist', 'stamp');
  const stamp = stampOf();
  if (!force && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return false;
  if (!quiet) process.stderr.write('Building …\n');
  const vite = await import('vite');
  await vite.build({
    root: join(root, 'src', 'ui'),
    configFile: join(root, 'vite.config.ts'),
    logLevel: 'warn',
  });
  const esbuild = await import('esbuild');
  const common = {
    absWorkingDir: root,
    bundle: true,
    format: 'cjs',
    platform: 'node',
    mainFields: ['module', 'main'],
    logLevel: 'warning',
    legalComments: 'none',
    minifySyntax: true,
    minifyWhitespace: true,
    plugins: [withoutTranslations],
  };
  // Node 16 and Chromium 108 are what the oldest Electron of the end-to-end tests has.
  await esbuild.build({
    ...common,
    entryPoints: { main: 'electron/main.ts', preload: 'electron/preload.ts' },
    outdir: 'dist/electron',
    outExtension: { '.js': '.cjs' },
    target: 'node16',
    external: ['electron'],
  });
  await esbuild.build({
    ...common,
    entryPoints: { engineProcess: 'workers/engineProcess.ts', demoThread: 'workers/demoThread.ts' },
    outdir: 'dist/workers',
    outExtension: { '.js': '.cjs' },
    target: 'node22',
    external: besideBundles,
  });
  // The command line of a package; here it runs from its sources.
  await esbuild.build({
    ...common,
    format: 'esm',
    entryPoints: { cli: 'workers/cli.ts' },
    outdir: 'dist/workers',
    outExtension: { '.js': '.mjs' },
    target: 'node22',
    external: besideBundles,
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
  });
  mkdirSync(join(root, 'dist'), { recursive: true });
  writeFileSync(stampFile, stamp);
  return true;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const node = findNode24();
  if (node === null) process.exit(1);
  if (node !== process.execPath) process.exit(await runUnder24(node, process.argv.slice(1)));
  build({ force: process.argv.includes('--force') }).then(
    (built) => {
      if (!built) process.stdout.write('Up to date.\n');
    },
    (thrown) => {
      process.stderr.write(`${thrown instanceof Error ? thrown.message : String(thrown)}\n`);
      process.exit(1);
    },
  );
}
