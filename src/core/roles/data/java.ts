import type { Role } from '../types.ts';

export const java: Role = {
  id: 'java',
  title: 'Java: OpenJDK',
  about: 'The Java runtime that the system brings; programs that use it are yours.',
  workloadRoles: ['java'],
  packages: ['default-jre-headless'],
  needKiB: 500_000,
  files: [],
  units: [],
  ports: [],
  verify: `java -version >/dev/null 2>&1 || fault broken 'java does not start'
`,
  leaves: { paths: ['/etc/java-17-openjdk', '/usr/lib/jvm', '/etc/ssl/certs/java'], accounts: [] },
  warnings: [],
};
