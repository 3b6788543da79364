import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { findKit } from '../../workers/engine/kit/findKit.ts';
import { type LabDovecot, type LabPostfix, startDovecot, startPostfix } from './mail.ts';
import type { LabMariadb } from './mariadb.ts';
import { type LabNginx, startNginx } from './nginx.ts';
import { freePort } from './ports.ts';
import { type LabSite, startSite } from './tilekitServe.ts';

/** The servers behind the loads of a tile in the style of VMmark 2. */
export interface TileServers {
  /** Mailboxes `user1` … of one password, which stands in the file. */
  mail: { dovecot: LabDovecot; postfix: LabPostfix; mailboxes: number; passwordFile: string };
  /** nginx in front of the site of `tilekit serve`, with a database of its own in the lab's MariaDB. */
  web: LabNginx;
  /**
   * A database and a user of its own, without a password, in the lab's MariaDB, and ports for the web
   * tiers that a run starts before it.
   */
  shop: {
    port: number;
    user: string;
    database: string;
    webPorts: readonly number[];
    ask: (sql: string) => string;
  };
  stop(): Promise<void>;
}

const mailboxes = 10;
const kitPlaces = { sourceDir: 'kit', cacheDir: '.cache', carriedDir: 'resources/kit' };

/**
 * Why this machine cannot have them though all packages are there; null = it can. Postfix starts as
 * root only.
 */
export const tileRefused = (): string | null =>
  process.getuid?.() === 0
    ? null
    : 'its mail server, Postfix, starts as root only. Start the lab as root: sudo npm run lab';

/** Starts mail, web and shop on loopback and free ports; ends what it started when one fails. */
export async function startTileServers({
  dir,
  mariadb,
}: {
  dir: string;
  mariadb: LabMariadb;
}): Promise<TileServers> {
  mkdirSync(dir, { recursive: true });
  const ends: (() => Promise<void>)[] = [];
  const stop = async (): Promise<void> => {
    const faults: unknown[] = [];
    for (const end of ends.splice(0).reverse())
      await end().catch((thrown: unknown) => faults.push(thrown));
    if (faults.length > 0) throw new AggregateError(faults, 'Parts of the tile did not stop.');
  };
  const started = async <T extends { stop(): Promise<void> }>(part: Promise<T>): Promise<T> => {
    const made = await part;
    ends.push(() => made.stop());
    return made;
  };
  try {
    const password = randomBytes(6).toString('hex');
    const passwordFile = join(dir, 'mail-password');
    writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
    const dovecot = await started(startDovecot({ users: mailboxes, password }));
    const postfix = await started(startPostfix({ lmtpPort: dovecot.lmtpPort }));
    const site = await started(startOlio(join(dir, 'site'), mariadb));
    const web = await started(startNginx({ dir, upstreamPort: site.port }));
    return {
      mail: { dovecot, postfix, mailboxes, passwordFile },
      web,
      shop: makeShop(mariadb, [await freePort(), await freePort(), await freePort()]),
      stop,
    };
  } catch (thrown) {
    await stop();
    throw thrown;
  }
}

/** The site in Olio's style, made and served by tilekit, with a database of its own behind it. */
async function startOlio(dir: string, mariadb: LabMariadb): Promise<LabSite> {
  mkdirSync(dir, { recursive: true });
  const [user, name] = ['oliouser', 'olio'];
  makeDatabase(asRoot(mariadb), user, name);
  const kit = (await findKit(kitPlaces)).path;
  return startSite(dir, kit, {
    schema: 1,
    dir: join(dir, 'pages'),
    listen: '127.0.0.1:0',
    database: { kind: 'mysql', address: `127.0.0.1:${mariadb.port}`, user, name },
  });
}

const asRoot =
  ({ socket }: LabMariadb) =>
  (sql: string): string =>
    execFileSync(
      'mariadb',
      ['--no-defaults', `--socket=${socket}`, '-uroot', '-N', '-B', '-e', sql],
      { encoding: 'utf8', stdio: 'pipe' },
    ).trim();

/** A database, and a user of it alone, without a password. */
const makeDatabase = (ask: (sql: string) => string, user: string, name: string): string =>
  ask(
    `CREATE DATABASE ${name}; CREATE USER ${user}@'127.0.0.1'; ` +
      `GRANT ALL ON ${name}.* TO ${user}@'127.0.0.1'`,
  );

function makeShop(mariadb: LabMariadb, webPorts: readonly number[]): TileServers['shop'] {
  const [user, database] = ['ds2user', 'ds2'];
  const ask = asRoot(mariadb);
  makeDatabase(ask, user, database);
  return { port: mariadb.port, user, database, webPorts, ask };
}
