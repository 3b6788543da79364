import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { userInfo } from 'node:os';
import { join, resolve } from 'node:path';

import { startFakeClock } from './fakeClock.ts';
import { poll } from './poll.ts';
import { freePort } from './ports.ts';
import { processesWith, processTree, readProc, signalAll } from './processes.ts';
import {
  filesIn,
  fingerprintOf,
  makeHostKey,
  searchPath,
  setProgram,
  type SshdFiles,
  type SshdOptions,
  writeConfig,
  writeKeys,
  writePrograms,
} from './sshdFiles.ts';
import { createThrowAwayUser } from './throwAwayUser.ts';

const binary = '/usr/sbin/sshd';

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
  if (!existsSync(binary))
    throw new Error('sshd is missing: apt-get install -y --no-install-recommends openssh-server');
  const dir = resolve(options.dir);
  mkdirSync(dir, { recursive: true });
  // sshd refuses to start without it; only root may make it, and others do not need it.
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true });
  const throwAway = options.passwordAuth
    ? createThrowAwayUser(options.passwordAuth.password)
    : null;
  const home = throwAway?.home ?? join(dir, 'home');
  mkdirSync(home, { recursive: true });
  const { name } = options;
  const port = options.port ?? (await freePort());
  const files = filesIn(dir);
  writeKeys(files, options);
  const fakeClock = options.clockOffsetS ? await startFakeClock(options.clockOffsetS) : null;
  writePrograms(files, options);
  writeConfig(files, options, {
    port,
    passwords: throwAway !== null,
    environment: {
      PATH: searchPath(files, options),
      TILEBENCH_ROOT: home,
      // A home of its own: what the user's ~/.bashrc starts (and may wait for) is no part of the lab.
      HOME: home,
      ...fakeClock?.env,
      ...options.env,
    },
  });

  let pid = 0;
  const start = async (): Promise<void> => {
    pid = await startDaemon(name, port, files, options.ownProcesses === true);
  };
  const kill = async (): Promise<void> => {
    if (pid !== 0) await killDaemon(name, pid);
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
    name,
    host: '127.0.0.1',
    port,
    user: throwAway?.name ?? userInfo().username,
    privateKeyPath: files.privateKey,
    home,
    setProgram: (program, script) => setProgram(files, program, script),
    get hostKeySha256() {
      return fingerprintOf(files);
    },
    get pid() {
      return pid;
    },
    log: () => readFileSync(files.log, 'utf8'),
    processes: () => (pid === 0 ? [] : sessionsOf(pid)),
    kill,
    async stop() {
      await kill();
      await poll(`end of what ran on ${name}`, () => {
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
    freeze: () => signalAll(sessionsOf(pid), 'SIGSTOP'),
    thaw: () => signalAll(sessionsOf(pid), 'SIGCONT'),
    async changeHostKey() {
      await kill();
      makeHostKey(files, name);
      await start();
    },
  };
}

/** Starts sshd and waits until it takes connections; its process id. */
async function startDaemon(
  name: string,
  port: number,
  files: SshdFiles,
  ownProcesses: boolean,
): Promise<number> {
  const output = openSync(files.log, 'a');
  const own = [binary, '-D', '-e', '-f', files.config];
  const [program = binary, ...args] = ownProcesses
    ? ['unshare', '--pid', '--fork', '--mount-proc', '--kill-child', ...own]
    : own;
  const child = spawn(program, args, {
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
  await poll(`sshd ${name} on port ${port}: ${files.log}`, () => {
    if (ended)
      throw new Error(`sshd ${name} did not start: ${readFileSync(files.log, 'utf8').slice(-500)}`);
    return accepts(port);
  });
  return child.pid ?? 0;
}

async function killDaemon(name: string, pid: number): Promise<void> {
  // Stopped first, so that none forks while the others are being killed.
  const first = sessionsOf(pid);
  signalAll(first, 'SIGSTOP');
  const all = [...new Set([...first, ...sessionsOf(pid)])];
  signalAll(all, 'SIGKILL');
  await poll(`end of sshd ${name}`, () => !all.some((id) => isSshd(id)));
}

/** sshd and its sessions, by process id. */
const sessionsOf = (pid: number): number[] => processTree(pid).filter((id) => isSshd(id));

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
