import { type AppError, fail } from '../../../src/core/base/errors.ts';
import {
  looksLikePrivateKey,
  samePeer,
  type SecretUse,
  secretUseOf,
  secretVariable,
  sourceKey,
  sourceWords,
  targetWords,
} from '../../../src/core/plan/secretUse.ts';
import type { Connection } from '../../../src/core/testbed/connection.ts';
import { withPassword } from '../../../src/core/testbed/powerSources.ts';
import type { SecretRef } from '../../../src/core/testbed/secretRef.ts';
import type { Database } from '../db/types.ts';
import type { Deps } from '../deps.ts';

/** The one way to a secret: it is only given out for the peer it was entered or allowed for. */
export interface SecretGate {
  /**
   * The secret of a connection. Throws authFailed where there is none, untrusted where it is
   * another peer's.
   */
  get(connection: Connection): Promise<string>;
  /**
   * Keeps a secret that a person typed, once, for exactly these peers, and gives the connections
   * that name it.
   */
  enter(connections: readonly Connection[], secret: string): Promise<Connection[]>;
  /**
   * Lets a connection use the file or variable that it names: a person agreed to it. A stored
   * secret is never passed on.
   */
  allow(connection: Connection): void;
  /**
   * After a person edited a connection and typed nothing: a new pin of the same peer keeps its
   * secret.
   */
  follow(before: Connection, after: Connection): void;
  /** Forgets the secret of a removed connection, unless another one uses it. */
  forget(connection: Connection): Promise<void>;
}

export function createSecretGate(
  deps: Pick<Deps, 'secrets' | 'lab' | 'ids'>,
  db: Pick<Database, 'trust' | 'connections'>,
): SecretGate {
  const usersOf = (ref: SecretRef, but: readonly string[]): Connection[] =>
    db.connections.list().filter((other) => {
      const use = secretUseOf(other);
      return !but.includes(other.id) && use !== null && sourceKey(use.ref) === sourceKey(ref);
    });

  return {
    async get(connection) {
      const use = secretUseOf(connection);
      if (use === null) throw fail('internal', `${connection.name} uses no secret.`);
      // Nothing leaves the machine of a simulated lab.
      if (deps.lab !== null) return deps.secrets.get(use.ref);
      const source = await deps.secrets.sourceOf(use.ref);
      const targets = db.trust.targets(sourceKey(source));
      if (!db.trust.isGranted(sourceKey(source), use.target)) {
        // What is not there need not be allowed: its own words tell what to do.
        if (targets.length === 0 && 'keychain' in source) await deps.secrets.get(source);
        throw refusal(connection.name, use, source, targets);
      }
      const secret = await deps.secrets.get(source);
      demandNoKey(secret, use.what, sourceWords(source));
      return secret;
    },
    async enter(connections, secret) {
      const uses = connections.map((connection) => {
        const use = secretUseOf(connection);
        if (use === null)
          throw fail('invalidInput', `${connection.name} uses no password or passphrase.`);
        demandNoKey(secret, use.what, 'what was entered');
        return use;
      });
      const targets = uses.map(({ target }) => target);
      const others = (ref: SecretRef): Connection[] =>
        usersOf(
          ref,
          connections.map(({ id }) => id),
        );
      // A file or variable is replaced by what was typed; another peer's stored secret is not
      // overwritten.
      const { ref } = uses[0]!;
      const isOurs =
        uses.every((use) => sourceKey(use.ref) === sourceKey(ref)) &&
        others(ref).every((other) =>
          targets.some((target) => samePeer(secretUseOf(other)!.target, target)),
        );
      const { id } = connections[0]!;
      const ownId =
        isOurs && 'keychain' in ref
          ? ref.keychain
          : others({ keychain: id }).length === 0
            ? id
            : deps.ids.next('secret');
      await deps.secrets.set(ownId, secret);
      db.trust.bind(sourceKey({ keychain: ownId }), targets);
      return connections.map((connection) => withRef(connection, { keychain: ownId }));
    },
    allow(connection) {
      const use = secretUseOf(connection);
      if (use === null) return;
      const source = 'keychain' in use.ref ? { env: secretVariable(use.ref.keychain) } : use.ref;
      db.trust.grant(sourceKey(source), use.target);
    },
    follow(before, after) {
      const [was, is] = [secretUseOf(before), secretUseOf(after)];
      if (!was || !is || !samePeer(was.target, is.target)) return;
      if (sourceKey(was.ref) !== sourceKey(is.ref)) return;
      const sources = [
        is.ref,
        ...('keychain' in is.ref ? [{ env: secretVariable(is.ref.keychain) }] : []),
      ].map(sourceKey);
      for (const source of sources)
        if (db.trust.isGranted(source, was.target)) db.trust.grant(source, is.target);
    },
    async forget(connection) {
      const use = secretUseOf(connection);
      if (use === null || usersOf(use.ref, [connection.id]).length > 0) return;
      db.trust.revoke(sourceKey(use.ref));
      if ('keychain' in use.ref) await deps.secrets.remove(use.ref.keychain);
    },
  };
}

/** A private key is never sent as a password, wherever it comes from. */
export function demandNoKey(secret: string, what: SecretUse['what'], where: string): void {
  if (looksLikePrivateKey(secret))
    throw fail(
      'untrusted',
      `A private key is no ${what}: ${where} holds one. It was not sent.`,
      'Choose "Key file" as the authentication, or name a file that holds the password only.',
    );
}

function withRef(connection: Connection, ref: SecretRef): Connection {
  if (connection.kind === 'vcenter') return { ...connection, password: ref };
  if (connection.kind === 'power')
    return { ...connection, source: withPassword(connection.source, ref) };
  const { auth } = connection;
  if (auth.method === 'password') return { ...connection, auth: { ...auth, password: ref } };
  if (auth.method === 'key') return { ...connection, auth: { ...auth, passphrase: ref } };
  return connection;
}

function refusal(
  name: string,
  { what, target }: SecretUse,
  source: SecretRef,
  targets: readonly SecretUse['target'][],
): AppError {
  const where = sourceWords(source);
  const other = targets.find((one) => samePeer(one, target)) ?? targets[0];
  const until = !other
    ? `${where} was never allowed for ${targetWords(target)}`
    : samePeer(other, target)
      ? `${where} is for ${targetWords(target)} with another pinned fingerprint ` +
        `(${other.pin === '' ? 'none' : other.pin}; now ` +
        `${target.pin === '' ? 'none' : target.pin})`
      : `${where} is for ${targetWords(other)}, not for ${targetWords(target)}`;
  return fail(
    'untrusted',
    `${name}: ${until}. It was not sent.`,
    'keychain' in source
      ? `Enter the ${what} again in Connections.`
      : `Enter the ${what} in Connections, or agree to it there or by importing the plan file ` +
          '(--trust on the command line).',
    { target: targetWords(target) },
  );
}
