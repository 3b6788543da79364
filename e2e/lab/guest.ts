import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

import { poll } from './poll.ts';
import { freePort } from './ports.ts';
import { processTree, signalAll } from './processes.ts';

const run = promisify(execFile);
const programs = ['mmdebstrap', 'slirp4netns', 'systemd-nspawn', 'unshare', 'nsenter'] as const;
const image = resolve('.cache/guest-bookworm');
/** Of slirp4netns: the guest's own address, and the name server it gives. */
export const guestAddress = '10.0.2.100';
const nameServer = '10.0.2.3';

/** Why a guest cannot be started on this machine, in one line; null = it can. */
export function guestHindrance(): string | null {
  if (process.getuid?.() !== 0) return 'a guest needs root';
  const missing = programs.filter((name) => spawnSync('which', [name]).status !== 0);
  if (missing.length > 0)
    return (
      `a guest needs ${missing.join(', ')}: apt-get install -y --no-install-recommends ` +
      'mmdebstrap slirp4netns systemd-container'
    );
  const own = spawnSync('unshare', ['-n', '-m', 'true'], { encoding: 'utf8' });
  return own.status === 0
    ? null
    : `a guest needs a network namespace of its own (CAP_SYS_ADMIN): ${own.stderr.trim()}`;
}

/** Whether the image of guests was made before: without it a start takes minutes and a mirror. */
export const guestImageIsMade = (): boolean => existsSync(image);

/** Makes the image once: Debian 12 with systemd, sshd, sudo and cloud-init. Throws where the mirror is away. */
async function makeImage(): Promise<void> {
  if (existsSync(image)) return;
  const part = `${image}.part`;
  rmSync(part, { recursive: true, force: true });
  mkdirSync(resolve('.cache'), { recursive: true });
  const packages =
    'systemd-sysv,udev,cloud-init,openssh-server,iproute2,sudo,ca-certificates,dbus,procps,netbase';
  await run(
    'mmdebstrap',
    ['--variant=minbase', '--mode=root', `--include=${packages}`, 'bookworm', part],
    { maxBuffer: 64 * 2 ** 20 },
  );
  renameSync(part, image);
}

export interface LabGuest {
  readonly host: '127.0.0.1';
  readonly port: number;
  readonly privateKeyPath: string;
  readonly hostKeySha256: string;
  /** Its root folder on this machine. */
  readonly root: string;
  /** Another port of it, as one of this machine. */
  forward(guestPort: number): Promise<number>;
  /** From now on it reaches nobody but its own network, where SSH comes from. */
  cutOff(): void;
  /** Powers it off and takes everything away. */
  stop(): Promise<void>;
}

/**
 * A Debian 12 with its own systemd, in a network namespace of its own, reached over SSH as root and
 * as user `tile` (sudo without a password) and `plain` (without sudo).
 *
 * @param userData for cloud-init; absent = cloud-init does not run
 */
export async function startGuest(options: { name: string; userData?: string }): Promise<LabGuest> {
  await makeImage();
  const dir = mkdtempSync(join(tmpdir(), 'tb-guest-'));
  const root = join(dir, 'root');
  execFileSync('cp', ['-a', image, root]);
  const keys = writeGuestFiles(root, dir, options);
  const space = spawn('unshare', ['-n', 'sh', '-c', 'ip link set lo up; exec sleep 86400'], {
    stdio: 'ignore',
  });
  const spacePid = space.pid ?? 0;
  const netOf = (pid: number | 'self'): string => readlinkSync(`/proc/${pid}/ns/net`);
  // Without this the guest would set up the network of this very machine.
  await poll('network namespace of the guest', () => netOf(spacePid) !== netOf('self'));
  const socket = join(dir, 'slirp.sock');
  const slirp = spawn(
    'slirp4netns',
    ['-c', '--mtu=65520', `--api-socket=${socket}`, String(spacePid), 'tap0'],
    { stdio: 'ignore' },
  );
  const forward = async (guestPort: number): Promise<number> => {
    const port = await freePort();
    await poll('slirp4netns', () => existsSync(socket));
    const said = await ask(socket, {
      execute: 'add_hostfwd',
      arguments: {
        proto: 'tcp',
        host_addr: '127.0.0.1',
        host_port: port,
        guest_addr: guestAddress,
        guest_port: guestPort,
      },
    });
    if (!said.includes('"id"')) throw new Error(`slirp4netns does not forward: ${said}`);
    return port;
  };
  const nspawnArgs =
    '-q --register=no --keep-unit --boot --resolv-conf=off --link-journal=no -D'.split(' ');
  if (netOf(spacePid) === netOf('self')) throw new Error('the guest has no network of its own');
  const nspawn = spawn(
    'nsenter',
    ['-t', String(spacePid), '-n', 'systemd-nspawn', ...nspawnArgs, root],
    { stdio: 'ignore' },
  );
  let ended = false;
  nspawn.once('exit', () => {
    ended = true;
  });
  const port = await forward(22);
  const privateKeyPath = resolve(dir, 'key');
  await poll('sshd of the guest', () => {
    if (ended) throw new Error('the guest ended while it started');
    return answers(port);
  });
  return {
    host: '127.0.0.1',
    port,
    privateKeyPath,
    hostKeySha256: keys.hostKeySha256,
    root,
    forward,
    cutOff() {
      // From outside: the guest itself may not change its network.
      const inSpace = ['-t', String(spacePid), '-n', 'ip', 'route'];
      execFileSync('nsenter', [...inSpace, 'del', 'default']);
      const left = execFileSync('nsenter', [...inSpace, 'show', 'default'], { encoding: 'utf8' });
      if (left !== '') throw new Error(`the guest still has a way out: ${left}`);
    },
    async stop() {
      // Its init is the child of nspawn: SIGKILL to nspawn itself would leave all of it running.
      const below = processTree(nspawn.pid ?? 0).slice(1);
      spawnSync('ssh', [
        '-i',
        privateKeyPath,
        '-p',
        String(port),
        ...'-o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o ConnectTimeout=10'.split(
          ' ',
        ),
        'root@127.0.0.1',
        'poweroff',
      ]);
      await poll('power off of the guest', () => ended, 30_000).catch(() =>
        signalAll([...below].reverse(), 'SIGKILL'),
      );
      await poll('end of the guest', () => ended);
      for (const child of [slirp, space]) child.kill('SIGKILL');
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** What makes the image one guest of its own: name, users, keys, network, seed of cloud-init. */
function writeGuestFiles(
  root: string,
  dir: string,
  { name, userData }: { name: string; userData?: string },
): { hostKeySha256: string } {
  const put = (path: string, text: string, mode = 0o644): void => {
    mkdirSync(join(root, path, '..'), { recursive: true });
    rmSync(join(root, path), { force: true });
    writeFileSync(join(root, path), text, { mode });
  };
  put('etc/hostname', `${name}\n`);
  put('etc/hosts', `127.0.0.1 localhost\n127.0.1.1 ${name}\n`);
  put('etc/resolv.conf', `nameserver ${nameServer}\n`);
  put('etc/fstab', '');
  rmSync(join(root, 'etc/systemd/system/networking.service'), { force: true });
  symlinkSync('/dev/null', join(root, 'etc/systemd/system/networking.service'));
  const publicKey = readFileSync(resolve('e2e/lab/keys/lab_ed25519.pub'), 'utf8');
  writeFileSync(join(dir, 'key'), readFileSync(resolve('e2e/lab/keys/lab_ed25519')), {
    mode: 0o600,
  });
  for (const user of ['tile', 'plain'])
    execFileSync('chroot', [root, 'useradd', '-m', '-s', '/bin/sh', user]);
  put('etc/sudoers.d/tile', 'tile ALL=(ALL) NOPASSWD: ALL\n', 0o440);
  put('root/.ssh/authorized_keys', publicKey, 0o600);
  execFileSync('chmod', ['700', join(root, 'root/.ssh')]);
  for (const user of ['tile', 'plain']) {
    put(`home/${user}/.ssh/authorized_keys`, publicKey, 0o600);
    execFileSync('chroot', [root, 'chown', '-R', `${user}:${user}`, `/home/${user}/.ssh`]);
  }
  if (userData === undefined) put('etc/cloud/cloud-init.disabled', '');
  else {
    put('etc/cloud/cloud.cfg.d/99-net.cfg', 'network: {config: disabled}\n');
    // The key that is trusted stays the one that was made before.
    put('etc/cloud/cloud.cfg.d/98-ds.cfg', 'datasource_list: [NoCloud]\nssh_deletekeys: false\n');
    put('var/lib/cloud/seed/nocloud/meta-data', `instance-id: ${name}\nlocal-hostname: ${name}\n`);
    put('var/lib/cloud/seed/nocloud/user-data', userData);
  }
  const hostKey = join(root, 'etc/ssh/ssh_host_ed25519_key');
  rmSync(hostKey, { force: true });
  rmSync(`${hostKey}.pub`, { force: true });
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', name, '-f', hostKey]);
  const print = execFileSync('ssh-keygen', ['-l', '-f', hostKey], { encoding: 'utf8' });
  return { hostKeySha256: print.split(' ')[1] ?? '' };
}

/** One question over the socket of slirp4netns. */
function ask(socket: string, question: unknown): Promise<string> {
  return new Promise((done, failed) => {
    let said = '';
    const line = connect(socket);
    line.once('error', failed);
    line.on('data', (bytes) => {
      said += bytes.toString('utf8');
    });
    line.once('close', () => done(said));
    line.end(JSON.stringify(question));
  });
}

/** Whether sshd greets there: the forwarder takes connections before it. */
function answers(port: number): Promise<boolean> {
  return new Promise((done) => {
    const line = connect({ host: '127.0.0.1', port });
    const say = (yes: boolean): void => {
      line.destroy();
      done(yes);
    };
    line.setTimeout(2_000, () => say(false));
    line.once('error', () => say(false));
    line.once('close', () => done(false));
    line.on('data', (bytes) => say(bytes.toString('latin1').startsWith('SSH-')));
  });
}
