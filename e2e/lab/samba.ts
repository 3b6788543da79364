import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

import { startChild } from './child.ts';
import { poll } from './poll.ts';
import { freePort } from './ports.ts';
import { processTree } from './processes.ts';

/** What smbd itself has counted since its start, by its own profile. */
interface SambaCounts {
  readBytes: number;
  writtenBytes: number;
  opened: number;
}

/** A file below a share, as it lies on the server's disk. */
interface SharedFile {
  path: string;
  bytes: number;
}

export interface LabSamba {
  readonly host: '127.0.0.1';
  readonly port: number;
  /** Who may log in, beside guests. */
  readonly user: string;
  /** The folder of the share `tilebench`, as this machine sees it. */
  readonly folder: string;
  counts(): SambaCounts;
  files(): SharedFile[];
  /** Ends the processes of the sessions that are open where they stand; gives how many there were. */
  cut(): number;
  stop(): Promise<void>;
}

/**
 * Shares: `tilebench`; `readonly`; `sealed`, which demands the encryption of SMB 3; `narrow`, whose
 * file system says that next to nothing is free, as one with a quota does.
 */
const conf = (home: string, port: number, owner: string): string => `[global]
server role = standalone server
interfaces = 127.0.0.1
bind interfaces only = yes
smb ports = ${port}
disable netbios = yes
lock directory = ${home}/lock
state directory = ${home}/state
cache directory = ${home}/cache
pid directory = ${home}/pid
private dir = ${home}/private
ncalrpc dir = ${home}/ncalrpc
load printers = no
disable spoolss = yes
server min protocol = SMB2
passdb backend = tdbsam:${home}/private/passdb.tdb
guest account = ${owner}
map to guest = Bad User
log file = ${home}/smbd.log
smbd profiling level = count
force user = ${owner}

[tilebench]
path = ${home}/share
read only = no
guest ok = yes

[readonly]
path = ${home}/share
read only = yes
guest ok = yes

[sealed]
path = ${home}/share
read only = no
smb encrypt = required

[narrow]
path = ${home}/share
read only = no
dfree command = ${home}/free
`;

function filesBelow(folder: string, from = ''): SharedFile[] {
  return readdirSync(join(folder, from), { withFileTypes: true }).flatMap((one) => {
    const path = join(from, one.name);
    if (one.isDirectory()) return filesBelow(folder, path);
    return [{ path, bytes: statSync(join(folder, path)).size }];
  });
}

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const end = (is: boolean): void => {
      socket.destroy();
      resolve(is);
    };
    socket.once('connect', () => {
      end(true);
    });
    socket.once('error', () => {
      end(false);
    });
  });

/**
 * A private Samba on loopback with one user and guests; with `diskMb` its files lie on a disk of
 * that size, which needs root and is gone with the server. Debian package samba.
 */
export async function startSamba({
  password,
  diskMb,
}: {
  password: string;
  diskMb?: number;
}): Promise<LabSamba> {
  // Its sockets need a short path.
  const home = mkdtempSync(join(tmpdir(), 'tb-smb-'));
  const user = userInfo().username;
  const port = await freePort();
  for (const name of ['lock', 'state', 'cache', 'pid', 'private', 'ncalrpc', 'share'])
    mkdirSync(join(home, name));
  const file = join(home, 'smb.conf');
  writeFileSync(file, conf(home, port, user));
  writeFileSync(join(home, 'free'), '#!/bin/sh\necho 1000 64 1024\n');
  chmodSync(join(home, 'free'), 0o755);
  execFileSync('pdbedit', ['-s', file, '-a', '-t', '-u', user], {
    input: `${password}\n${password}\n`,
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  const smbd = ['smbd', '-s', file, '-F', '-l', home];
  const server =
    diskMb === undefined
      ? startChild('smbd', smbd.slice(1), join(home, 'out.log'))
      : startChild(
          'unshare',
          [
            ...['-m', '--propagation', 'private', 'sh', '-c'],
            `mount -t tmpfs -o size=${diskMb}m tilebench "$0" && exec "$@"`,
            ...[join(home, 'share'), ...smbd],
          ],
          join(home, 'out.log'),
        );
  const end = async (): Promise<void> => {
    const tree = processTree(server.pid);
    await server.stop(20_000);
    for (const pid of tree.slice(1)) if (existsSync(`/proc/${pid}`)) process.kill(pid, 'SIGKILL');
    rmSync(home, { recursive: true, force: true });
  };
  await poll(`Samba (${home}/smbd.log)`, async () => {
    if (server.ended()) throw new Error(`smbd ended: ${server.log().slice(-400)}`);
    return answers(port);
  });
  const folder =
    diskMb === undefined ? join(home, 'share') : `/proc/${server.pid}/root${home}/share`;
  const status = (...args: string[]): string =>
    spawnSync('smbstatus', ['-s', file, ...args], { encoding: 'utf8' }).stdout;
  return {
    host: '127.0.0.1',
    port,
    user,
    folder,
    counts() {
      const said = status('-P');
      const of = (name: string): number =>
        Number(new RegExp(`^${name}:\\s*(\\d+)`, 'm').exec(said)?.[1] ?? NaN);
      return {
        readBytes: of('syscall_asys_pread_bytes') + of('syscall_pread_bytes'),
        writtenBytes: of('syscall_asys_pwrite_bytes') + of('syscall_pwrite_bytes'),
        opened: of('smb2_create_count'),
      };
    },
    files: () => filesBelow(folder),
    cut() {
      const sessions = status('-p')
        .split('\n')
        .flatMap((line) => /^(\d+)\s/.exec(line)?.[1] ?? [])
        .map(Number)
        // Never one that is not below this server.
        .filter((pid) => processTree(server.pid).includes(pid));
      for (const pid of sessions) process.kill(pid, 'SIGKILL');
      return sessions.length;
    },
    stop: end,
  };
}
