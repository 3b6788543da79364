import { execFileSync } from 'node:child_process';

import { startMariadb } from '../../../../e2e/lab/mariadb.ts';
import { startPostgres } from '../../../../e2e/lab/postgres.ts';

/** One database that lets user ds2 into database ds2, with `shopPassword`. */
export interface Shop {
  kind: 'mysql' | 'postgres';
  port: number;
  /** The one figure a statement gives. */
  ask: (sql: string) => string;
  /** Ends the sessions of the load, or of a web tier; gives how many there were. */
  cut: () => number;
  stop(): Promise<void>;
}

export const shopPassword = "it's one";

export async function mariadbShop(dir: string): Promise<Shop> {
  const server = await startMariadb({ dir, databases: ['ds2'] });
  const ask = (sql: string): string =>
    execFileSync(
      'mariadb',
      ['--no-defaults', `--socket=${server.socket}`, '-uroot', '-N', '-B', '-e', sql, 'ds2'],
      { encoding: 'utf8', stdio: 'pipe' },
    ).trim();
  ask(
    "CREATE USER ds2@'127.0.0.1' IDENTIFIED BY 'it''s one'; GRANT ALL ON ds2.* TO ds2@'127.0.0.1'",
  );
  return {
    kind: 'mysql',
    port: server.port,
    ask,
    cut() {
      const ids = ask("SELECT id FROM information_schema.processlist WHERE user = 'ds2'")
        .split('\n')
        .filter((id) => id !== '');
      for (const id of ids) ask(`KILL ${id}`);
      return ids.length;
    },
    stop: () => server.stop(),
  };
}

export async function postgresShop(auth: 'scram-sha-256' | 'md5'): Promise<Shop> {
  const server = await startPostgres({ password: shopPassword, auth });
  return {
    kind: 'postgres',
    port: server.port,
    ask: server.sql,
    cut: () =>
      Number(
        server.sql(
          'SELECT COUNT(pg_terminate_backend(pid)) FROM pg_stat_activity ' +
            "WHERE application_name = 'tilekit'",
        ),
      ),
    stop: () => server.stop(),
  };
}
