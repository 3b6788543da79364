import type { Duplex } from 'node:stream';

import type { Config, NodeSSH } from 'node-ssh';
import type { AgentAuthMethod, Client } from 'ssh2';

import type { AppError } from '../../../src/core/base/errors.ts';
import { fail } from '../../../src/core/base/errors.ts';
import type { SshHop } from '../deps/ssh.ts';
import type { Observe } from './dial.ts';
import type { HostKeyAlgorithm, HostKeyVerdict } from './hostKey.ts';
import { hostKeyAlgorithms, judgeHostKey, untrustedError, withoutKeyType } from './hostKey.ts';
import type { KnownHostEntry } from './knownHosts.ts';
import type { SshEnv } from './types.ts';
import { type Ssh2, userKeys } from './userKeys.ts';

export interface OpenHop {
  ssh: NodeSSH;
  client: Client;
  socket: Duplex;
  verdict: HostKeyVerdict;
}
type Outcome =
  | { ok: true; hop: OpenHop }
  | { ok: false; verdict: HostKeyVerdict | null; handshaken: boolean; error: Error };

/** Details key of an error that a busy sshd gives at random (MaxStartups): worth another try. */
export const droppedKey = 'dropped';

/**
 * One verified and authenticated hop. The host key is judged during the handshake, before any
 * authentication; a refused key ends the connection there. With `identifyOnly` every key is
 * refused, and the verdict is returned. Where a fingerprint is expected whose type is not known,
 * the server is asked for its other key types before the key counts as changed.
 */
export async function openHop(
  env: SshEnv,
  hop: SshHop,
  knownHosts: readonly KnownHostEntry[],
  dial: () => Promise<Duplex>,
  observe: Observe,
  identifyOnly: false,
  signal?: AbortSignal,
): Promise<OpenHop>;
export async function openHop(
  env: SshEnv,
  hop: SshHop,
  knownHosts: readonly KnownHostEntry[],
  dial: () => Promise<Duplex>,
  observe: Observe,
  identifyOnly: true,
  signal?: AbortSignal,
): Promise<HostKeyVerdict>;
export async function openHop(
  env: SshEnv,
  hop: SshHop,
  knownHosts: readonly KnownHostEntry[],
  dial: () => Promise<Duplex>,
  observe: Observe,
  identifyOnly: boolean,
  signal?: AbortSignal,
): Promise<OpenHop | HostKeyVerdict> {
  // Read with the first connection, not at the start of the program: it takes a fifth of that.
  const nodeSsh = await import('node-ssh');
  const ssh2 = await import('ssh2');
  let algorithms = hostKeyAlgorithms(knownHosts, hop.host, hop.port, hop.allowSha1);
  let firstRefused: HostKeyVerdict | null = null;
  for (;;) {
    const outcome = await handshake(
      new nodeSsh.NodeSSH(),
      ssh2.default,
      env,
      hop,
      knownHosts,
      await dial(),
      algorithms,
      observe,
      identifyOnly,
      signal,
    );
    if (outcome.ok) return outcome.hop;
    const { verdict } = outcome;
    if (verdict?.trust === 'changed' && verdict.source !== 'known_hosts') {
      firstRefused ??= verdict;
      algorithms = withoutKeyType(algorithms, verdict.keyType);
      if (algorithms.length > 0) continue;
    } else if (verdict && (identifyOnly || verdict.trust !== 'trusted')) {
      if (identifyOnly) return verdict;
      throw untrustedError(hop, verdict);
    }
    // The server has no other key type: the first key it showed is the changed one.
    if (
      firstRefused &&
      (verdict?.trust === 'changed' || /no matching host key/i.test(outcome.error.message))
    ) {
      if (identifyOnly) return firstRefused;
      throw untrustedError(hop, firstRefused);
    }
    throw explain(hop, outcome.error, outcome.handshaken);
  }
}

function handshake(
  ssh: NodeSSH,
  ssh2: Ssh2,
  env: SshEnv,
  hop: SshHop,
  knownHosts: readonly KnownHostEntry[],
  socket: Duplex,
  algorithms: HostKeyAlgorithm[],
  observe: Observe,
  identifyOnly: boolean,
  signal?: AbortSignal,
): Promise<Outcome> {
  let verdict: HostKeyVerdict | null = null;
  let handshaken = false;
  let login: Partial<Config>;
  try {
    login = credentials(ssh2, hop);
  } catch (thrown) {
    socket.destroy();
    return Promise.resolve({ ok: false, verdict, handshaken, error: asError(thrown) });
  }
  const config: Config = {
    sock: socket,
    host: hop.host,
    port: hop.port,
    username: hop.user,
    ...login,
    algorithms: { serverHostKey: algorithms },
    hostVerifier: (key: Buffer) => {
      verdict = judgeHostKey(key, hop, knownHosts, env.trust.get(hop.host, hop.port));
      return !identifyOnly && verdict.trust === 'trusted';
    },
    keepaliveInterval: env.limits.keepaliveIntervalMs,
    keepaliveCountMax: env.limits.keepaliveCount,
    readyTimeout: env.limits.connectTimeoutMs,
  };
  return new Promise<Outcome>((resolve) => {
    const started = ssh.connect(config);
    // node-ssh sets the connection before its first await; it drops its error listener once ready,
    // so one of ours must stay.
    const client = ssh.connection;
    const lost = (error: Error): void => {
      signal?.removeEventListener('abort', onAbort);
      socket.destroy();
      resolve({ ok: false, verdict, handshaken, error });
    };
    const onAbort = (): void => lost(fail('aborted', 'Connecting was cancelled.'));
    if (signal?.aborted) onAbort();
    else signal?.addEventListener('abort', onAbort, { once: true });
    client?.setMaxListeners(64);
    client?.on('error', (error) =>
      env.log.debug('SSH connection error', {
        host: hop.host,
        port: hop.port,
        error: error.message,
      }),
    );
    client?.once('handshake', (negotiated) => {
      handshaken = true;
      observe('tls', hop, `${negotiated.kex}, ${negotiated.cs.cipher}`);
      if (verdict)
        observe(
          'pin',
          hop,
          `${verdict.keyType} ${verdict.actual}, ` +
            (verdict.source === 'connection'
              ? 'trusted on the connection'
              : verdict.source === 'known_hosts'
                ? 'in known_hosts'
                : 'in the trust store'),
        );
    });
    started.then(
      () => {
        signal?.removeEventListener('abort', onAbort);
        if (!client || !verdict) {
          lost(new Error('Connected without a host key'));
          return;
        }
        observe('authentication', hop, `${hop.user} by ${hop.auth.method}`);
        resolve({ ok: true, hop: { ssh, client, socket, verdict } });
      },
      (thrown: unknown) => lost(asError(thrown)),
    );
  });
}

/** Only the method that was chosen is tried; the others would count as failures at the server. */
function credentials(ssh2: Ssh2, hop: SshHop): Partial<Config> {
  const { auth, user: username } = hop;
  if (auth.method !== 'password') {
    const method: AgentAuthMethod = { type: 'agent', username, agent: userKeys(ssh2, hop, auth) };
    return { authHandler: [method] };
  }
  return {
    password: auth.password,
    authHandler: ['password', 'keyboard-interactive'],
    tryKeyboard: true,
    // PAM asks for the same password this way. Anything else it asks cannot be answered here.
    onKeyboardInteractive: (_name, _instructions, _language, prompts, finish) =>
      finish(prompts.length === 1 && prompts[0]?.echo === false ? [auth.password] : []),
  };
}

/**
 * By shape, not by instanceof: a socket's error belongs to another realm inside jest, and its
 * `level` must stay.
 */
function asError(thrown: unknown): Error {
  return typeof thrown === 'object' && thrown !== null && 'message' in thrown
    ? (thrown as Error)
    : new Error(String(thrown));
}

/** ssh2's words as an AppError with the step that failed. */
function explain(hop: SshHop, error: Error, handshaken: boolean): AppError {
  if ('kind' in error && error.name === 'AppError') return error as AppError;
  const level = 'level' in error ? error.level : undefined;
  const where = `${hop.host}:${hop.port}`;
  const facts = { host: hop.host, port: hop.port, method: hop.auth.method };
  const text = error.message;
  if (/Cannot parse privateKey|does not contain a \(valid\) private key/.test(text)) {
    const locked = /passphrase|integrity|decrypt/i.test(text);
    return fail(
      'authFailed',
      `The private key for ${hop.user}@${where} cannot be read: ${text.replace('Cannot parse privateKey: ', '')}.`,
      locked
        ? 'Enter the passphrase of the key.'
        : 'Choose a private key in OpenSSH or PEM format.',
      { step: 'authentication', ...facts },
    );
  }
  if (
    level === 'client-authentication' ||
    level === 'agent' ||
    /Too many authentication failures/.test(text)
  ) {
    const hints = {
      key: `Add the public key to ~/.ssh/authorized_keys of ${hop.user} on that machine, or choose another key.`,
      agent: 'Check with "ssh-add -l" that the agent runs and holds the key.',
      password:
        'Correct the user or password, and check that sshd allows password logins for this user.',
    };
    return fail(
      'authFailed',
      `${where} refused ${hop.user} by ${hop.auth.method}${/All configured/.test(text) ? '' : ` (${text})`}.`,
      hints[hop.auth.method],
      { step: 'authentication', ...facts },
    );
  }
  if (handshaken)
    return fail(
      'unreachable',
      `${where} ended the connection during authentication: ${text}.`,
      'Look into the log of sshd on that machine.',
      { step: 'authentication', ...facts },
    );
  const dropped = /Connection lost before handshake|ECONNRESET|EPIPE|No response from server/.test(
    text,
  );
  const sha1Only = !hop.allowSha1 && /no matching host key/i.test(text);
  const hint = dropped
    ? 'Check that sshd answers there (MaxStartups, hosts.deny, fail2ban).'
    : sha1Only
      ? 'The server may only sign with SHA-1 (ssh-rsa). Update its sshd, or allow SHA-1 for ' +
        'this host on the connection.'
      : /no matching/i.test(text)
        ? 'The server and this program share no algorithm; update sshd.'
        : 'Check that the port belongs to sshd.';
  return fail(
    'unreachable',
    `The SSH handshake with ${where} failed: ${text.replace(/^Handshake failed: /, '')}.`,
    hint,
    { step: 'tls', ...facts, [droppedKey]: dropped },
  );
}
