import { fail } from '../../../src/core/base/errors.ts';
import { secretUseOf } from '../../../src/core/plan/secretUse.ts';
import type { ClientConnection, Connection } from '../../../src/core/testbed/connection.ts';
import {
  certificateOf,
  isMetered,
  vcenterOfSource,
} from '../../../src/core/testbed/powerSources.ts';
import { connectionIdsOf } from '../../../src/core/testbed/usedConnections.ts';
import type { Emit, Handlers, Output } from '../../../src/wire/contract.ts';
import type { Identity, TestReport } from '../../../src/wire/contract/connections.ts';
import type { Database } from '../db/types.ts';
import type { Deps } from '../deps.ts';
import type { SshTarget } from '../deps/ssh.ts';
import type { Peers } from './peers.ts';
import { resolveTarget } from './resolve.ts';
import { demandNoKey, type SecretGate } from './secretGate.ts';
import { noteWorked, peerOf, readWorked } from './worked.ts';

type Methods = Pick<
  Handlers,
  | 'connection.list'
  | 'connection.facts'
  | 'connection.save'
  | 'connection.saveAll'
  | 'connection.remove'
  | 'connection.identify'
  | 'connection.test'
>;

/** Users of a connection, in words, so that removing one never breaks a testbed in silence. */
function usersOf(db: Database, id: string): string[] {
  const testbeds = db.testbeds.list().filter((testbed) => connectionIdsOf(testbed).has(id));
  const jumps = db.connections
    .list()
    .filter(
      (c) =>
        (c.kind === 'client' && c.jumpId === id) ||
        (c.kind === 'power' && vcenterOfSource(c.source) === id),
    );
  return [...testbeds.map((t) => `testbed ${t.name}`), ...jumps.map((c) => `connection ${c.name}`)];
}

interface Options {
  deps: Deps;
  db: Database;
  peers: Peers;
  secrets: SecretGate;
  emit: Emit;
}

export function connectionMethods(options: Options): Methods {
  const { db, peers, secrets, emit } = options;
  return {
    'connection.list': async () => db.connections.list(),
    'connection.facts': async () => factsOf(db),
    'connection.save': (asked) => save(options, asked),
    'connection.saveAll': (asked) => saveAll(options, asked),
    'connection.remove': async ({ id }) => {
      const users = usersOf(db, id);
      if (users.length > 0)
        throw fail(
          'conflict',
          `The connection is used by ${users.join(', ')}.`,
          'Remove it there first.',
        );
      const connection = db.connections.get(id);
      if (connection) await secrets.forget(connection);
      peers.forget(id);
      db.connections.remove(id);
      emit('list.changed', { list: 'connections' });
      return {};
    },
    'connection.identify': ({ connection }, signal) => identify(options, connection, signal),
    'connection.test': async ({ connection, secret }, signal) => {
      const report = await test(options, connection, secret, signal);
      if (report.ok) {
        noteWorked(db, connection, options.deps.clock.now(), report.updateMs ?? null);
        emit('list.changed', { list: 'connections' });
      }
      return report;
    },
  };
}

async function save(
  { db, peers, secrets, emit }: Options,
  { connection, secret, allowSecret }: Parameters<Methods['connection.save']>[0],
): Promise<Connection> {
  demandNoOwnJump(connection);
  const before = db.connections.list().find((one) => one.id === connection.id);
  const named =
    secret !== undefined && secretUseOf(connection) !== null
      ? (await secrets.enter([connection], secret))[0]!
      : connection;
  const saved = db.transaction(() => {
    if (secret === undefined && before) secrets.follow(before, named);
    if (allowSecret) secrets.allow(named);
    return db.connections.save(named);
  });
  peers.forget(connection.id);
  emit('list.changed', { list: 'connections' });
  return saved;
}

async function saveAll(
  { db, peers, secrets, emit }: Options,
  { connections, secret }: Parameters<Methods['connection.saveAll']>[0],
): Promise<Connection[]> {
  connections.forEach(demandNoOwnJump);
  const before = new Map(db.connections.list().map((one) => [one.id, one]));
  const named = secret === undefined ? connections : await secrets.enter(connections, secret);
  const saved = db.transaction(() =>
    named.map((connection) => {
      const stored = before.get(connection.id);
      if (secret === undefined && stored) secrets.follow(stored, connection);
      return db.connections.save(connection);
    }),
  );
  for (const { id } of saved) peers.forget(id);
  emit('list.changed', { list: 'connections' });
  return saved;
}

function demandNoOwnJump(connection: Connection): void {
  if (connection.kind === 'client' && connection.jumpId === connection.id)
    throw fail('invalidInput', `${connection.name} cannot be its own jump host.`);
}

/** What is used where, and when each last worked with the address it has now. */
function factsOf(db: Database): Output<'connection.facts'> {
  const worked = readWorked(db);
  return Object.fromEntries(
    db.connections.list().map((connection) => {
      const last = worked[connection.id];
      return [
        connection.id,
        {
          usedBy: usersOf(db, connection.id),
          workedAtMs: last?.peer === peerOf(connection) ? last.atMs : null,
          updateMs: last?.peer === peerOf(connection) ? last.updateMs : null,
        },
      ];
    }),
  );
}

/** A client with its jump hosts, as SSH needs it. `entered`: a secret that is not stored yet. */
function targetOf(
  { deps, db, secrets }: Options,
  connection: ClientConnection,
  entered: string | undefined,
): Promise<SshTarget> {
  return resolveTarget(
    { ...deps, gate: secrets },
    (id) => db.connections.get(id),
    connection,
    entered === undefined ? undefined : { connectionId: connection.id, secret: entered },
  );
}

async function identify(
  options: Options,
  connection: Connection,
  signal: AbortSignal,
): Promise<Identity> {
  const { deps } = options;
  if (connection.kind === 'vcenter') return deps.vcenter.identify(connection, signal);
  if (connection.kind === 'client')
    return deps.ssh.identify(await targetOf(options, connection, ''), signal);
  if (certificateOf(connection.source)) return deps.power.identify(connection, signal);
  throw fail('invalidInput', 'This power source has no certificate or host key.');
}

async function test(
  options: Options,
  connection: Connection,
  secret: string | undefined,
  signal: AbortSignal,
): Promise<TestReport> {
  const { deps, secrets } = options;
  if (secret !== undefined) demandNoKey(secret, 'password', 'what was entered');
  if (connection.kind === 'vcenter')
    return deps.vcenter.test(connection, secret ?? (await secrets.get(connection)), signal);
  if (connection.kind === 'client')
    return deps.ssh.test(await targetOf(options, connection, secret), signal);
  if (isMetered(connection.source)) {
    const logsIn = secretUseOf(connection) !== null;
    const known = logsIn ? (secret ?? (await secrets.get(connection))) : null;
    return deps.power.test(connection, known, signal);
  }
  return testHostPower(options, connection.source.vcenterId, signal);
}

/** Whether hosts report their watts through vCenter, as they did in the last five minutes. */
async function testHostPower(
  { deps, peers }: Options,
  vcenterId: string,
  signal: AbortSignal,
): Promise<TestReport> {
  const session = await peers.vcenter(vcenterId, signal);
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
