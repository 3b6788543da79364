import type { Role, RoleFile } from '../types.ts';
import { ordersJava } from './ordersSource.ts';

const files: readonly RoleFile[] = [
  { path: '/srv/tilebench-orders/Orders.java', how: 'whole', mode: '0644', text: ordersJava },
];
const verify = `java /srv/tilebench-orders/Orders.java warehouses 1 1 2>/dev/null | grep -q '"end":true' || fault broken 'java does not run the order server'
`;

export const java: Role = {
  id: 'java',
  title: 'Java: OpenJDK, with an order server',
  about:
    'The JDK that the system brings, and the order server for the driver tilekit-orders, ' +
    'to be started by java /srv/tilebench-orders/Orders.java; other programs are yours.',
  workloadRoles: ['java'],
  packages: ['default-jdk-headless'],
  needKiB: 700_000,
  files,
  units: [],
  ports: [],
  verify,
  leaves: {
    paths: ['/etc/java-17-openjdk', '/usr/lib/jvm', '/etc/ssl/certs/java', '/srv/tilebench-orders'],
    accounts: [],
  },
  warnings: [],
  redHat: {
    packages: ['java-17-openjdk-devel'],
    files,
    units: [],
    verify,
    leaves: { paths: ['/usr/lib/jvm', '/etc/java', '/srv/tilebench-orders'], accounts: [] },
  },
};
