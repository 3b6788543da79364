import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { looksLikePrivateKey } from '../../../src/core/plan/secretUse.ts';

/** A second way to a secret would know nothing of whom it is for. */
test('the secret store is asked in one place only', () => {
  const engine = resolve('workers/engine');
  const asking = readdirSync(engine, { recursive: true, encoding: 'utf8' }).filter(
    (name) =>
      /\.ts$/.test(name) &&
      !/test\.ts$|testing\//.test(name) &&
      /deps\.secrets\.(get|set|remove|sourceOf)\b|\{[^}]*\bsecrets\b[^}]*\} = deps/.test(
        readFileSync(join(engine, name), 'utf8'),
      ),
  );
  expect(asking).toEqual(['connections/secretGate.ts']);
});

test.each([
  ['OpenSSH', '-----BEGIN OPENSSH PRIVATE KEY-----\nb3Bl'],
  ['RSA', '\n-----BEGIN RSA PRIVATE KEY-----\nMIIE'],
  ['PKCS#8, locked', '-----BEGIN ENCRYPTED PRIVATE KEY-----'],
  ['EC behind its parameters', '-----BEGIN EC PARAMETERS-----\nx\n-----BEGIN EC PRIVATE KEY-----'],
  ['PGP', '-----BEGIN PGP PRIVATE KEY BLOCK-----'],
  ['PuTTY', 'PuTTY-User-Key-File-3: ssh-ed25519'],
  ['SSH.com', '---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----'],
  ['SSH 1', 'SSH PRIVATE KEY FILE FORMAT 1.1\n'],
  ['age', '# created\nAGE-SECRET-KEY-1QQ'],
])('a private key is known: %s', (_, text) => expect(looksLikePrivateKey(text)).toBe(true));

test.each(['hunter2', '-----BEGIN CERTIFICATE-----', 'PRIVATE KEY', 'ssh-ed25519 AAAA me@here'])(
  'no private key: %s',
  (text) => expect(looksLikePrivateKey(text)).toBe(false),
);
