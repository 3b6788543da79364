import type { Role, RoleFile } from '../types.ts';

const page: RoleFile = {
  path: '/srv/tilebench-web/index.html',
  how: 'whole',
  mode: '0644',
  text: '<!doctype html>\n<title>Tilebench</title>\n<p>This machine is prepared as a web server.</p>\n',
};
const setup = `[ -s /srv/tilebench-web/1m.bin ] || { made file /srv/tilebench-web/1m.bin; head -c 1048576 /dev/urandom >/srv/tilebench-web/1m.bin; }
`;
const unset = `noted file | while read -r file; do rm -f "$file"; done
`;
const verify = `page=$(bash -c 'exec 3<>/dev/tcp/127.0.0.1/80; printf "GET / HTTP/1.0\\r\\n\\r\\n" >&3; cat <&3')
case $page in *'200 OK'*'prepared as a web server'*) ;; *) fault broken 'nginx does not give the page' ;; esac
`;

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
    page,
  ],
  units: ['nginx'],
  ports: [80],
  setup,
  unset,
  verify,
  leaves: {
    paths: ['/etc/nginx', '/var/lib/nginx', '/var/log/nginx', '/srv/tilebench-web', '/var/www'],
    accounts: [],
  },
  warnings: [],
  redHat: {
    packages: ['nginx'],
    files: [
      {
        path: '/etc/nginx/nginx.conf',
        how: 'whole',
        mode: '0644',
        // Its own file has a server on port 80 in it, the default one in release 8.
        text: `user nginx;
worker_processes auto;
error_log /var/log/nginx/error.log;
pid /run/nginx.pid;
events {
  worker_connections 1024;
}
http {
  include /etc/nginx/mime.types;
  default_type application/octet-stream;
  sendfile on;
  keepalive_requests 100000;
  server {
    listen 80 default_server backlog=4096;
    root /srv/tilebench-web;
    access_log off;
  }
}
`,
      },
      page,
    ],
    units: ['nginx'],
    setup: `${setup}label httpd_sys_content_t /srv/tilebench-web\n`,
    unset,
    verify,
    leaves: {
      paths: ['/etc/nginx', '/var/lib/nginx', '/var/log/nginx', '/srv/tilebench-web'],
      accounts: ['nginx'],
    },
  },
};
