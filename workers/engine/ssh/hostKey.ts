import { createHash } from 'node:crypto';

import type { AppError } from '../../../src/core/base/errors.ts';
import { fail } from '../../../src/core/base/errors.ts';
import type { SshHop } from '../deps/ssh.ts';
import type { KnownHostEntry } from './knownHosts.ts';
import { knownKeyTypes, lookUpKnownHost, typeOfKey } from './knownHosts.ts';

/** `SHA256:<base64 without padding>`, as ssh-keygen prints it. */
export function fingerprintOf(key: Buffer): string {
  return `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`;
}

export interface HostKeyVerdict {
  trust: 'trusted' | 'unknown' | 'changed' | 'revoked';
  actual: string;
  keyType: string;
  expected: string | null;
  /** Who knew the expected key. */
  source: 'connection' | 'known_hosts' | 'trustStore' | null;
}

/**
 * Pinned on the connection, else known_hosts, else the app's trust store. A revoked key is never
 * trusted.
 */
export function judgeHostKey(
  key: Buffer,
  hop: SshHop,
  knownHosts: readonly KnownHostEntry[],
  trusted: string | null,
): HostKeyVerdict {
  const base = { actual: fingerprintOf(key), keyType: typeOfKey(key) };
  const known = lookUpKnownHost(knownHosts, hop.host, hop.port, key);
  if (known.state === 'revoked')
    return { ...base, trust: 'revoked', expected: null, source: 'known_hosts' };
  if (hop.hostKeySha256)
    return {
      ...base,
      trust: hop.hostKeySha256 === base.actual ? 'trusted' : 'changed',
      expected: hop.hostKeySha256,
      source: 'connection',
    };
  if (known.state === 'match')
    return { ...base, trust: 'trusted', expected: base.actual, source: 'known_hosts' };
  if (known.state === 'changed' && known.expectedKey)
    return {
      ...base,
      trust: 'changed',
      expected: fingerprintOf(known.expectedKey),
      source: 'known_hosts',
    };
  if (trusted !== null)
    return {
      ...base,
      trust: trusted === base.actual ? 'trusted' : 'changed',
      expected: trusted,
      source: 'trustStore',
    };
  return { ...base, trust: 'unknown', expected: null, source: null };
}

/** Algorithms in ssh2's own order; an RSA key serves three of them. */
const defaultOrder = [
  'ssh-ed25519',
  'ecdsa-sha2-nistp256',
  'ecdsa-sha2-nistp384',
  'ecdsa-sha2-nistp521',
  'rsa-sha2-512',
  'rsa-sha2-256',
  'ssh-rsa',
] as const;
export type HostKeyAlgorithm = (typeof defaultOrder)[number];
const keyTypeOf = (algorithm: HostKeyAlgorithm): string =>
  algorithm.startsWith('rsa-') ? 'ssh-rsa' : algorithm;

/**
 * `ssh-rsa` signs with SHA-1, whose collisions can be bought (RFC 9142): only where the connection asks for it.
 */
const sha1: ReadonlySet<HostKeyAlgorithm> = new Set(['ssh-rsa']);

/**
 * Algorithms to offer, those whose key is in known_hosts first, so that a server with several keys
 * shows the known one.
 */
export function hostKeyAlgorithms(
  knownHosts: readonly KnownHostEntry[],
  host: string,
  port: number,
  allowSha1 = false,
): HostKeyAlgorithm[] {
  const known = knownKeyTypes(knownHosts, host, port);
  const offered = defaultOrder.filter((a) => allowSha1 || !sha1.has(a));
  return [
    ...offered.filter((a) => known.includes(keyTypeOf(a))),
    ...offered.filter((a) => !known.includes(keyTypeOf(a))),
  ];
}

/** The algorithms left when keys of this type have been seen. */
export const withoutKeyType = (
  algorithms: readonly HostKeyAlgorithm[],
  keyType: string,
): HostKeyAlgorithm[] => algorithms.filter((a) => keyTypeOf(a) !== keyType);

/** Why a key was refused, with both fingerprints and what to do. */
export function untrustedError(hop: SshHop, verdict: HostKeyVerdict): AppError {
  const where = `${hop.host}:${hop.port}`;
  const details = {
    step: 'pin',
    host: hop.host,
    port: hop.port,
    keyType: verdict.keyType,
    actual: verdict.actual,
    expected: verdict.expected,
  };
  if (verdict.trust === 'revoked') {
    return fail(
      'untrusted',
      `The host key of ${where} is marked as revoked in known_hosts: ${verdict.actual}.`,
      'Do not connect. Ask who runs that machine for its new key.',
      details,
    );
  }
  if (verdict.trust === 'changed') {
    const place =
      verdict.source === 'connection'
        ? 'the connection'
        : verdict.source === 'known_hosts'
          ? 'known_hosts'
          : 'the trust store';
    const repair =
      verdict.source === 'known_hosts'
        ? `run "ssh-keygen -R ${hop.port === 22 ? hop.host : `[${hop.host}]:${hop.port}`}" or ` +
          'trust the new key on the connection'
        : 'trust the new key on the connection';
    return fail(
      'untrusted',
      `The host key of ${where} has changed: ${verdict.actual}, expected ${verdict.expected} (${place}).`,
      'Somebody may be in between, or the machine was installed anew. Compare with ' +
        `"ssh-keygen -lf" run on that machine; if it is right, ${repair}.`,
      details,
    );
  }
  return fail(
    'untrusted',
    `The host key of ${where} is not known: ${verdict.keyType} ${verdict.actual}.`,
    'Compare the fingerprint with "ssh-keygen -lf /etc/ssh/ssh_host_*_key.pub" run on that ' +
      'machine, then trust it on the connection.',
    details,
  );
}
