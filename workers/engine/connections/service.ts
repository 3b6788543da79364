import type { Emit, Handlers, Identity, TestReport } from '../../../src/shared/contract.ts';
import { fail } from '../../../src/shared/errors.ts';
import type { Connection } from '../../../src/shared/testbed.ts';
import type { Database } from '../db/types.ts';
import type { Deps } from '../deps.ts';
import type { Peers } from './peers.ts';
import { resolveTarget } from './resolve.ts';

type Methods = Pick<
  Handlers,
  | 'connection.list'
  | 'connection.save'
  | 'connection.remove'
  | 'connection.identify'
  | 'connection.test'
>;

/** The secret a connection keeps in the host's store, if any. */
function keychainId(connection: Connection): string | null {
  const ref =
    connection.kind === 'vcenter'
      ? connection.password
      : connection.kind === 'client' && connection.auth.method === 'password'
        ? connection.auth.password
        : connection.kind === 'client' && connection.auth.method === 'key'
          ? connection.auth.passphrase
          : undefined;
  return ref && 'keychain' in ref ? ref.keychain : null;
}

/** Users of a connection, in words, so that removing one never breaks a testbed in silence. */
function usersOf(db: Database, id: string): string[] {
  const testbeds = db.testbeds
    .list()
    .filter(
      (t) =>
        t.vcenterId === id ||
        t.powerIds.includes(id) ||
        t.tiles.some((tile) => tile.workloads.some((w) => w.clientId === id)),
    );
  const jumps = db.connections
    .list()
    .filter(
      (c) =>
        (c.kind === 'client' && c.jumpId === id) ||
        (c.kind === 'power' && c.source.type === 'vcenter' && c.source.vcenterId === id),
    );
  return [...testbeds.map((t) => `testbed ${t.name}`), ...jumps.map((c) => `connection ${c.name}`)];
}

export function connectionMethods(deps: Deps, db: Database, peers: Peers, emit: Emit): Methods {
  const find = (id: string): Connection | null => db.connections.get(id);

  async function identify(connection: Connection, signal: AbortSignal): Promise<Identity> {
    if (connection.kind === 'vcenter') return deps.vcenter.identify(connection, signal);
    if (connection.kind === 'client')
      return deps.ssh.identify(
        await resolveTarget(deps, find, connection, { connectionId: connection.id, secret: '' }),
        signal,
      );
    throw fail('invalidInput', 'A power source has no certificate or host key.');
  }

  async function test(
    connection: Connection,
    secret: string | undefined,
    signal: AbortSignal,
  ): Promise<TestReport> {
    if (connection.kind === 'vcenter')
      return deps.vcenter.test(
        connection,
        secret ?? (await deps.secrets.get(connection.password)),
        signal,
      );
    if (connection.kind === 'client')
      return deps.ssh.test(
        await resolveTarget(
          deps,
          find,
          connection,
          secret === undefined ? undefined : { connectionId: connection.id, secret },
        ),
        signal,
      );
    if (connection.source.type === 'nut') return deps.power.test(connection, signal);
    const session = await peers.vcenter(connection.source.vcenterId, signal);
    const { hosts } = await session.inventory(signal);
    const series = await session.perf(
      hosts.map((h) => ({ kind: 'host' as const, ref: h.ref })),
      deps.clock.now() - 300_000,
      signal,
    );
    const answering = series.filter(
      (s) => s.metric === 'powerW' && s.points.some((p) => p.value > 0),
    ).length;
    return {
      ok: answering > 0,
      steps: [
        {
          step: 'permission',
          ok: answering > 0,
          detail: `${answering} of ${hosts.length} hosts report power through vCenter.`,
          ...(answering > 0
            ? {}
            : {
                fix: 'Hosts report watts only where their hardware has a supported power sensor; use another power source.',
              }),
        },
      ],
    };
  }

  return {
    'connection.list': async () => db.connections.list(),
    'connection.save': async ({ connection, secret }) => {
      const id = keychainId(connection);
      if (secret !== undefined && id !== null) await deps.secrets.set(id, secret);
      if (connection.kind === 'client' && connection.jumpId === connection.id)
        throw fail('invalidInput', `${connection.name} cannot be its own jump host.`);
      const saved = db.connections.save(connection);
      peers.forget(connection.id);
      emit('list.changed', { list: 'connections' });
      return saved;
    },
    'connection.remove': async ({ id }) => {
      const users = usersOf(db, id);
      if (users.length > 0)
        throw fail(
          'conflict',
          `The connection is used by ${users.join(', ')}.`,
          'Remove it there first.',
        );
      const connection = find(id);
      const secretId = connection && keychainId(connection);
      if (secretId) await deps.secrets.remove(secretId);
      peers.forget(id);
      db.connections.remove(id);
      emit('list.changed', { list: 'connections' });
      return {};
    },
    'connection.identify': ({ connection }, signal) => identify(connection, signal),
    'connection.test': ({ connection, secret }, signal) => test(connection, secret, signal),
  };
}
