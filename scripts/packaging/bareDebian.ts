import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { makeDebianPackage, olderPackage } from '../../e2e/fixtures/installed.ts';

/*
 * Every night: the package on a Debian with nothing but apt. Here the system is made and what the
 * package declares is downloaded; the story itself (`e2e/specs/bareDebian.spec.ts`) runs without any
 * network, in namespaces of its own, in which nothing it started outlives it. Exit 1 when it fails.
 */
const root = resolve(import.meta.dirname, '../..');
const cacheDir = join(root, '.cache', 'bareDebian');
/** What opens a file by its type on a system without a desktop: recommended, not needed. */
const opensFiles = ['xdg-utils', 'libfile-mimeinfo-perl'];

const run = (program: string, ...args: string[]): void => {
  execFileSync(program, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
};

/** The system before anything is installed, made once: remove the folder to make it anew. */
function bareSystem(): string {
  const base = join(cacheDir, 'minbase.tar');
  if (existsSync(base)) return base;
  mkdirSync(cacheDir, { recursive: true });
  run('mmdebstrap', '--quiet', '--variant=minbase', 'bookworm', `${base}.part.tar`);
  renameSync(`${base}.part.tar`, base);
  return base;
}

/** Fetches what apt would, for this package and `opensFiles`, into the system's own archive. */
function download(system: string, debian: string): void {
  const archives = join(cacheDir, 'archives');
  mkdirSync(join(archives, 'partial'), { recursive: true });
  const inside = join(system, 'var/cache/apt/archives');
  cpSync(archives, inside, { recursive: true });
  cpSync('/etc/resolv.conf', join(system, 'etc/resolv.conf'));
  const apt = (...args: string[]): void => run('chroot', system, 'apt-get', '-q', '-y', ...args);
  apt('update');
  apt('install', '--download-only', '--no-install-recommends', debian, ...opensFiles);
  cpSync(inside, archives, { recursive: true });
}

if (process.getuid?.() !== 0 || process.platform !== 'linux') {
  process.stderr.write('A system of its own needs root on Linux.\n');
  process.exit(1);
}
const dir = mkdtempSync(join(tmpdir(), 'tilebench-bare-'));
try {
  const base = bareSystem();
  const system = join(dir, 'system');
  mkdirSync(system);
  run('tar', '-xf', base, '-C', system);
  const newer = makeDebianPackage(join(dir, 'out'));
  renameSync(olderPackage(newer, dir), join(system, 'tmp', 'older.deb'));
  renameSync(newer, join(system, 'tmp', 'newer.deb'));
  download(system, '/tmp/newer.deb');
  const { status } = spawnSync(
    'unshare',
    [
      ...['--mount', '--pid', '--net', '--fork', '--kill-child', '--mount-proc'],
      // Not by exec: a display tells nobody who is the first process that it is there.
      ...['sh', '-c', 'ip link set lo up && "$@"; exit $?', 'sh'],
      ...['xvfb-run', '-a', '-s', '-ac -nolisten tcp -screen 0 1280x800x24'],
      ...[process.execPath, 'node_modules/@playwright/test/cli.js', 'test'],
      ...['-c', 'e2e/playwright.config.ts', '--project=bareDebian'],
    ],
    { cwd: root, stdio: 'inherit', env: { ...process.env, TILEBENCH_BARE: dir } },
  );
  process.exitCode = status === 0 ? 0 : 1;
} finally {
  rmSync(dir, { recursive: true, force: true });
}
