import type { Role } from '../types.ts';

export const web: Role = {
  id: 'web',
  title: 'Web server: nginx',
  about: 'A page and a file of 1 MiB on port 80, for the driver tilekit with one page.',
  workloadRoles: ['web'],
  packages: ['nginx-light'],
  needKiB: 100_000,
  files: [
    {
      path: '/etc/nginx/conf.d/tilebench.conf',
      how: 'whole',
      mode: '0644',
      // The default of 1,000 requests closes connections in mid-test, which looks like latency.
      text:
        'keepalive_requests 100000;\n\nserver {\n  listen 80 default_server backlog=4096;\n  ' +
        'root /srv/tilebench-web;\n  access_log off;\n}\n',
    },
    { path: '/etc/nginx/sites-enabled/default', how: 'whole', text: '' },
    {
      path: '/srv/tilebench-web/index.html',
      how: 'whole',
      mode: '0644',
      text: '<!doctype html>\n<title>Tilebench</title>\n<p>This machine is prepared as a web server.</p>\n',
    },
  ],
  units: ['nginx'],
  ports: [80],
  setup: `[ -s /srv/tilebench-web/1m.bin ] || { made file /srv/tilebench-web/1m.bin; head -c 1048576 /dev/urandom >/srv/tilebench-web/1m.bin; }
`,
  unset: `noted file | while read -r file; do rm -f "$file"; done
`,
  verify: `page=$(bash -c 'exec 3<>/dev/tcp/127.0.0.1/80; printf "GET / HTTP/1.0\\r\\n\\r\\n" >&3; cat <&3')
case $page in *'200 OK'*'prepared as a web server'*) ;; *) fault broken 'nginx does not give the page' ;; esac
`,
  leaves: {
    paths: ['/etc/nginx', '/var/lib/nginx', '/var/log/nginx', '/srv/tilebench-web', '/var/www'],
    accounts: [],
  },
  warnings: [],
};
