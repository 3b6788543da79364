import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { copyFile, filesBelow } from './files.ts';
import { closureOf, nameOf, readLock } from './lock.ts';
import type { Target } from './target.ts';

/**
 * Only for building, or for types: ssh2 asks for `cpu-features` and does without; better-sqlite3
 * has its binary.
 */
const notAtRunTime = new Set([
  'cpu-features',
  'buildcheck',
  'nan',
  'node-addon-api',
  '@types/node',
  'undici-types',
  'https',
]);
/** What a package keeps at all; others keep everything but `never`. */
const only: Readonly<Record<string, RegExp>> = {
  pdfmake: /^(package\.json|LICENSE|js\/|standard-fonts\/)/,
  pdfkit: /^(package\.json|LICENSE|js\/(pdfkit\.js|pdfkit\.es\.js|virtual-fs\.js|data\/))/,
  fontkit: /^(package\.json|LICENSE|dist\/(main\.cjs|module\.mjs))/,
  pptxgenjs: /^(package\.json|LICENSE|dist\/pptxgen\.(cjs|es)\.js)/,
  jszip: /^(package\.json|LICENSE|lib\/)/,
  pako: /^(package\.json|LICENSE|lib\/|index\.js|dist\/pako\.(esm\.mjs|js)$)/,
  '@swc/helpers': /^(package\.json|LICENSE|cjs\/|esm\/|_\/)/,
};
const never =
  /(^|\/)(test|tests|__tests__|docs?|examples?|bench(mark)?s?|coverage|\.github|\.[^/]+)\/|(^|\/)(\.[^/]+|tsconfig[^/]*\.json|(?!LICEN[CS]E)[^/]*\.(md|markdown|map|d\.[cm]?ts|ts|tsx|gyp|yml))$/i;
const licence = /(^|\/)(licen[cs]e|copying|notice)[^/]*$/i;

/** Whether a file of a package is needed at run time, or is its licence. */
export function isRuntimeFile(packageName: string, path: string, target: Target): boolean {
  if (licence.test(path) && !path.includes('node_modules/')) return true;
  if (packageName === 'better-sqlite3')
    return (
      /^(package\.json|lib\/)/.test(path) ||
      path === `prebuilds/${target.platform}-${target.arch}.node`
    );
  return (only[packageName]?.test(path) ?? true) && !never.test(path);
}

/**
 * Lays out what Node runs and reads beside the window process: bundles, pages, resources, fonts,
 * the packages that are in no bundle, and Node itself. Throws where a part is missing.
 */
export function layConsole(
  root: string,
  folder: string,
  target: Target,
  { nodePath, besideBundles }: { nodePath: string; besideBundles: readonly string[] },
): { packages: string[] } {
  const windows = target.platform === 'win32';
  copyFile(nodePath, join(folder, 'bin', windows ? 'node.exe' : 'node'));
  for (const part of ['dist/ui', 'dist/workers', 'resources'])
    cpSync(join(root, part), join(folder, part), { recursive: true });
  const lock = readLock(root);
  const packages = closureOf(
    lock,
    besideBundles.filter((name) => !notAtRunTime.has(name)),
    notAtRunTime,
  );
  for (const at of packages) copyPackage(root, folder, at, target);
  const fonts = closureOf(
    lock,
    Object.keys(lock['']?.dependencies ?? {}).filter((name) => name.startsWith('@fontsource')),
  );
  for (const at of fonts)
    for (const path of filesBelow(join(root, at)))
      if (licence.test(path) || /(^files\/|\.json$)/.test(path) || path.endsWith('.css'))
        copyFile(join(root, at, path), join(folder, at, path));
  // The modules of the bundles are what their endings say; nothing above them is asked.
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true}\n');
  return { packages: [...packages, ...fonts] };
}

function copyPackage(root: string, folder: string, at: string, target: Target): void {
  const from = join(root, at);
  if (!existsSync(from)) throw new Error(`${at} is not installed: run npm ci.`);
  for (const path of filesBelow(from))
    if (!path.startsWith('node_modules/') && isRuntimeFile(nameOf(at), path, target))
      copyFile(join(from, path), join(folder, at, path));
}
