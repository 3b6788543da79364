import type { Connection } from '../testbed/connection.ts';
import { loginOfSource } from '../testbed/powerSources.ts';
import type { SecretRef } from '../testbed/secretRef.ts';

/** Whom a secret is shown to: an edit of any of these makes it another peer, or may. */
export interface SecretTarget {
  host: string;
  port: number;
  user: string;
  /** Pinned fingerprint; '' = the peer is verified otherwise. */
  pin: string;
}

/** The secret a connection sends, or unlocks its key with. */
export interface SecretUse {
  what: 'password' | 'passphrase';
  ref: SecretRef;
  target: SecretTarget;
}

/** Names are compared as DNS does. */
const nameOf = (host: string): string => host.toLowerCase().replace(/\.$/, '');

/** The peer a connection logs in to; null where nobody logs in. */
export function targetOf(connection: Connection): SecretTarget | null {
  if (connection.kind === 'power') {
    const login = loginOfSource(connection.source);
    if (login === null) return null;
    const { host, port, user, pin } = login;
    return { host: nameOf(host), port, user, pin };
  }
  return {
    host: nameOf(connection.host),
    port: connection.port,
    user: connection.user,
    pin:
      (connection.kind === 'vcenter' ? connection.fingerprint256 : connection.hostKeySha256) ?? '',
  };
}

/** What a connection needs of the secret store, a file or a variable; null = nothing. */
export function secretUseOf(connection: Connection): SecretUse | null {
  const target = targetOf(connection);
  if (target === null) return null;
  if (connection.kind === 'power') {
    const login = loginOfSource(connection.source);
    return login && { what: 'password', ref: login.secret, target };
  }
  if (connection.kind === 'vcenter') return { what: 'password', ref: connection.password, target };
  const { auth } = connection;
  if (auth.method === 'password') return { what: 'password', ref: auth.password, target };
  if (auth.method === 'key' && auth.passphrase)
    return { what: 'passphrase', ref: auth.passphrase, target };
  return null;
}

/** Where a secret lies, as one word: what a grant names. */
export const sourceKey = (ref: SecretRef): string =>
  'env' in ref ? `env:${ref.env}` : 'file' in ref ? `file:${ref.file}` : `keychain:${ref.keychain}`;

/** Where a secret lies, for people. */
export const sourceWords = (ref: SecretRef): string =>
  'env' in ref
    ? `the variable ${ref.env}`
    : 'file' in ref
      ? `the file ${ref.file}`
      : `the secret stored for ${ref.keychain}`;

/** `user@host:port`. */
export const targetWords = ({ host, port, user }: SecretTarget): string =>
  `${user}@${host}:${port}`;

/**
 * Name of the environment variable that stands in for a keychain entry where there is none:
 * `TILEBENCH_SECRET_VC1` for `vc1`.
 */
export function secretVariable(id: string): string {
  return `TILEBENCH_SECRET_${id.toUpperCase().replace(/[^A-Z0-9]+/g, '_')}`;
}

/** The same host, port and user: the peer a person entered the secret for, whatever is pinned. */
export const samePeer = (a: SecretTarget, b: SecretTarget): boolean =>
  a.host === b.host && a.port === b.port && a.user === b.user;

const privateKeyMarks = [
  /-----BEGIN [A-Z0-9 ]*PRIVATE KEY( BLOCK)?-----/,
  /---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----/,
  /^PuTTY-User-Key-File-\d/m,
  /^SSH PRIVATE KEY FILE FORMAT/,
  /^AGE-SECRET-KEY-1/m,
];

/** PEM, OpenSSH, SSH.com, PuTTY, PGP and age keys: never a password, whatever names them as one. */
export const looksLikePrivateKey = (text: string): boolean =>
  privateKeyMarks.some((mark) => mark.test(text));
