import type { Role } from '../types.ts';

export const standby: Role = {
  id: 'standby',
  title: 'Standby server',
  about: 'Nothing is installed: the machine is only seen to be up, and to be the right one.',
  workloadRoles: ['standby'],
  packages: [],
  needKiB: 0,
  files: [],
  units: [],
  ports: [],
  leaves: { paths: [], accounts: [] },
  warnings: [],
  redHat: { packages: [], files: [], units: [], leaves: { paths: [], accounts: [] } },
};
