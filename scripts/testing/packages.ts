import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/**
 * Debian packages, each with a sign that it is there: a path, `lib:` a shared library, `run:` a
 * command that succeeds.
 */
export type Packages = Readonly<Record<string, string>>;

export const browserPackages: Packages = { chromium: '/usr/bin/chromium' };

export const desktopPackages: Packages = {
  'libx11-xcb1': 'lib:libX11-xcb.so.1',
  xvfb: '/usr/bin/Xvfb',
  xauth: '/usr/bin/xauth',
  'libgtk-3-0': 'lib:libgtk-3.so.0',
  libnss3: 'lib:libnss3.so',
  libasound2: 'lib:libasound.so.2',
  libgbm1: 'lib:libgbm.so.1',
  libxss1: 'lib:libXss.so.1',
  libxtst6: 'lib:libXtst.so.6',
  'libatk-bridge2.0-0': 'lib:libatk-bridge-2.0.so.0',
  libdrm2: 'lib:libdrm.so.2',
  'libsecret-1-0': 'lib:libsecret-1.so.0',
  libnotify4: 'lib:libnotify.so.4',
  libxshmfence1: 'lib:libxshmfence.so.1',
  'python3-pip': 'run:python3 -m pip --version',
  'fonts-dejavu-core': '/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf',
  dbus: '/usr/bin/dbus-daemon',
};

/** What makes a system of its own to install on, and the installer for Windows. */
export const systemPackages: Packages = {
  mmdebstrap: '/usr/bin/mmdebstrap',
  nsis: '/usr/bin/makensis',
};

export const peerPackages: Packages = {
  'openssh-server': '/usr/sbin/sshd',
  'openssh-client': '/usr/bin/ssh-keygen',
  'nut-server': '/lib/nut/upsd',
  'nut-client': '/bin/upsc',
  'mariadb-server': '/usr/sbin/mariadbd',
  sysbench: '/usr/bin/sysbench',
  dbench: '/usr/bin/dbench',
  fio: '/usr/bin/fio',
  iperf3: '/usr/bin/iperf3',
  'nghttp2-client': '/usr/bin/h2load',
  wrk: '/usr/bin/wrk',
  sockperf: '/usr/bin/sockperf',
  faketime: '/usr/bin/faketime',
  iproute2: '/usr/sbin/ip',
  procps: '/usr/bin/ps',
  'default-jdk-headless': '/usr/bin/javac',
  openssl: '/usr/bin/openssl',
  'golang-go': 'run:go version',
  snmpd: '/usr/sbin/snmpd',
  'victoria-metrics': '/usr/bin/victoria-metrics',
  'nginx-light': '/usr/sbin/nginx',
  postfix: '/usr/sbin/postfix',
  'dovecot-imapd': '/usr/lib/dovecot/imap',
  'dovecot-lmtpd': '/usr/lib/dovecot/lmtp',
  postgresql: '/usr/lib/postgresql',
  samba: '/usr/sbin/smbd',
  'python3-pip': 'run:/usr/bin/python3 -m pip --version',
  'python3-websocket': '/usr/lib/python3/dist-packages/websocket/__init__.py',
};
/** What starts a guest: a machine with its own systemd and network, as a container. */
export const guestPackages: Packages = {
  mmdebstrap: '/usr/bin/mmdebstrap',
  slirp4netns: '/usr/bin/slirp4netns',
  'systemd-container': '/usr/bin/systemd-nspawn',
};

/**
 * Installs what is missing, on Debian as root. False with the command to run printed where that
 * cannot be.
 */
export function installMissing(wanted: Packages): boolean {
  const missing = Object.entries(wanted)
    .filter(([name, sign]) => !isPresent(name, sign))
    .map(([name]) => name);
  if (missing.length === 0) return true;
  const command = `apt-get install -y --no-install-recommends ${missing.join(' ')}`;
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
    process.stderr.write(
      `The tests need programs that are not installed. On Debian:\n  sudo ${command}\n`,
    );
    return false;
  }
  process.stdout.write(`Installing: ${missing.join(' ')}\n`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  spawnSync('apt-get', ['update', '-q'], { stdio: 'ignore', env });
  // Else its package configures a server for this machine.
  if (missing.includes('postfix'))
    spawnSync('debconf-set-selections', [], {
      input: 'postfix postfix/main_mailer_type select No configuration\n',
      stdio: ['pipe', 'ignore', 'ignore'],
      env,
    });
  const { status } = spawnSync(
    'apt-get',
    ['install', '-y', '--no-install-recommends', ...missing],
    { stdio: ['ignore', 'ignore', 'inherit'], env },
  );
  if (status !== 0) process.stderr.write(`Installing failed: ${command}\n`);
  return status === 0;
}

function isPresent(name: string, sign: string): boolean {
  if (sign.startsWith('run:')) {
    const [program = '', ...args] = sign.slice(4).split(' ');
    return spawnSync(program, args, { stdio: 'ignore' }).status === 0;
  }
  if (sign.startsWith('lib:')) return libraries().includes(sign.slice(4));
  // Paths moved between releases of Debian (/bin and /usr/bin are one).
  return (
    existsSync(sign) ||
    existsSync(sign.replace(/^\/usr/, '')) ||
    existsSync(`/usr${sign}`) ||
    spawnSync('dpkg', ['-s', name]).status === 0
  );
}

let listed: string | null = null;
function libraries(): string {
  listed ??= spawnSync('/sbin/ldconfig', ['-p'], { encoding: 'utf8' }).stdout ?? '';
  return listed;
}
