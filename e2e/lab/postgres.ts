import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { byNaturalOrder } from '../../src/core/base/naturalOrder.ts';
import { startChild } from './child.ts';
import { poll } from './poll.ts';
import { freePort } from './ports.ts';

export interface LabPostgres {
  readonly host: '127.0.0.1';
  readonly port: number;
  readonly user: string;
  readonly database: string;
  /** Rows of a statement, as `psql` prints them without ornament. */
  sql: (text: string) => string;
  stop(): Promise<void>;
}

/** Where Debian puts the programs: a folder a version. */
const versions = '/usr/lib/postgresql';
const program = (name: string): string => {
  const newest = existsSync(versions) ? readdirSync(versions).sort(byNaturalOrder).at(-1) : null;
  return newest ? `${versions}/${newest}/bin/${name}` : name;
};
/** Debian's user nobody: PostgreSQL does not run as root. */
const nobody = 65_534;

/**
 * A private PostgreSQL on loopback that asks for a password by SCRAM-SHA-256, or by MD5 where asked
 * for, and a database. Debian package postgresql.
 */
export async function startPostgres({
  password,
  auth = 'scram-sha-256',
  database = 'ds2',
}: {
  password: string;
  auth?: 'scram-sha-256' | 'md5';
  database?: string;
}): Promise<LabPostgres> {
  // A folder of its own: the server's user may not read one of ours.
  const home = mkdtempSync(join(tmpdir(), 'tb-pg-'));
  chmodSync(home, 0o755);
  const asRoot = process.getuid?.() === 0;
  const secret = join(home, 'first');
  writeFileSync(secret, `${password}\n`, { mode: 0o600 });
  if (asRoot) for (const path of [home, secret]) chownSync(path, nobody, nobody);
  const as: readonly string[] = asRoot
    ? ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups']
    : ['env'];
  const [first = 'env', ...rest] = as;
  const data = join(home, 'data');
  const user = 'ds2';
  execFileSync(
    first,
    [
      ...rest,
      program('initdb'),
      '-D',
      data,
      '-U',
      user,
      '-A',
      auth,
      `--pwfile=${secret}`,
      '--no-sync',
    ],
    {
      stdio: 'pipe',
      cwd: home,
      env: { ...process.env, LC_ALL: 'C' },
    },
  );
  const port = await freePort();
  const server = startChild(
    first,
    [
      ...rest,
      program('postgres'),
      ...['-D', data, '-p', String(port), '-k', home],
      ...['-c', 'listen_addresses=127.0.0.1', '-c', 'max_connections=300', '-c', 'fsync=off'],
      ...(auth === 'md5' ? ['-c', 'password_encryption=md5'] : []),
    ],
    join(home, 'log'),
    { LC_ALL: 'C' },
  );
  const psql = (name: string, text: string): string =>
    execFileSync(
      'psql',
      [
        '-At',
        '-v',
        'ON_ERROR_STOP=1',
        '-h',
        '127.0.0.1',
        '-p',
        String(port),
        '-U',
        user,
        '-d',
        name,
        '-c',
        text,
      ],
      { encoding: 'utf8', stdio: 'pipe', env: { ...process.env, PGPASSWORD: password } },
    ).trim();
  await poll(`PostgreSQL (${join(home, 'log')})`, () => {
    if (server.ended()) throw new Error(`PostgreSQL ended: ${server.log().slice(-400)}`);
    try {
      psql('postgres', 'SELECT 1');
      return true;
    } catch (error) {
      if (server.ended()) throw error;
      return false;
    }
  });
  psql('postgres', `CREATE DATABASE ${database}`);
  return {
    host: '127.0.0.1',
    port,
    user,
    database,
    sql: (text) => psql(database, text),
    async stop() {
      // TERM would wait for every session.
      server.process.kill('SIGINT');
      await server.stop(20_000);
      rmSync(home, { recursive: true, force: true });
    },
  };
}
