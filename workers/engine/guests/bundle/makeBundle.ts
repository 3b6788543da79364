import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import {
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';

import { fail } from '../../../../src/core/base/errors.ts';
import { byNaturalOrder } from '../../../../src/core/base/naturalOrder.ts';
import {
  type BundleHead,
  bundleHeadName,
  bundleIndexName,
  bundleReleases,
  type GuestBundle,
  indexStanza,
} from '../../../../src/core/roles/bundle.ts';
import { aptFault } from '../../../../src/core/roles/faults.ts';
import type { Role } from '../../../../src/core/roles/types.ts';
import { readBundle } from './readBundle.ts';
import { type TarSource, writeTar } from './tar.ts';

const run = promisify(execFile);

export interface BundleWish {
  roles: readonly Role[];
  /** `debian-12`; absent = the release of this computer. */
  release?: string;
  /** As Debian names it; absent = the one of this computer. */
  architecture?: string;
  /** Base address of a mirror; absent = this computer's own sources, for its own release only. */
  mirror?: string;
  /** Lines of sources.list in place of all of these. */
  sources?: readonly string[];
  /** The file to write; one that is there is replaced once the new one is whole. */
  out: string;
  nowMs: number;
  signal?: AbortSignal;
  onProgress?: (text: string) => void;
}

/**
 * Makes one file of the packages of roles with all that they need, found and fetched by this
 * computer's own APT as for an empty machine of that release: what a machine has already, its own
 * APT leaves out later. Throws notFound where there is no APT here, invalidInput for an unknown
 * release, unreachable and the like with what APT said.
 */
export async function makeBundle(wish: BundleWish): Promise<GuestBundle> {
  const names = [...new Set(wish.roles.flatMap(({ packages }) => packages))];
  if (names.length === 0)
    throw fail('invalidInput', 'These roles install no package.', 'They need no bundle.');
  const own = await ownSystem();
  const release = wish.release ?? own.release;
  const architecture = wish.architecture ?? own.architecture;
  const sources = wish.sources ?? sourcesOf(wish, release, own.release);
  const dir = await mkdtemp(join(tmpdir(), 'tilebench-bundle-'));
  const part = `${wish.out}.part`;
  try {
    const env = await privateApt(dir, architecture, sources);
    const apt = (...args: string[]): Promise<string> => callApt(env, args, wish.signal);
    wish.onProgress?.('Reading the lists of the mirror');
    await apt('-q', 'update');
    wish.onProgress?.('Fetching packages with all that they need');
    await apt('-q', '-y', '--download-only', 'install', ...names);
    const head: BundleHead = {
      tilebenchBundle: 1,
      release,
      architecture,
      roles: wish.roles.map(({ id }) => id),
      madeAtMs: wish.nowMs,
    };
    await rm(part, { force: true });
    await writeTar(part, await sourcesOfTar(join(dir, 'archives'), head));
    const bundle = await readBack(part);
    await rename(part, wish.out);
    return bundle;
  } finally {
    await rm(part, { force: true });
    await rm(dir, { recursive: true, force: true });
  }
}

async function ownSystem(): Promise<{ release: string; architecture: string }> {
  const text = await readFile('/etc/os-release', 'utf8').catch(() => '');
  const value = (name: string): string =>
    new RegExp(`^${name}="?([^"\n]*)"?$`, 'm').exec(text)?.[1] ?? '';
  try {
    const { stdout } = await run('dpkg', ['--print-architecture']);
    await run('apt-get', ['--version']);
    return { release: `${value('ID')}-${value('VERSION_ID')}`, architecture: stdout.trim() };
  } catch {
    throw fail(
      'notFound',
      'This computer has no APT: it cannot find out which packages a role needs.',
      'Make the bundle on a machine with Debian or Ubuntu that reaches a mirror.',
    );
  }
}

/** null = the sources of this computer as they are. */
function sourcesOf(
  { mirror }: Pick<BundleWish, 'mirror'>,
  release: string,
  own: string,
): readonly string[] | null {
  if (mirror === undefined && release === own) return null;
  const known = bundleReleases.find(({ id }) => id === release);
  if (!known)
    throw fail(
      'invalidInput',
      `${release} is no release that bundles are made for.`,
      `Name one of ${bundleReleases.map(({ id }) => id).join(', ')}.`,
    );
  if (mirror === undefined)
    throw fail(
      'invalidInput',
      `The sources of this computer are those of ${own}, not of ${release}.`,
      `Name a mirror of ${release} with --mirror ADDRESS.`,
    );
  // Packages of a folder are only copied, and so bundled, by this method of APT.
  const from = mirror.replace(/^file:/, 'copy:');
  return known.sources(from).map((line) => `deb ${line}`);
}

/** An APT with nothing installed and nothing of this computer's but its keys, and its sources if `null`. */
async function privateApt(
  dir: string,
  architecture: string,
  sources: readonly string[] | null,
): Promise<NodeJS.ProcessEnv> {
  for (const name of ['lists/partial', 'archives/partial'])
    await mkdir(join(dir, name), { recursive: true });
  await writeFile(join(dir, 'status'), '');
  const settings = [
    `Dir::State "${dir}"`,
    `Dir::State::status "${dir}/status"`,
    `Dir::State::lists "${dir}/lists"`,
    `Dir::Cache "${dir}"`,
    `Dir::Cache::archives "${dir}/archives"`,
    'Dir::Cache::pkgcache ""',
    'Dir::Cache::srcpkgcache ""',
    `APT::Architecture "${architecture}"`,
    `APT::Architectures "${architecture}"`,
    'APT::Install-Recommends "false"',
    // Its sandbox user may not write into our folder.
    'APT::Sandbox::User "root"',
    'Acquire::Languages "none"',
    'Acquire::Retries "2"',
  ];
  if (sources) {
    await writeFile(join(dir, 'sources.list'), `${sources.join('\n')}\n`);
    settings.push(
      `Dir::Etc::sourcelist "${dir}/sources.list"`,
      'Dir::Etc::sourceparts "/dev/null"',
    );
  }
  const path = join(dir, 'apt.conf');
  await writeFile(path, settings.map((line) => `${line};\n`).join(''));
  return { ...process.env, LC_ALL: 'C', APT_CONFIG: path };
}

async function callApt(
  env: NodeJS.ProcessEnv,
  args: readonly string[],
  signal?: AbortSignal,
): Promise<string> {
  const options = { env, maxBuffer: 64 * 2 ** 20, ...(signal ? { signal } : {}) };
  const said = await run('apt-get', args, options).then(
    (ended) => ({ ...ended, ok: true }),
    (thrown: unknown) => ({ stdout: '', stderr: '', ...saidBy(thrown), ok: false }),
  );
  if (signal?.aborted) throw fail('aborted', 'The bundle was not made: it was cancelled.');
  const evidence = `${said.stdout}\n${said.stderr}`;
  if (said.ok && !/^[WE]: Failed to fetch|^E: /m.test(evidence)) return said.stdout;
  const { message, hint } = aptFault(evidence, args.includes('update') ? 'update' : 'install');
  throw fail('conflict', `The bundle cannot be made. ${message}`, hint);
}

/** What a program printed before it failed; of one that could not be run, why. */
const saidBy = (thrown: unknown): { stdout?: string; stderr?: string } =>
  thrown instanceof Error && 'stderr' in thrown
    ? (thrown as Error & { stdout: string; stderr: string })
    : { stderr: String(thrown) };

/** Head, index and packages, in the order in which they are read. */
async function sourcesOfTar(archives: string, head: BundleHead): Promise<TarSource[]> {
  const found = (await readdir(archives))
    .filter((name) => name.endsWith('.deb'))
    .sort(byNaturalOrder);
  const packages: TarSource[] = [];
  const stanzas: string[] = [];
  for (const name of found) {
    const path = join(archives, name);
    // APT writes the colon of an epoch as %3a, and would read it back as a colon.
    const file = name.replace(/_[0-9]+%3a/, '_');
    const { size: bytes } = await stat(path);
    const { stdout: control } = await run('dpkg-deb', ['-f', path]);
    stanzas.push(indexStanza(control, { file, bytes, sha256: await digestOf(path) }));
    packages.push({ name: file, path, bytes });
  }
  return [
    { name: bundleHeadName, text: `${JSON.stringify(head)}\n` },
    { name: bundleIndexName, text: stanzas.join('\n') },
    ...packages,
  ];
}

async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

/** As whoever takes it will read it. */
async function readBack(path: string): Promise<GuestBundle> {
  const file = await open(path, 'r');
  try {
    return await readBundle(file);
  } finally {
    await file.close();
  }
}
