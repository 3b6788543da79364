import { fail } from '../../../src/core/base/errors.ts';
import { secretUseOf } from '../../../src/core/plan/secretUse.ts';
import { isMetered } from '../../../src/core/testbed/powerSources.ts';
import type { Connection } from '../../../src/core/testbed/testbed.ts';
import type { Emit, Handlers } from '../../../src/wire/contract.ts';
import type { Identity, TestReport } from '../../../src/wire/contract/connections.ts';
import type { Database } from '../db/types.ts';
import type { Deps } from '../deps.ts';
import type { Peers } from './peers.ts';
import { resolveTarget } from './resolve.ts';
import { demandNoKey, type SecretGate } from './secretGate.ts';

type Methods = Pick<
  Handlers,
  | 'connection.list'
  | 'connection.save'
  | 'connection.remove'
  | 'connection.identify'
  | 'connection.test'
>;

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

export function connectionMethods(options: {
  deps: Deps;
  db: Database;
  peers: Peers;
  secrets: SecretGate;
  emit: Emit;
}): Methods {
  const { deps, db, peers, secrets, emit } = options;
  const resolving = { ...deps, gate: secrets };
  const find = (id: string): Connection | null => db.connections.get(id);

  async function identify(connection: Connection, signal: AbortSignal): Promise<Identity> {
    if (connection.kind === 'vcenter') return deps.vcenter.identify(connection, signal);
    if (connection.kind === 'client')
      return deps.ssh.identify(
        await resolveTarget(resolving, find, connection, {
          connectionId: connection.id,
          secret: '',
        }),
        signal,
      );
    throw fail('invalidInput', 'A power source has no certificate or host key.');
  }

  async function test(
    connection: Connection,
    secret: string | undefined,
    signal: AbortSignal,
  ): Promise<TestReport> {
    if (secret !== undefined) demandNoKey(secret, 'password', 'what was entered');
    if (connection.kind === 'vcenter')
      return deps.vcenter.test(connection, secret ?? (await secrets.get(connection)), signal);
    if (connection.kind === 'client')
      return deps.ssh.test(
        await resolveTarget(
          resolving,
          find,
          connection,
          secret === undefined ? undefined : { connectionId: connection.id, secret },
        ),
        signal,
      );
    if (isMetered(connection.source)) return deps.power.test(connection, signal);
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
                fix:
                  'Hosts report watts only where their hardware has a supported power sensor; ' +
                  'use another power source.',
              }),
        },
      ],
    };
  }

  return {
    'connection.list': async () => db.connections.list(),
    'connection.save': async ({ connection, secret, allowSecret }) => {
      if (connection.kind === 'client' && connection.jumpId === connection.id)
        throw fail('invalidInput', `${connection.name} cannot be its own jump host.`);
      const before = db.connections.list().find((one) => one.id === connection.id);
      const named =
        secret !== undefined && secretUseOf(connection) !== null
          ? await secrets.enter(connection, secret)
          : connection;
      const saved = db.transaction(() => {
        if (secret === undefined && before) secrets.follow(before, named);
        if (allowSecret) secrets.allow(named);
        return db.connections.save(named);
      });
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
      if (connection) await secrets.forget(connection);
      peers.forget(id);
      db.connections.remove(id);
      emit('list.changed', { list: 'connections' });
      return {};
    },
    'connection.identify': ({ connection }, signal) => identify(connection, signal),
    'connection.test': ({ connection, secret }, signal) => test(connection, secret, signal),
  };
}
