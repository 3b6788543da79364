import type { Role } from '../types.ts';

export const fileServer: Role = {
  id: 'file',
  title: 'File server: Samba',
  about: 'A share named tilebench over SMB on port 445, for guests without a password.',
  workloadRoles: ['file'],
  packages: ['samba'],
  needKiB: 300_000,
  files: [
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
  ],
  units: ['smbd'],
  ports: [445],
  setup: `if [ ! -d /srv/tilebench-share ]; then
  made folder /srv/tilebench-share
  install -d -o nobody -g nogroup -m 0700 /srv/tilebench-share
fi
`,
  unset: `noted folder | while read -r folder; do rm -rf "$folder"; done
`,
  verify: `testparm -s >/dev/null 2>&1 || fault broken 'Samba does not take its configuration'
`,
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
};
