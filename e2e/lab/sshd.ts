import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { userInfo } from 'node:os';
import { join, resolve } from 'node:path';

import { startFakeClock } from './fakeClock.ts';
import { poll } from './poll.ts';
import { freePort } from './ports.ts';
import { processesWith, processTree, readProc, signalAll } from './processes.ts';
import { createThrowAwayUser } from './throwAwayUser.ts';

export interface SshdOptions {
  name: string;
  /** Everything this sshd writes is below it. */
  dir: string;
  /** Default: a free one. */
  port?: number;
  /** Folder of the static test keys; default e2e/lab/keys below the working directory. */
  keysDir?: string;
  /** Private host key to use; default a fresh one. */
  hostKey?: string;
  /** Also accept this password, for a user that exists as long as this sshd (root only). */
  passwordAuth?: { password: string };
  /**
   * The client's clock is off by this many seconds, in every program that runs there (Debian
   * package faketime).
   */
  clockOffsetS?: number;
  /** More environment of the client's programs. */
  env?: Readonly<Record<string, string>>;
  /**
   * Programs found on this client in front of those of the machine, by name: /bin/sh scripts.
   * `hostname` is one unless given: it says `name`.
   */
  programs?: Readonly<Record<string, string>>;
  /** Only these programs of the machine are found besides; default all. */
  machinePrograms?: readonly string[];
  maxSessions?: number;
  /** Host key algorithms it offers, as sshd_config has them; default those of sshd. */
  hostKeyAlgorithms?: string;
  /**
   * Signature algorithms of users' keys it takes, as sshd_config has them; default those of sshd.
   */
  pubkeyAlgorithms?: string;
  /** Further public keys that may log in. */
  authorizedKeys?: readonly string[];
  /** Default VERBOSE; DEBUG1 shows each authentication request. */
  logLevel?: string;
  sftp?: boolean;
}

export interface LabSshd {
  readonly name: string;
  readonly host: '127.0.0.1';
  readonly port: number;
  readonly user: string;
  readonly privateKeyPath: string;
  readonly hostKeySha256: string;
  readonly pid: number;
  /** Where this client keeps its jobs: `<home>/.tilebench`. */
  readonly home: string;
  /** Puts a program on this client, or takes it away (null). */
  setProgram(name: string, script: string | null): void;
  log(): string;
  /** Process ids of sshd and its sessions; not of detached jobs. */
  processes(): number[];
  /** As `kill`, then ends what its sessions left behind. */
  stop(): Promise<void>;
  /** SIGKILL to sshd and every session process; detached jobs run on. */
  kill(): Promise<void>;
  /** Kills where needed and starts again on the same port with the same host key. */
  restart(): Promise<void>;
  /** The whole sshd hangs (SIGSTOP) and goes on (SIGCONT). */
  freeze(): void;
  thaw(): void;
  /** A new host key, and a restart. */
  changeHostKey(): Promise<void>;
}

/** A private OpenSSH sshd on loopback. Throws with what is missing where it cannot start. */
export async function startSshd(options: SshdOptions): Promise<LabSshd> {
  const binary = '/usr/sbin/sshd';
  if (!existsSync(binary))
    throw new Error('sshd is missing: apt-get install -y --no-install-recommends openssh-server');
  const keysDir = options.keysDir ?? resolve('e2e/lab/keys');
  const dir = resolve(options.dir);
  mkdirSync(dir, { recursive: true });
  // sshd refuses to start without it; only root may make it, and others do not need it.
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true });
  const throwAway = options.passwordAuth
    ? createThrowAwayUser(options.passwordAuth.password)
    : null;
  const home = throwAway?.home ?? join(dir, 'home');
  mkdirSync(home, { recursive: true });
  const port = options.port ?? (await freePort());
  const hostKeyPath = join(dir, 'ssh_host_key');
  const privateKeyPath = join(dir, 'client_key');
  copyFileSync(join(keysDir, 'lab_ed25519'), privateKeyPath);
  chmodSync(privateKeyPath, 0o600);
  writeFileSync(
    join(dir, 'authorized_keys'),
    ['lab_ed25519.pub', 'locked_ed25519.pub']
      .map((name) => readFileSync(join(keysDir, name), 'utf8'))
      .concat(options.authorizedKeys ?? [])
      .join(''),
  );
  chmodSync(join(dir, 'authorized_keys'), 0o644);

  const makeHostKey = (given?: string): void => {
    rmSync(hostKeyPath, { force: true });
    rmSync(`${hostKeyPath}.pub`, { force: true });
    if (given === undefined)
      execFileSync('ssh-keygen', [
        '-q',
        '-t',
        'ed25519',
        '-N',
        '',
        '-C',
        options.name,
        '-f',
        hostKeyPath,
      ]);
    else {
      copyFileSync(given, hostKeyPath);
      chmodSync(hostKeyPath, 0o600);
    }
  };
  makeHostKey(options.hostKey);
  const fingerprint = (): string =>
    execFileSync('ssh-keygen', ['-l', '-f', hostKeyPath], { encoding: 'utf8' }).split(' ')[1] ?? '';
  const fakeClock = options.clockOffsetS ? await startFakeClock(options.clockOffsetS) : null;
  // A home of its own: what the user's ~/.bashrc starts (and may wait for) is no part of the lab.
  const programDir = join(dir, 'programs');
  mkdirSync(programDir, { recursive: true });
  const setProgram: LabSshd['setProgram'] = (name, script) => {
    const path = join(programDir, name);
    rmSync(path, { force: true });
    if (script !== null) {
      writeFileSync(path, `#!/bin/sh\n${script}\n`);
      chmodSync(path, 0o755);
    }
  };
  // Several clients on one machine still are several machines: each has a host name of its own.
  for (const [name, script] of Object.entries({
    hostname: `[ "$1" = -I ] && echo 127.0.0.1 || echo ${options.name}`,
    ...options.programs,
  }))
    setProgram(name, script);
  for (const name of options.machinePrograms ?? [])
    setProgram(
      name,
      `exec ${execFileSync('/bin/sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim()} "$@"`,
    );
  const path = options.machinePrograms
    ? programDir
    : `${programDir}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin`;
  const environment = {
    PATH: path,
    TILEBENCH_ROOT: home,
    HOME: home,
    ...fakeClock?.env,
    ...options.env,
  };
  const logPath = join(dir, 'sshd.log');
  const configPath = join(dir, 'sshd_config');
  writeFileSync(
    configPath,
    [
      `Port ${port}`,
      'ListenAddress 127.0.0.1',
      `HostKey ${hostKeyPath}`,
      'PidFile none',
      'UsePAM no',
      'StrictModes no',
      'UseDNS no',
      `AuthorizedKeysFile ${join(dir, 'authorized_keys')}`,
      'PermitRootLogin yes',
      'KbdInteractiveAuthentication no',
      `PasswordAuthentication ${throwAway ? 'yes' : 'no'}`,
      `LogLevel ${options.logLevel ?? 'VERBOSE'}`,
      'PrintMotd no',
      ...(options.maxSessions === undefined ? [] : [`MaxSessions ${options.maxSessions}`]),
      ...(options.hostKeyAlgorithms === undefined
        ? []
        : [`HostKeyAlgorithms ${options.hostKeyAlgorithms}`]),
      ...(options.pubkeyAlgorithms === undefined
        ? []
        : [`PubkeyAcceptedAlgorithms ${options.pubkeyAlgorithms}`]),
      ...(options.sftp === false ? [] : ['Subsystem sftp internal-sftp']),
      // Only the first SetEnv line counts.
      `SetEnv ${Object.entries(environment)
        .map(([key, value]) => `"${key}=${value}"`)
        .join(' ')}`,
      '',
    ].join('\n'),
  );

  let pid = 0;
  const start = async (): Promise<void> => {
    const output = openSync(logPath, 'a');
    const child = spawn(binary, ['-D', '-e', '-f', configPath], {
      stdio: ['ignore', output, output],
      env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin' },
    });
    closeSync(output);
    let ended = false;
    child.once('error', () => {
      ended = true;
    });
    child.once('exit', () => {
      ended = true;
    });
    child.unref();
    await poll(`sshd ${options.name} on port ${port}: ${logPath}`, () => {
      if (ended)
        throw new Error(
          `sshd ${options.name} did not start: ${readFileSync(logPath, 'utf8').slice(-500)}`,
        );
      return accepts(port);
    });
    pid = child.pid ?? 0;
  };
  const sessions = (): number[] => processTree(pid).filter((id) => isSshd(id));
  const kill = async (): Promise<void> => {
    if (pid === 0) return;
    // Stopped first, so that none forks while the others are being killed.
    const first = sessions();
    signalAll(first, 'SIGSTOP');
    const all = [...new Set([...first, ...sessions()])];
    signalAll(all, 'SIGKILL');
    await poll(`end of sshd ${options.name}`, () => !all.some((id) => isSshd(id)));
    pid = 0;
  };
  const release = async (): Promise<void> => {
    throwAway?.remove();
    await fakeClock?.stop();
  };
  await start().catch(async (thrown: unknown) => {
    await release();
    throw thrown;
  });

  return {
    name: options.name,
    host: '127.0.0.1',
    port,
    user: throwAway?.name ?? userInfo().username,
    privateKeyPath,
    home,
    setProgram,
    get hostKeySha256() {
      return fingerprint();
    },
    get pid() {
      return pid;
    },
    log: () => readFileSync(logPath, 'utf8'),
    processes: () => (pid === 0 ? [] : sessions()),
    kill,
    async stop() {
      await kill();
      await poll(`end of what ran on ${options.name}`, () => {
        const left = processesWith('TILEBENCH_ROOT', home);
        signalAll(left, 'SIGKILL');
        return left.length === 0;
      });
      await release();
    },
    async restart() {
      await kill();
      await start();
    },
    freeze: () => signalAll(sessions(), 'SIGSTOP'),
    thaw: () => signalAll(sessions(), 'SIGCONT'),
    async changeHostKey() {
      await kill();
      makeHostKey();
      await start();
    },
  };
}

function isSshd(pid: number): boolean {
  return /^\d+ \(sshd\) [^ZX]/.test(readProc(`/proc/${pid}/stat`));
}

function accepts(port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect({ host: '127.0.0.1', port });
    socket.once('connect', () => {
      socket.destroy();
      done(true);
    });
    socket.once('error', () => {
      socket.destroy();
      done(false);
    });
  });
}
