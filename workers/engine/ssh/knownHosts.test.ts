import * as fc from 'fast-check';

import {
  fingerprintOf,
  hostKeyAlgorithms,
  judgeHostKey,
  untrustedError,
  withoutKeyType,
} from './hostKey.ts';
import { knownHostName, lookUpKnownHost, parseKnownHosts } from './knownHosts.ts';

const a = 'AAAAC3NzaC1lZDI1NTE5AAAAIAJDa1gig8MwvTYv86fWJls7E2BX/Qa0NWIg1+qnZTcT';
const b = 'AAAAC3NzaC1lZDI1NTE5AAAAIPs46tH5SEaIqmT87qUeW1GE2E48BaiBwPM6Y4CXZ9II';
/** As `ssh-keygen -lf` prints key a. */
const fingerprintA = 'SHA256:arr0hF4mUWQTeo4mAq+gpV72IL389js7L9a6908rfyI';
const keyA = Buffer.from(a, 'base64');
const keyB = Buffer.from(b, 'base64');
const rsaBlob = Buffer.concat([
  Buffer.from([0, 0, 0, 7]),
  Buffer.from('ssh-rsa'),
  Buffer.from([0, 0, 0, 1, 3]),
]);
const rsa = rsaBlob.toString('base64');

/** Written by `ssh-keygen -H` for hashed.example and [odd.example]:2222. */
const hashed = [
  `|1|+KcVEXx9EnQNqtumnKR4nmrkRJA=|bl9uqA4rcR4rMw6hqlI13XT3FiI= ssh-ed25519 ${a}`,
  `|1|cLwVVWSmpSZ50K5YpW3gaEbY8Ak=|Nis2d87ezf+TM45gMx6YeEo+w8k= ssh-ed25519 ${b}`,
].join('\n');

describe('known_hosts', () => {
  test.each<[string, string, string, number, Buffer, string]>([
    ['plain name', `host ssh-ed25519 ${a}`, 'host', 22, keyA, 'match'],
    ['case does not count', `Host ssh-ed25519 ${a} comment words`, 'hOST', 22, keyA, 'match'],
    ['other key of the same type', `host ssh-ed25519 ${b}`, 'host', 22, keyA, 'changed'],
    ['other key of another type', `host ssh-rsa ${rsa}`, 'host', 22, keyA, 'changed'],
    ['another host', `other ssh-ed25519 ${a}`, 'host', 22, keyA, 'unknown'],
    [
      'two keys, second right',
      `host ssh-ed25519 ${b}\nhost ssh-ed25519 ${a}`,
      'host',
      22,
      keyA,
      'match',
    ],
    ['list of names', `x,host,10.0.0.1 ssh-ed25519 ${a}`, '10.0.0.1', 22, keyA, 'match'],
    ['port in brackets', `[host]:2222 ssh-ed25519 ${a}`, 'host', 2222, keyA, 'match'],
    [
      'a plain name does not stand for another port',
      `host ssh-ed25519 ${a}`,
      'host',
      2222,
      keyA,
      'unknown',
    ],
    [
      'brackets do not stand for port 22',
      `[host]:2222 ssh-ed25519 ${a}`,
      'host',
      22,
      keyA,
      'unknown',
    ],
    ['IPv6', `[fe80::1]:2222 ssh-ed25519 ${a}`, 'FE80::1', 2222, keyA, 'match'],
    ['wildcard', `*.lab ssh-ed25519 ${a}`, 'a.b.lab', 22, keyA, 'match'],
    ['question mark', `host? ssh-ed25519 ${a}`, 'host7', 22, keyA, 'match'],
    ['question mark wants one', `host? ssh-ed25519 ${a}`, 'host', 22, keyA, 'unknown'],
    ['negation wins', `*.lab,!bad.lab ssh-ed25519 ${a}`, 'bad.lab', 22, keyA, 'unknown'],
    [
      'negation alone matches nothing',
      `!bad.lab ssh-ed25519 ${a}`,
      'good.lab',
      22,
      keyA,
      'unknown',
    ],
    ['wildcard with port', `[*.lab]:2222 ssh-ed25519 ${a}`, 'a.lab', 2222, keyA, 'match'],
    ['hashed', hashed, 'hashed.example', 22, keyA, 'match'],
    ['hashed with port', hashed, 'odd.example', 2222, keyB, 'match'],
    ['hashed and changed', hashed, 'odd.example', 2222, keyA, 'changed'],
    ['hashed for another port', hashed, 'odd.example', 22, keyB, 'unknown'],
    ['revoked', `@revoked * ssh-ed25519 ${a}`, 'host', 22, keyA, 'revoked'],
    [
      'revoked wins over known',
      `host ssh-ed25519 ${a}\n@revoked host ssh-ed25519 ${a}`,
      'host',
      22,
      keyA,
      'revoked',
    ],
    ['another key revoked', `@revoked host ssh-ed25519 ${b}`, 'host', 22, keyA, 'unknown'],
    [
      'authorities say nothing',
      `@cert-authority host ssh-ed25519 ${a}`,
      'host',
      22,
      keyA,
      'unknown',
    ],
    ['unknown marker', `@other host ssh-ed25519 ${a}`, 'host', 22, keyA, 'unknown'],
    [
      'comments, blanks, tabs, CRLF',
      `# x\n\n \thost\tssh-ed25519  ${a}\r\n`,
      'host',
      22,
      keyA,
      'match',
    ],
    ['type and key disagree', `host ssh-rsa ${a}`, 'host', 22, keyA, 'unknown'],
    [
      'torn lines',
      `host\nhost ssh-ed25519\n|1|x host y\nhost ssh-ed25519 !!!!\nhost ssh-ed25519 ${a}`,
      'host',
      22,
      keyA,
      'match',
    ],
  ])('%s', (_name, text, host, port, key, state) => {
    expect(lookUpKnownHost(parseKnownHosts(text), host, port, key).state).toBe(state);
  });

  test('no text makes it throw or hang', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 400 }),
        fc.string({ maxLength: 40 }),
        (text, host) => {
          lookUpKnownHost(parseKnownHosts(text), host, 22, keyA);
        },
      ),
    );
    const stars = `${'*a'.repeat(2_000)}b ssh-ed25519 ${a}`;
    expect(lookUpKnownHost(parseKnownHosts(stars), 'a'.repeat(2_000), 22, keyA).state).toBe(
      'unknown',
    );
  });

  test('names', () => {
    expect(knownHostName('Host', 22)).toBe('host');
    expect(knownHostName('Host', 23)).toBe('[host]:23');
  });
});

describe('judging a host key', () => {
  const hop = {
    host: 'host',
    port: 22,
    user: 'u',
    auth: { method: 'password' as const, password: 'p' },
  };
  const known = parseKnownHosts(`host ssh-ed25519 ${a}`);
  const other = fingerprintOf(keyB);

  test('fingerprints are those of ssh-keygen', () =>
    expect(fingerprintOf(keyA)).toBe(fingerprintA));

  test.each([
    [
      'pin matches',
      { ...hop, hostKeySha256: fingerprintA },
      [],
      null,
      'trusted',
      fingerprintA,
      'connection',
    ],
    [
      'pin wins over known_hosts',
      { ...hop, hostKeySha256: other },
      known,
      fingerprintA,
      'changed',
      other,
      'connection',
    ],
    ['known_hosts matches', hop, known, other, 'trusted', fingerprintA, 'known_hosts'],
    [
      'known_hosts wins over the trust store',
      hop,
      parseKnownHosts(`host ssh-ed25519 ${b}`),
      fingerprintA,
      'changed',
      other,
      'known_hosts',
    ],
    ['trust store matches', hop, [], fingerprintA, 'trusted', fingerprintA, 'trustStore'],
    ['trust store differs', hop, [], other, 'changed', other, 'trustStore'],
    ['nobody knows it', hop, [], null, 'unknown', null, null],
    [
      'revoked beats the pin',
      { ...hop, hostKeySha256: fingerprintA },
      parseKnownHosts(`@revoked host ssh-ed25519 ${a}`),
      fingerprintA,
      'revoked',
      null,
      'known_hosts',
    ],
  ] as const)('%s', (_name, from, knownHosts, stored, trust, expected, source) => {
    const verdict = judgeHostKey(keyA, from, [...knownHosts], stored);
    expect(verdict).toEqual({
      trust,
      actual: fingerprintA,
      keyType: 'ssh-ed25519',
      expected,
      source,
    });
    if (trust === 'trusted') return;
    const error = untrustedError(from, verdict);
    expect(error.kind).toBe('untrusted');
    expect(error.details).toMatchObject({ step: 'pin', actual: fingerprintA, expected });
    expect(error.message).toContain(fingerprintA);
    expect(error.hint).toMatch(/\w/);
  });

  test('algorithms of known keys come first, an RSA key as its three', () => {
    const order = hostKeyAlgorithms(parseKnownHosts(`host ssh-rsa ${rsa}`), 'host', 22);
    expect(order.slice(0, 3)).toEqual(['rsa-sha2-512', 'rsa-sha2-256', 'ssh-ed25519']);
    expect(order).toHaveLength(6);
    expect(withoutKeyType(order, 'ssh-rsa')).toHaveLength(4);
    expect(order.some((name) => name.includes('dss') || name.includes('cert'))).toBe(false);
  });

  test('`ssh-rsa`, which signs with SHA-1, is offered to a host that was allowed it, and last', () => {
    const none = parseKnownHosts('');
    expect(hostKeyAlgorithms(none, 'host', 22)).not.toContain('ssh-rsa');
    expect(hostKeyAlgorithms(none, 'host', 22, true).at(-1)).toBe('ssh-rsa');
    expect(
      withoutKeyType(hostKeyAlgorithms(none, 'host', 22, true), 'ssh-rsa').join(),
    ).not.toContain('rsa');
  });
});
