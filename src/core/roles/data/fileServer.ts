import type { Role, RoleFile } from '../types.ts';

const files: readonly RoleFile[] = [
  {
    path: '/etc/samba/smb.conf',
    how: 'whole',
    mode: '0644',
    text: `[global]
server role = standalone server
disable netbios = yes
smb ports = 445
load printers = no
disable spoolss = yes
server min protocol = SMB2
map to guest = Bad User
log file = /var/log/samba/log.%m

[tilebench]
path = /srv/tilebench-share
read only = no
guest ok = yes
force user = nobody
`,
  },
];
const setup = (group: string, then = ''): string => `if [ ! -d /srv/tilebench-share ]; then
  made folder /srv/tilebench-share
  install -d -o nobody -g ${group} -m 0700 /srv/tilebench-share
fi
${then}`;
const unset = `noted folder | while read -r folder; do rm -rf "$folder"; done
`;
const verify = `testparm -s >/dev/null 2>&1 || fault broken 'Samba does not take its configuration'
`;

export const fileServer: Role = {
  id: 'file',
  title: 'File server: Samba',
  about: 'A share named tilebench over SMB on port 445, for guests without a password.',
  workloadRoles: ['file'],
  packages: ['samba'],
  needKiB: 300_000,
  files,
  units: ['smbd'],
  ports: [445],
  setup: setup('nogroup'),
  unset,
  verify,
  leaves: {
    paths: [
      '/etc/samba',
      '/var/lib/samba',
      '/var/cache/samba',
      '/var/log/samba',
      '/srv/tilebench-share',
    ],
    accounts: ['sambashare'],
  },
  warnings: ['Anybody on the network may write to the share: for a network of the lab only.'],
  redHat: {
    packages: ['samba'],
    files,
    units: ['smb'],
    setup: setup('nobody', 'label samba_share_t /srv/tilebench-share\n'),
    unset,
    verify,
    leaves: {
      paths: [
        '/etc/samba',
        '/var/lib/samba',
        '/var/cache/samba',
        '/var/log/samba',
        '/srv/tilebench-share',
      ],
      accounts: ['printadmin'],
    },
  },
};
