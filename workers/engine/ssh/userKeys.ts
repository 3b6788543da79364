import type * as Ssh2Module from 'ssh2';
import type { BaseAgent, IdentityCallback, ParsedKey, SignCallback } from 'ssh2';

import type { AppError } from '../../../src/core/base/errors.ts';
import { fail } from '../../../src/core/base/errors.ts';
import type { ResolvedAuth, SshHop } from '../deps/ssh.ts';

export type Ssh2 = typeof Ssh2Module;
type KeyAuth = Extract<ResolvedAuth, { method: 'key' | 'agent' }>;

interface Keys {
  identities(done: IdentityCallback<ParsedKey>): void;
  sign(key: ParsedKey, data: Buffer, hash: Hash | undefined, done: SignCallback): void;
}
type Hash = 'sha1' | 'sha256' | 'sha512';

/** As ssh2 says it, so that a key that cannot be read is explained in one place. */
function parsed(ssh2: Ssh2, { privateKey, passphrase }: KeyAuth & { method: 'key' }): ParsedKey {
  // A file of OpenSSH's own format may hold several keys; there is no program that writes more than
  // one.
  const [key] = [ssh2.utils.parseKey(privateKey, passphrase)].flat();
  if (key instanceof Error) throw new Error(`Cannot parse privateKey: ${key.message}`);
  if (!key?.isPrivateKey())
    throw new Error('privateKey value does not contain a (valid) private key');
  return key;
}

function keysOf(ssh2: Ssh2, auth: KeyAuth): Keys {
  if (auth.method === 'key') {
    const key = parsed(ssh2, auth);
    return {
      identities: (done) => done(null, [key]),
      sign: (_key, data, hash, done) => {
        const signed: Buffer | Error = key.sign(data, hash);
        if (Buffer.isBuffer(signed)) done(null, signed);
        else done(signed);
      },
    };
  }
  const agent = ssh2.createAgent(auth.socket) as BaseAgent<ParsedKey>;
  return {
    identities: (done) => agent.getIdentities(done),
    sign: (key, data, hash, done) => agent.sign(key, data, hash ? { hash } : {}, done),
  };
}

/** RSA keys sign with what is asked, SHA-1 where nothing is; DSA keys know no other. */
const signsWithSha1 = ({ type }: ParsedKey, hash: Hash | undefined): boolean =>
  type === 'ssh-dss' || (type === 'ssh-rsa' && (hash === undefined || hash === 'sha1'));

const sha1Refused = (hop: SshHop, { type }: ParsedKey): AppError =>
  fail(
    'authFailed',
    `${hop.host}:${hop.port} takes the ${type === 'ssh-dss' ? 'DSA' : 'RSA'} key of ` +
      `${hop.user} only with a SHA-1 signature (${type}). Nothing was signed.`,
    'Log in with an Ed25519 or ECDSA key, update sshd on that machine, or allow SHA-1 for this host on the connection.',
    { step: 'authentication', host: hop.host, port: hop.port, method: hop.auth.method },
  );

/**
 * The keys of a login, as ssh2 asks for them. ssh2 signs with SHA-1 for an RSA key wherever the
 * server does not name rsa-sha2 (RFC 8332) among what it takes; here that is refused unless the
 * host is allowed it. Keys that may need SHA-1 come last, so that another one, where the agent has
 * it, is tried before the refusal.
 */
export function userKeys(ssh2: Ssh2, hop: SshHop, auth: KeyAuth): BaseAgent<ParsedKey> {
  const keys = keysOf(ssh2, auth);
  const isLast = (key: ParsedKey): number => Number(signsWithSha1(key, undefined));
  // ssh2 takes nothing but a class derived from its own.
  return new (class extends ssh2.BaseAgent<ParsedKey> {
    getIdentities(done: IdentityCallback<ParsedKey>): void {
      keys.identities((error, found) => {
        const list = (found ?? []).flatMap((one) => ('type' in one ? [one] : []));
        done(
          error,
          list.sort((a, b) => isLast(a) - isLast(b)),
        );
      });
    }
    sign(
      key: ParsedKey,
      data: Buffer,
      options: { hash?: Hash } | SignCallback,
      done?: SignCallback,
    ): void {
      const [hash, answer] =
        typeof options === 'function' ? [undefined, options] : [options.hash, done];
      if (answer === undefined) return;
      if (hop.allowSha1 !== true && signsWithSha1(key, hash)) answer(sha1Refused(hop, key));
      else keys.sign(key, data, hash, answer);
    }
  })();
}
