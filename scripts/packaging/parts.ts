import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { closureOf, type Lock, nameOf, readLock } from './lock.ts';
import type { Target } from './target.ts';

/** Something of somebody else's that is in a package. */
export interface Part {
  name: string;
  version: string;
  /** SPDX expression, or the words of the package. */
  license: string;
  /** Package URL. */
  purl: string;
  /** SHA-512 of npm's archive, in hex. */
  sha512?: string;
  /** Texts of its licences. */
  texts: readonly string[];
}

/** Drawn into the pages, although only building asks for it. */
const bundledToo = ['uplot'];
const licenceFile = /^(licen[cs]e|copying|notice)/i;

const purlOf = (name: string, version: string): string =>
  `pkg:npm/${name.replace('@', '%40')}@${version}`;

function licenceOf(manifest: { license?: unknown; licenses?: unknown }): string {
  const { license, licenses } = manifest;
  if (typeof license === 'string') return license;
  const first: unknown = Array.isArray(licenses) ? licenses[0] : license;
  return typeof first === 'object' && first !== null && 'type' in first
    ? String(first.type)
    : 'see its text';
}

function partOf(root: string, lock: Lock, folder: string): Part[] {
  const dir = join(root, folder);
  // What is optional and for another system is not installed, and not shipped.
  if (!existsSync(join(dir, 'package.json'))) return [];
  const name = nameOf(folder);
  const version = lock[folder]?.version ?? '';
  const manifest = JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8')) as object;
  const [, digest] = /^sha512-(.+)$/.exec(lock[folder]?.integrity ?? '') ?? [];
  return [
    {
      name,
      version,
      license: licenceOf(manifest),
      purl: purlOf(name, version),
      ...(digest ? { sha512: Buffer.from(digest, 'base64').toString('hex') } : {}),
      texts: readdirSync(dir, { withFileTypes: true })
        .filter((entry) => entry.isFile() && licenceFile.test(entry.name))
        .map(({ name: file }) => file)
        .sort()
        .map((file) => readFileSync(join(dir, file), 'utf8').replaceAll('\r\n', '\n').trim()),
    },
  ];
}

/**
 * Everything that a package holds and that is not ours: packages of npm, bundled or beside, Node
 * and Electron. Sorted by name.
 */
export function partsOf(root: string, target: Target, nodeLicense: string | null): Part[] {
  const lock = readLock(root);
  const names = [...Object.keys(lock['']?.dependencies ?? {}), ...bundledToo];
  const nodeVersion = lock['node_modules/node']?.version ?? '';
  const runtimes: Part[] = [
    {
      name: 'node',
      version: nodeVersion,
      license: 'MIT',
      purl: `pkg:github/nodejs/node@v${nodeVersion}`,
      texts: nodeLicense === null ? [] : [nodeLicense.trim()],
    },
    {
      name: 'electron',
      version: target.electronVersion,
      license: 'MIT',
      purl: `pkg:github/electron/electron@v${target.electronVersion}`,
      // Its own and Chromium's stand beside the program, as its makers ship them.
      texts: [],
    },
  ];
  return [
    ...closureOf(lock, names).flatMap((folder) => partOf(root, lock, folder)),
    ...runtimes,
  ].sort((a, b) => (a.purl < b.purl ? -1 : 1));
}

/** The bill of materials in CycloneDX 1.6, the same for the same parts. */
export function cycloneDx(version: string, parts: readonly Part[], epochS: number): string {
  const known = new Map(parts.map((part) => [part.purl, part]));
  return `${JSON.stringify(
    {
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      version: 1,
      metadata: {
        timestamp: new Date(epochS * 1_000).toISOString(),
        component: { type: 'application', 'bom-ref': 'tilebench', name: 'tilebench', version },
      },
      components: [...known.values()].map(({ name, version: of, license, purl, sha512 }) => ({
        type: 'library',
        'bom-ref': purl,
        name,
        version: of,
        purl,
        licenses: [
          /^[\w.+-]+$/.test(license)
            ? { license: { id: license } }
            : /^[\w.+() -]+$/.test(license) && / (OR|AND) /.test(license)
              ? { expression: license }
              : { license: { name: license } },
        ],
        ...(sha512 ? { hashes: [{ alg: 'SHA-512', content: sha512 }] } : {}),
      })),
    },
    null,
    1,
  )}\n`;
}

/** All licences in one text: each wording once, after those it holds for. */
export function licenceText(parts: readonly Part[]): string {
  const users = new Map<string, string[]>();
  for (const { name, version, license, texts } of parts)
    for (const text of texts.length > 0 ? texts : [`(no text in the package) ${license}`]) {
      const found = users.get(text) ?? [];
      found.push(`${name} ${version} (${license})`);
      users.set(text, found);
    }
  const rule = '-'.repeat(80);
  return [
    'What Tilebench brings along, and on what terms. Those of Electron and Chromium stand in',
    'LICENSE and LICENSES.chromium.html beside the program.\n',
    ...[...users].map(([text, who]) => `${rule}\n${who.join('\n')}\n${rule}\n\n${text}\n`),
  ].join('\n');
}
