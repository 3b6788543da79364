import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** A program of the lab, and the Debian package that has it. */
interface Need {
  program: string;
  paths: readonly string[];
  debian: string;
}
const needs: readonly Need[] = [
  { program: 'sshd', paths: ['/usr/sbin/sshd'], debian: 'openssh-server' },
  { program: 'ssh-keygen', paths: ['/usr/bin/ssh-keygen'], debian: 'openssh-client' },
  {
    program: 'upsd',
    paths: ['/lib/nut/upsd', '/usr/sbin/upsd', '/usr/lib/nut/upsd'],
    debian: 'nut-server',
  },
  { program: 'upsc', paths: ['/usr/bin/upsc', '/bin/upsc'], debian: 'nut-client' },
  { program: 'mariadbd', paths: ['/usr/sbin/mariadbd'], debian: 'mariadb-server' },
  { program: 'sysbench', paths: ['/usr/bin/sysbench'], debian: 'sysbench' },
  { program: 'dbench', paths: ['/usr/bin/dbench'], debian: 'dbench' },
  { program: 'fio', paths: ['/usr/bin/fio'], debian: 'fio' },
  { program: 'iperf3', paths: ['/usr/bin/iperf3'], debian: 'iperf3' },
  { program: 'h2load', paths: ['/usr/bin/h2load'], debian: 'nghttp2-client' },
  { program: 'sockperf', paths: ['/usr/bin/sockperf'], debian: 'sockperf' },
  { program: 'wrk', paths: ['/usr/bin/wrk'], debian: 'wrk' },
  { program: 'go', paths: ['/usr/local/go/bin/go', '/usr/bin/go'], debian: 'golang-go' },
];

/** What the servers of the VMmark 2 style tile need beside it, and for what. */
const needsOfTile: readonly (Need & { load: string })[] = [
  { program: 'postfix', paths: ['/usr/sbin/postfix'], debian: 'postfix', load: 'mail' },
  { program: 'dovecot', paths: ['/usr/sbin/dovecot'], debian: 'dovecot-imapd', load: 'mail' },
  {
    program: 'dovecot-lmtpd',
    paths: ['/usr/lib/dovecot/lmtp'],
    debian: 'dovecot-lmtpd',
    load: 'mail',
  },
  { program: 'nginx', paths: ['/usr/sbin/nginx'], debian: 'nginx-light', load: 'web' },
];

/** Debian packages the lab lacks on this machine. */
export const missingPackages = (): string[] => missing(needs).map(({ debian }) => debian);

/** Those that the VMmark 2 style tile lacks beside, each with the load it is for. */
export const missingForTile = (): { debian: string; load: string }[] => missing(needsOfTile);

function missing<T extends Need>(all: readonly T[]): T[] {
  const inPath = (program: string): boolean =>
    (process.env['PATH'] ?? '').split(':').some((dir) => existsSync(`${dir}/${program}`));
  return all.filter(
    ({ program, paths }) => !inPath(program) && !paths.some((path) => existsSync(path)),
  );
}

export const installCommand = (packages: readonly string[]): string =>
  `apt-get install -y --no-install-recommends ${packages.join(' ')}`;

/** Installs what is missing. Root on Debian only; throws with the command to run otherwise. */
export function installPackages(packages: readonly string[]): void {
  if (packages.length === 0) return;
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get'))
    throw new Error(`The lab lacks programs: sudo ${installCommand(packages)}`);
  spawnSync('apt-get', ['update', '-q'], { stdio: 'ignore' });
  // Else the package makes a mail server of this machine.
  if (packages.includes('postfix'))
    spawnSync('debconf-set-selections', {
      input: 'postfix postfix/main_mailer_type select No configuration\n',
    });
  execFileSync('apt-get', ['install', '-y', '--no-install-recommends', ...packages], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
}
