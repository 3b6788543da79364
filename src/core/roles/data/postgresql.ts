import type { Role } from '../types.ts';

const settings = "listen_addresses = '*'\nmax_connections = 500\n";
const access = 'host ds2 ds2user 0.0.0.0/0 trust\nhost ds2 ds2user ::/0 trust\n';
const setup = `sql() { (cd / && setpriv --reuid=postgres --regid=postgres --init-groups psql -X -q -A -t -d postgres -c "$1") || fault broken 'PostgreSQL refuses its own user postgres'; }
if [ -z "$(sql "SELECT 1 FROM pg_roles WHERE rolname='ds2user'")" ]; then
  made user ds2user
  sql 'CREATE ROLE ds2user LOGIN'
fi
if [ -z "$(sql "SELECT 1 FROM pg_database WHERE datname='ds2'")" ]; then
  made database ds2
  sql 'CREATE DATABASE ds2 OWNER ds2user'
fi
`;
const unset = `sql() { (cd / && setpriv --reuid=postgres --regid=postgres --init-groups psql -X -q -A -t -d postgres -c "$1") || fault broken 'PostgreSQL refuses its own user postgres'; }
noted database | while read -r name; do sql "DROP DATABASE IF EXISTS $name" || exit 1; done || exit 1
noted user | while read -r user; do sql "DROP ROLE IF EXISTS $user" || exit 1; done || exit 1
`;
const verify = `psql -X -q -A -t -h 127.0.0.1 -U ds2user -d ds2 -w -c 'SELECT 1' >/dev/null ||
  fault broken 'user ds2user cannot use database ds2 over the network'
`;

/** Database and user are the defaults of the driver `tilekit-dvdstore`. */
export const postgresql: Role = {
  id: 'postgresql',
  title: 'Database: PostgreSQL',
  about: 'Database ds2 (DVD Store) that drivers reach over the network.',
  workloadRoles: ['database'],
  when: { kind: 'postgres' },
  packages: ['postgresql'],
  needKiB: 600_000,
  files: [
    {
      path: '/etc/postgresql/*/main/conf.d/90-tilebench.conf',
      how: 'whole',
      mode: '0644',
      text: settings,
    },
    {
      path: '/etc/postgresql/*/main/pg_hba.conf',
      how: 'block',
      text: access,
    },
  ],
  units: ['postgresql'],
  ports: [5432],
  setup,
  unset,
  verify,
  leaves: {
    paths: [
      '/etc/postgresql',
      '/etc/postgresql-common',
      '/var/lib/postgresql',
      '/var/log/postgresql',
      '/var/cache/postgresql',
    ],
    accounts: ['postgres', 'ssl-cert'],
  },
  warnings: ['The user ds2user needs no password: for a network of the lab only.'],
  redHat: {
    packages: ['postgresql-server'],
    begin: `[ -s /var/lib/pgsql/data/PG_VERSION ] || postgresql-setup --initdb >>"$LOG" 2>&1 ||
  fault broken 'PostgreSQL makes no cluster below /var/lib/pgsql/data'
`,
    files: [
      // Read last, after postgresql.conf: there is no folder for parts of it.
      {
        path: '/var/lib/pgsql/data/postgresql.auto.conf',
        how: 'whole',
        mode: '0600',
        text: settings,
      },
      { path: '/var/lib/pgsql/data/pg_hba.conf', how: 'block', text: access },
    ],
    units: ['postgresql'],
    setup,
    unset,
    verify,
    leaves: { paths: ['/var/lib/pgsql'], accounts: ['postgres'] },
  },
};
