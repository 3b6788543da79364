import { fail } from '../../../src/core/base/errors.ts';
import type { ClientConnection } from '../../../src/core/testbed/connection.ts';
import type { Secrets } from '../deps.ts';
import type { SshTarget } from '../deps/ssh.ts';
import { createHarness, type Harness } from '../testing/engineHarness.ts';

const clientOf = (n: number, change: Partial<ClientConnection> = {}): ClientConnection => ({
  kind: 'client',
  id: `shared${n}`,
  name: `client${n}`,
  host: `10.0.0.${n}`,
  port: 22,
  user: 'bench',
  auth: { method: 'password', password: { keychain: `shared${n}` } },
  ...change,
});

let stored: Map<string, string>;
let sent: { to: string; secret: string }[];
let harness: Harness;
beforeEach(async () => {
  stored = new Map();
  sent = [];
  const secrets: Secrets = {
    kind: 'session',
    sourceOf: async (ref) => ref,
    async get(ref) {
      const value = 'keychain' in ref ? stored.get(ref.keychain) : undefined;
      if (value === undefined) throw fail('authFailed', 'There is no such secret.');
      return value;
    },
    set: async (id, value) => {
      stored.set(id, value);
    },
    remove: async (id) => {
      stored.delete(id);
    },
  };
  harness = await createHarness({
    deps: {
      secrets,
      ssh: {
        identify: async () => {
          throw fail('unreachable', 'Not asked here.');
        },
        test: async ({ hops }: SshTarget) => {
          const last = hops.at(-1)!;
          if (last.auth.method === 'password')
            sent.push({ to: `${last.user}@${last.host}:${last.port}`, secret: last.auth.password });
          return { ok: true, steps: [] };
        },
        host: () => {
          throw fail('unreachable', 'Not asked here.');
        },
      },
    },
  });
});
afterEach(() => harness.close());

const saveThree = () =>
  harness.call('connection.saveAll', {
    connections: [1, 2, 3].map((n) => clientOf(n)),
    secret: 'one for all',
  });
const test1 = (connection: ClientConnection) => harness.call('connection.test', { connection });

test('a secret of several clients is stored once and sent to each of them', async () => {
  const saved = await saveThree();
  expect([...stored.values()]).toEqual(['one for all']);
  for (const connection of saved) await test1(connection as ClientConnection);
  expect(sent).toEqual(
    [1, 2, 3].map((n) => ({ to: `bench@10.0.0.${n}:22`, secret: 'one for all' })),
  );
});

test.each<[string, Partial<ClientConnection>]>([
  ['another host', { host: '10.0.0.66' }],
  ['another port', { port: 2_222 }],
  ['another user', { user: 'root' }],
  ['another host key', { hostKeySha256: `SHA256:${'A'.repeat(43)}` }],
])('it goes nowhere else: %s', async (_, change) => {
  const first = (await saveThree())[0] as ClientConnection;
  const forged = { ...first, ...change, id: 'forged' };
  await harness.call('connection.saveAll', { connections: [forged] });
  await expect(test1(forged)).rejects.toMatchObject({
    kind: 'untrusted',
    message: expect.stringContaining('It was not sent.') as string,
  });
  expect(sent).toEqual([]);
});

test('one of them with a secret of its own leaves the others theirs', async () => {
  const saved = (await saveThree()) as ClientConnection[];
  const alone = (await harness.call('connection.save', {
    connection: saved[1]!,
    secret: 'mine alone',
  })) as ClientConnection;
  for (const connection of [saved[0]!, alone, saved[2]!]) await test1(connection);
  expect(sent.map(({ secret }) => secret)).toEqual(['one for all', 'mine alone', 'one for all']);
});

test('it is kept until the last of them is gone', async () => {
  const saved = await saveThree();
  for (const { id } of saved.slice(0, 2)) await harness.call('connection.remove', { id });
  expect(stored.size).toBe(1);
  await harness.call('connection.remove', { id: saved[2]!.id });
  expect(stored.size).toBe(0);
});

test('all are kept or none', async () => {
  const before = await harness.call('connection.list', {});
  await expect(
    harness.call('connection.saveAll', {
      connections: [clientOf(1), clientOf(2, { jumpId: 'shared2' })],
    }),
  ).rejects.toThrow('client2 cannot be its own jump host.');
  expect(await harness.call('connection.list', {})).toEqual(before);
});

test('when it last worked is kept, and is not said of another address', async () => {
  const [saved] = (await saveThree()) as ClientConnection[];
  const worked = async () => (await harness.call('connection.facts', {}))['shared1']?.workedAtMs;
  expect(await worked()).toBeNull();
  await test1(saved!);
  expect(await worked()).toEqual(expect.any(Number));
  await harness.call('connection.save', { connection: { ...saved!, host: '10.0.0.9' } });
  expect(await worked()).toBeNull();
});
