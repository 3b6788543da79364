import type { Role } from '../types.ts';

const settings = 'bind-address = 0.0.0.0\nmax_connections = 2000\nskip-name-resolve\n';

/** @param client its program, which MariaDB 10.3 has by its old name only */
const shell = (client: string) => ({
  setup: `sql() { ${client} --no-defaults -uroot -N -B -e "$1" || fault broken 'MariaDB refuses the user root over its socket'; }
for pair in ds2:ds2user sbtest:sbtest; do
  name=\${pair%:*} user=\${pair#*:}
  if [ "$(sql "SELECT COUNT(*) FROM information_schema.schemata WHERE schema_name='$name'")" = 0 ]; then
    made database "$name"
    sql "CREATE DATABASE $name"
  fi
  if [ "$(sql "SELECT COUNT(*) FROM mysql.user WHERE user='$user' AND host='%'")" = 0 ]; then
    made user "$user"
    sql "CREATE USER '$user'@'%'"
  fi
  sql "GRANT ALL ON $name.* TO '$user'@'%'"
done
`,
  unset: `sql() { ${client} --no-defaults -uroot -N -B -e "$1" || fault broken 'MariaDB refuses the user root over its socket'; }
noted user | while read -r user; do sql "DROP USER IF EXISTS '$user'@'%'" || exit 1; done || exit 1
noted database | while read -r name; do sql "DROP DATABASE IF EXISTS $name" || exit 1; done || exit 1
`,
  verify: `for pair in ds2:ds2user sbtest:sbtest; do
  ${client} --no-defaults -h127.0.0.1 --protocol=tcp -u"\${pair#*:}" -N -B -e 'SELECT 1' "\${pair%:*}" >/dev/null ||
    fault broken "user \${pair#*:} cannot use database \${pair%:*} over the network"
done
`,
});

/** Databases and users are the defaults of the drivers `tilekit-dvdstore` and `sysbench-oltp`. */
export const mariadb: Role = {
  id: 'mariadb',
  title: 'Database: MariaDB',
  about: 'Databases ds2 (DVD Store) and sbtest (sysbench) that drivers reach over the network.',
  workloadRoles: ['database'],
  when: { kind: 'mysql' },
  packages: ['mariadb-server'],
  needKiB: 700_000,
  files: [
    {
      path: '/etc/mysql/mariadb.conf.d/90-tilebench.cnf',
      how: 'whole',
      mode: '0644',
      // Sessions: as many as a driver may open, with some to spare. Sizes stay the package's own.
      text: `[mariadbd]\n${settings}`,
    },
  ],
  units: ['mariadb'],
  ports: [3306],
  ...shell('mariadb'),
  leaves: {
    paths: ['/etc/mysql', '/var/lib/mysql', '/var/log/mysql', '/var/cache/mysql'],
    accounts: ['mysql'],
  },
  warnings: ['The users ds2user and sbtest need no password: for a network of the lab only.'],
  redHat: {
    packages: ['mariadb-server'],
    files: [
      {
        path: '/etc/my.cnf.d/90-tilebench.cnf',
        how: 'whole',
        mode: '0644',
        // MariaDB 10.3 of release 8 does not know the group mariadbd.
        text: `[mysqld]\n${settings}`,
      },
    ],
    units: ['mariadb'],
    ...shell('mysql'),
    leaves: {
      paths: ['/etc/my.cnf.d', '/var/lib/mysql', '/var/log/mariadb'],
      accounts: ['mysql'],
    },
  },
};
