import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { startChild } from './child.ts';
import { poll } from './poll.ts';
import { freePort } from './ports.ts';

export interface LabMariadb {
  readonly host: '127.0.0.1';
  readonly port: number;
  readonly socket: string;
  readonly user: string;
  readonly databases: readonly string[];
  stop(): Promise<void>;
}

/**
 * A private MariaDB on loopback, small buffers, a database for each tile. Debian package
 * mariadb-server.
 */
export async function startMariadb({
  dir,
  databases = ['sbtest1', 'sbtest2'],
}: {
  dir: string;
  databases?: readonly string[];
}): Promise<LabMariadb> {
  const home = join(dir, 'mariadb');
  const data = join(home, 'data');
  // A server that starts removes what `#sql…` its temporary folder holds, also another server's.
  const temporary = join(home, 'tmp');
  mkdirSync(temporary, { recursive: true });
  // A socket path has at most 107 bytes; a deep lab folder would not fit.
  const socket = join(home, 's');
  if (Buffer.byteLength(socket) > 100)
    throw new Error(
      `The lab folder ${dir} is too deep for a database socket; choose a shorter one.`,
    );
  const asRoot = process.getuid?.() === 0 ? ['--user=root'] : [];
  if (!existsSync(join(data, 'mysql')))
    execFileSync(
      'mariadb-install-db',
      [
        '--no-defaults',
        `--datadir=${data}`,
        '--auth-root-authentication-method=normal',
        '--skip-test-db',
        ...asRoot,
      ],
      { stdio: 'pipe', env: { ...process.env, TMPDIR: temporary } },
    );
  const port = await freePort();
  const server = startChild(
    '/usr/sbin/mariadbd',
    [
      '--no-defaults',
      `--datadir=${data}`,
      `--tmpdir=${temporary}`,
      `--socket=${socket}`,
      `--port=${port}`,
      '--bind-address=127.0.0.1',
      `--pid-file=${join(home, 'pid')}`,
      '--innodb-buffer-pool-size=64M',
      '--innodb-log-file-size=16M',
      '--innodb-flush-log-at-trx-commit=2',
      '--max-connections=400',
      '--skip-log-bin',
      '--performance-schema=OFF',
      ...asRoot,
    ],
    join(home, 'log'),
  );
  const sql = (text: string): void => {
    execFileSync('mariadb', ['--no-defaults', `--socket=${socket}`, '-uroot', '-e', text], {
      stdio: 'pipe',
    });
  };
  await poll(`the database (${join(home, 'log')})`, () => {
    if (server.ended()) throw new Error(`MariaDB ended: ${server.log().slice(-400)}`);
    if (!existsSync(socket)) return false;
    try {
      sql('SELECT 1');
      return true;
    } catch (error) {
      if (server.ended()) throw error;
      return false;
    }
  });
  for (const place of ['127.0.0.1', 'localhost'])
    sql(`CREATE USER IF NOT EXISTS 'sbtest'@'${place}'`);
  for (const database of databases)
    sql(
      `CREATE DATABASE IF NOT EXISTS ${database}; GRANT ALL ON ${database}.* TO ` +
        `'sbtest'@'127.0.0.1'; GRANT ALL ON ${database}.* TO 'sbtest'@'localhost';`,
    );
  return {
    host: '127.0.0.1',
    port,
    socket,
    user: 'sbtest',
    databases,
    stop: () => server.stop(20_000),
  };
}
