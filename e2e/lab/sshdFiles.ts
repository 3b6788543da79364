import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

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
  /**
   * Processes of its own, as a machine of its own has them: its jobs look through theirs alone. As
   * root only.
   */
  ownProcesses?: boolean;
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

/** What an sshd of the lab has on disk, by path. */
export interface SshdFiles {
  readonly hostKey: string;
  /** The client's key. */
  readonly privateKey: string;
  readonly authorizedKeys: string;
  /** Folder of the programs of this client only. */
  readonly programs: string;
  readonly config: string;
  readonly log: string;
}

export const filesIn = (dir: string): SshdFiles => ({
  hostKey: join(dir, 'ssh_host_key'),
  privateKey: join(dir, 'client_key'),
  authorizedKeys: join(dir, 'authorized_keys'),
  programs: join(dir, 'programs'),
  config: join(dir, 'sshd_config'),
  log: join(dir, 'sshd.log'),
});

/** Puts the client's key, those that may log in, and the host key in their places. */
export function writeKeys(
  files: SshdFiles,
  { name, keysDir = resolve('e2e/lab/keys'), authorizedKeys = [], hostKey }: SshdOptions,
): void {
  copyFileSync(join(keysDir, 'lab_ed25519'), files.privateKey);
  chmodSync(files.privateKey, 0o600);
  writeFileSync(
    files.authorizedKeys,
    ['lab_ed25519.pub', 'locked_ed25519.pub']
      .map((key) => readFileSync(join(keysDir, key), 'utf8'))
      .concat(authorizedKeys)
      .join(''),
  );
  chmodSync(files.authorizedKeys, 0o644);
  makeHostKey(files, name, hostKey);
}

/** Replaces the host key by a given one, or by a fresh one. */
export function makeHostKey(files: SshdFiles, name: string, given?: string): void {
  const path = files.hostKey;
  rmSync(path, { force: true });
  rmSync(`${path}.pub`, { force: true });
  if (given === undefined) {
    const fresh = ['-q', '-t', 'ed25519', '-N', '', '-C', name, '-f', path];
    execFileSync('ssh-keygen', fresh);
  } else {
    copyFileSync(given, path);
    chmodSync(path, 0o600);
  }
}

/** `SHA256:…` of the host key. */
export const fingerprintOf = ({ hostKey }: SshdFiles): string =>
  execFileSync('ssh-keygen', ['-l', '-f', hostKey], { encoding: 'utf8' }).split(' ')[1] ?? '';

/** Puts a program on this client, or takes it away (null). */
export function setProgram(files: SshdFiles, name: string, script: string | null): void {
  const path = join(files.programs, name);
  rmSync(path, { force: true });
  if (script === null) return;
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
}

/** Puts the programs of the options on this client. */
export function writePrograms(
  files: SshdFiles,
  { name, programs, machinePrograms = [] }: SshdOptions,
): void {
  mkdirSync(files.programs, { recursive: true });
  // Several clients on one machine still are several machines: each has a host name of its own.
  for (const [program, script] of Object.entries({
    hostname: `[ "$1" = -I ] && echo 127.0.0.1 || echo ${name}`,
    ...programs,
  }))
    setProgram(files, program, script);
  for (const program of machinePrograms) {
    const found = execFileSync('/bin/sh', ['-c', `command -v ${program}`], { encoding: 'utf8' });
    setProgram(files, program, `exec ${found.trim()} "$@"`);
  }
}

/** Where the client's programs are looked for. */
export const searchPath = (files: SshdFiles, { machinePrograms }: SshdOptions): string =>
  machinePrograms
    ? files.programs
    : `${files.programs}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin`;

export function writeConfig(
  files: SshdFiles,
  options: SshdOptions,
  {
    port,
    passwords,
    environment,
  }: { port: number; passwords: boolean; environment: Readonly<Record<string, string>> },
): void {
  const given = (key: string, value: string | number | undefined): string[] =>
    value === undefined ? [] : [`${key} ${value}`];
  writeFileSync(
    files.config,
    [
      `Port ${port}`,
      'ListenAddress 127.0.0.1',
      `HostKey ${files.hostKey}`,
      'PidFile none',
      'UsePAM no',
      'StrictModes no',
      'UseDNS no',
      `AuthorizedKeysFile ${files.authorizedKeys}`,
      'PermitRootLogin yes',
      'KbdInteractiveAuthentication no',
      `PasswordAuthentication ${passwords ? 'yes' : 'no'}`,
      `LogLevel ${options.logLevel ?? 'VERBOSE'}`,
      'PrintMotd no',
      ...given('MaxSessions', options.maxSessions),
      ...given('HostKeyAlgorithms', options.hostKeyAlgorithms),
      ...given('PubkeyAcceptedAlgorithms', options.pubkeyAlgorithms),
      ...(options.sftp === false ? [] : ['Subsystem sftp internal-sftp']),
      // Only the first SetEnv line counts.
      `SetEnv ${Object.entries(environment)
        .map(([key, value]) => `"${key}=${value}"`)
        .join(' ')}`,
      '',
    ].join('\n'),
  );
}
