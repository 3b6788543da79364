import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The system's own, which has all of its library; another one may stand first on the path. */
export const python = '/usr/bin/python3';

/**
 * Packages of PyPI, exactly these versions with nothing they ask for, in a folder of their own,
 * made once: gives it, to be named by PYTHONPATH. Needs the Debian package python3-pip.
 */
export function installPython(packages: readonly string[], cacheDir = '.cache'): string {
  const key = createHash('sha256').update(packages.join('\n')).digest('hex').slice(0, 16);
  const folder = resolve(cacheDir, `python-${key}`);
  if (existsSync(folder)) return folder;
  mkdirSync(cacheDir, { recursive: true });
  // Two tests may install at once: each into a folder of its own, then renamed.
  const partial = `${folder}.${randomBytes(4).toString('hex')}`;
  execFileSync(
    python,
    ['-m', 'pip', 'install', '--quiet', '--no-deps', '--target', partial, ...packages],
    {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, PIP_ROOT_USER_ACTION: 'ignore' },
    },
  );
  try {
    renameSync(partial, folder);
  } catch (thrown) {
    rmSync(partial, { recursive: true, force: true });
    if (!existsSync(folder)) throw thrown;
  }
  return folder;
}

/** An own certificate for loopback, made with openssl. */
export function makeCertificate(dir: string, name: string): { certPath: string; keyPath: string } {
  const certPath = join(dir, `${name}.crt`);
  const keyPath = join(dir, `${name}.key`);
  execFileSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
      ...['-days', '30', '-subj', `/CN=${name}`, '-addext', 'subjectAltName=IP:127.0.0.1'],
      ...['-keyout', keyPath, '-out', certPath],
    ],
    { stdio: 'ignore' },
  );
  return { certPath, keyPath };
}
