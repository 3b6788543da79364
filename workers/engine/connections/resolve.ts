import { fail } from '../../../src/core/base/errors.ts';
import type { ClientConnection, Connection } from '../../../src/core/testbed/connection.ts';
import type { Deps } from '../deps.ts';
import type { ResolvedAuth, SshHop, SshTarget } from '../deps/ssh.ts';
import type { SecretGate } from './secretGate.ts';

type ResolveDeps = Pick<Deps, 'readTextFile' | 'env'> & { gate: Pick<SecretGate, 'get'> };
export type FindConnection = (id: string) => Connection | null;

/** A secret typed for a test that is not stored yet. */
export interface TypedSecret {
  connectionId: string;
  secret: string;
}

/**
 * A client connection with its jump chain and secrets resolved, first hop first. Throws notFound
 * for a missing jump host, invalidInput for a circle, authFailed for a missing secret, untrusted
 * for one that is another peer's.
 */
export async function resolveTarget(
  deps: ResolveDeps,
  find: FindConnection,
  client: ClientConnection,
  typed?: TypedSecret,
): Promise<SshTarget> {
  const chain = jumpChain(find, client);
  const hops = await Promise.all(
    chain.map(async (hop): Promise<SshHop> => ({
      host: hop.host,
      port: hop.port,
      user: hop.user,
      auth: await resolveAuth(deps, hop, typed?.connectionId === hop.id ? typed.secret : undefined),
      ...(hop.hostKeySha256 ? { hostKeySha256: hop.hostKeySha256 } : {}),
      ...(hop.allowSha1 ? { allowSha1: true } : {}),
    })),
  );
  return { id: client.id, name: client.name, hops };
}

function jumpChain(find: FindConnection, client: ClientConnection): ClientConnection[] {
  const chain = [client];
  for (let jumpId = client.jumpId; jumpId !== undefined;) {
    const jump = find(jumpId);
    if (jump?.kind !== 'client')
      throw fail(
        'notFound',
        `The jump host of ${chain[0]!.name} does not exist.`,
        'Choose another jump host in Connections.',
      );
    if (chain.some((hop) => hop.id === jump.id))
      throw fail(
        'invalidInput',
        `The jump hosts of ${client.name} go in a circle at ${jump.name}.`,
        'Remove one jump host of the circle in Connections.',
      );
    chain.unshift(jump);
    jumpId = jump.jumpId;
  }
  return chain;
}

async function resolveAuth(
  deps: ResolveDeps,
  client: ClientConnection,
  typed: string | undefined,
): Promise<ResolvedAuth> {
  const { auth } = client;
  switch (auth.method) {
    case 'agent': {
      const socket = deps.env['SSH_AUTH_SOCK'];
      if (!socket)
        throw fail(
          'authFailed',
          'No SSH agent found.',
          'Start an agent and set SSH_AUTH_SOCK, or choose a key file.',
        );
      return { method: 'agent', socket };
    }
    case 'password':
      return { method: 'password', password: typed ?? (await deps.gate.get(client)) };
    case 'key': {
      const passphrase = typed ?? (auth.passphrase ? await deps.gate.get(client) : undefined);
      return {
        method: 'key',
        privateKey: await deps.readTextFile(auth.path),
        ...(passphrase ? { passphrase } : {}),
      };
    }
  }
}
