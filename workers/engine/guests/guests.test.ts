import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { fail } from '../../../src/core/base/errors.ts';
import { bundleHeadName, bundleIndexName, indexStanza } from '../../../src/core/roles/bundle.ts';
import type { GuestJob } from '../../../src/core/roles/job.ts';
import { testbedSchema } from '../../../src/core/testbed/testbed.ts';
import { openDatabase } from '../db/open.ts';
import type { Database } from '../db/types.ts';
import { silentLog } from '../deps.ts';
import type { SentFile } from '../deps/ssh.ts';
import { demandStill } from '../testbeds/still.ts';
import { testProfile } from '../testing/engineHarness.ts';
import { createFakeClock, type FakeClock } from '../testing/fakeClock.ts';
import { createFakeLab } from '../testing/fakeLab.ts';
import { writeTar } from './bundle/tar.ts';
import { createGuestService, type GuestService } from './service.ts';

const signal = new AbortController().signal;
let dir: string;
let clock: FakeClock;
let db: Database;
let service: GuestService;
/** What a machine says to a script, by the connection's id. */
let answer: (id: string, script: string) => Promise<string>;
/** Files that were sent. */
let put: { id: string; sha256: string }[];
/** Connection and command of each step that was sent. */
let sent: { id: string; command: string; script: string }[];

const client = (id: string, host: string) =>
  ({
    kind: 'client',
    id,
    name: `login ${id}`,
    host,
    port: 22,
    user: 'root',
    auth: { method: 'agent' },
  }) as const;

function startService(): GuestService {
  return createGuestService({
    deps: {
      clock,
      log: silentLog,
      lab: null,
      dataDir: dir,
      ids: { next: (prefix) => `${prefix}-1` },
    },
    db,
    peers: {
      client: async (id) =>
        ({
          exec: async (command: string, { stdin = '' }: { stdin?: string } = {}) => {
            sent.push({ id, command, script: stdin });
            return { code: 0, stdout: await answer(id, stdin), stderr: '' };
          },
          putFile: async ({ sha256 }: SentFile) => {
            put.push({ id, sha256 });
            return `/home/${sha256}`;
          },
          dropFiles: async () => undefined,
        }) as never,
    },
    emit: () => undefined,
    profile: () => testProfile,
  });
}

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'tb-guests-'));
  clock = createFakeClock();
  sent = [];
  put = [];
  answer = async () => 'TB1 done well';
  db = openDatabase({ dataDir: dir, clock, log: silentLog, powerSafe: false });
  const lab = createFakeLab(clock);
  db.inventories.save({
    ...lab.inventory,
    vms: lab.inventory.vms.map((vm, i) => ({ ...vm, ip: `10.0.0.${i + 1}` })),
  });
  for (const one of [client('g0', '10.0.0.1'), client('g1', 'g1.test'), client('c1', 'c1.test')])
    db.connections.save(one);
  db.testbeds.save(
    testbedSchema.parse({
      id: 'tb',
      name: 'Bed',
      profileId: 'test-tile',
      vcenterId: lab.inventory.vcenterId,
      tiles: [
        {
          index: 0,
          workloads: ['java', 'batch'].map((workloadId, i) => ({
            workloadId,
            clientId: 'c1',
            vm: { ref: lab.inventory.vms[i]!.ref, name: lab.inventory.vms[i]!.name },
          })),
        },
      ],
    }),
  );
  service = startService();
});
afterEach(() => {
  service.close();
  db.close();
  rmSync(dir, { recursive: true, force: true });
});

const both = [
  { key: '0/java', roleId: 'web', connectionId: 'g0' },
  { key: '0/batch', roleId: 'mail', connectionId: 'g1' },
];
const start = (purpose: 'prepare' | 'undo' = 'prepare', choices = both): Promise<GuestJob> =>
  service.methods['guest.start'](
    { testbedId: 'tb', purpose, choices, settings: { mirror: '', bundle: '' } },
    signal,
  );
/** A bundle that a shelf takes: one package of the web server, that none would install. */
async function takeBundle(): Promise<string> {
  const path = join(dir, 'web.tar');
  const text = 'no package';
  const sha256 = createHash('sha256').update(text).digest('hex');
  const file = 'nginx-light_1_all.deb';
  const control = 'Package: nginx-light\nArchitecture: all';
  const head = {
    tilebenchBundle: 1,
    release: 'debian-12',
    architecture: 'amd64',
    roles: ['web'],
    madeAtMs: 0,
  };
  await writeTar(path, [
    { name: bundleHeadName, text: JSON.stringify(head) },
    { name: bundleIndexName, text: indexStanza(control, { file, bytes: text.length, sha256 }) },
    { name: file, text },
  ]);
  return (await service.methods['guest.takeBundle']({ path }, signal)).sha256;
}
const startFrom = (bundle: string, choices = both): Promise<GuestJob> =>
  service.methods['guest.start'](
    { testbedId: 'tb', purpose: 'prepare', choices, settings: { mirror: '', bundle } },
    signal,
  );
const act = (verb: 'cancel' | 'retry'): Promise<GuestJob> =>
  service.methods[`guest.${verb}`]({ testbedId: 'tb' }, signal);
const plan = () => service.methods['guest.plan']({ testbedId: 'tb' }, signal);
const stored = (): GuestJob => db.guestJobs.get('tb')!;
const ended = (): Promise<void> =>
  clock.advanceUntil(() => !['running', 'cancelling'].includes(stored().state), 3_600_000);
const states = () => stored().items.map(({ state }) => state);

test('a plan proposes role and login, and what was chosen and prepared comes back', async () => {
  const { items } = await plan();
  expect(items.map(({ roleId, connectionId, address }) => [roleId, connectionId, address])).toEqual(
    [
      ['java', 'g0', '10.0.0.1'],
      ['java', null, '10.0.0.2'],
    ],
  );
  await start();
  await ended();
  expect((await plan()).items.map((one) => [one.roleId, one.connectionId, one.preparedAs])).toEqual(
    [
      ['web', 'g0', 'web'],
      ['mail', 'g1', 'mail'],
    ],
  );
  await start('undo');
  await ended();
  expect((await plan()).items.map((one) => one.preparedAs)).toEqual([null, null]);
});

test('each step goes in order by one fixed command, with its script on standard input', async () => {
  await start();
  await ended();
  expect([stored().state, states()]).toEqual(['done', ['done', 'done']]);
  expect(new Set(sent.map(({ command }) => command)).size).toBe(1);
  expect(sent[0]!.command).not.toContain('tilebench-users');
  expect(stored().items[1]!.steps.map(({ id, state, note }) => [id, state, note])).toEqual(
    ['look', 'packages', 'files', 'units', 'data', 'verify'].map((id) => [id, 'done', 'well']),
  );
});

test('a bundle goes to a machine that lacks packages, once, and only there', async () => {
  const bundle = await takeBundle();
  answer = async (id, script) =>
    id === 'g0' && script.includes('say want bundle') && !script.includes('\nBUNDLE=')
      ? 'TB1 want bundle'
      : 'TB1 already so';
  const web = both.map((one) => ({ ...one, roleId: 'web' }));
  await startFrom(bundle, web);
  await expect(service.methods['guest.dropBundle']({ sha256: bundle }, signal)).rejects.toThrow(
    'being prepared from this bundle',
  );
  await ended();
  expect([stored().state, put]).toEqual(['done', [{ id: 'g0', sha256: bundle }]]);
  const given = sent.filter(({ script }) => script.includes('\nBUNDLE='));
  expect(given.map(({ id, script }) => [id, script.split('\n').slice(0, 2)])).toEqual([
    ['g0', [`BUNDLE_FOR='debian-12 amd64' BUNDLE_SHA=${bundle}`, `BUNDLE='/home/${bundle}'`]],
  ]);
});

test('a bundle without a role, one that is not here, and one that is gone by then are told', async () => {
  const bundle = await takeBundle();
  await expect(startFrom(bundle)).rejects.toThrow('The bundle has no packages for Mail server');
  await expect(startFrom('a'.repeat(64))).rejects.toThrow('is not on this computer');
  expect(sent).toEqual([]);
  answer = async () => 'TB1 fault apt update';
  await startFrom(bundle, [both[0]!]);
  await ended();
  rmSync(join(dir, 'guest-bundles'), { recursive: true });
  await act('retry');
  await ended();
  expect(stored().items[0]!.error?.message).toBe(
    'The bundle of packages is gone from this computer.',
  );
});

test('a machine that fails says why and stops no other; only it is done again', async () => {
  answer = async (id, script) =>
    id === 'g1' && script.includes('apt-get') ? 'TB1 fault apt update' : 'TB1 already so';
  await start();
  await ended();
  expect([stored().state, states()]).toEqual(['failed', ['done', 'failed']]);
  expect(stored().items[1]!.error?.message).toContain('package manager failed');
  expect(
    stored()
      .items[1]!.steps.map(({ state }) => state)
      .slice(0, 3),
  ).toEqual(['already', 'failed', 'waiting']);
  answer = async () => 'TB1 done well';
  sent = [];
  await act('retry');
  await ended();
  expect([stored().state, new Set(sent.map(({ id }) => id))]).toEqual(['done', new Set(['g1'])]);
  await expect(act('retry')).rejects.toThrow('Nothing failed');
});

test('steps after the first are for the kind of system that the first one found', async () => {
  answer = async (id) =>
    id === 'g0' ? 'TB1 family redhat\nTB1 done Rocky' : 'TB1 family debian\nTB1 done Debian';
  await start();
  await ended();
  const installs = (id: string, program: string): boolean =>
    sent.some((one) => one.id === id && one.script.includes(`${program} -y`));
  expect([installs('g0', 'dnf'), installs('g1', 'dnf')]).toEqual([true, false]);
  sent = [];
  await start('undo');
  await ended();
  expect(sent.some(({ id, script }) => id === 'g0' && script.includes('rpm -e'))).toBe(true);
  expect(sent.some(({ id, script }) => id === 'g1' && script.includes('rpm -e'))).toBe(false);
});

test('a clock that is hours off is told with the first look, one that is seconds off is not', async () => {
  answer = async (id) =>
    `TB1 clock ${Math.floor(clock.now() / 1_000) - (id === 'g0' ? 7_200 : 20)}\nTB1 done Debian`;
  await start();
  await ended();
  expect(stored().items.map(({ steps }) => steps[0]!.note)).toEqual([
    expect.stringMatching(/^Debian; its clock is 2\D.* behind that of this computer$/),
    'Debian',
  ]);
});

test('a login that leads to another machine is found before anything is changed', async () => {
  answer = async (id) => (id === 'g0' ? 'TB1 addresses 10.0.0.77\nTB1 done x' : 'TB1 done x');
  await start();
  await ended();
  expect(states()).toEqual(['failed', 'done']);
  expect(stored().items[0]!.error?.message).toBe(
    'The login login g0 leads to another machine: it has 10.0.0.77, the VM has 10.0.0.1.',
  );
  expect(sent.filter(({ id }) => id === 'g0')).toHaveLength(1);
});

test('a lost connection takes the step up again; a machine that was never there fails at once', async () => {
  let lost = 0;
  answer = async (id, script) => {
    if (id === 'g0' && script.includes('apt-get') && (lost += 1) < 3)
      throw fail('unreachable', 'The connection was lost.');
    if (id === 'g1') throw fail('authFailed', 'The key was refused.', 'Choose another key.');
    return 'TB1 done x';
  };
  await start();
  await ended();
  expect([lost, states()]).toEqual([3, ['done', 'failed']]);
  expect(stored().items[1]!.error).toEqual({
    message: 'The key was refused.',
    hint: 'Choose another key.',
  });
});

test('cancel lets a step under way end and begins no further one', async () => {
  let release = (): void => undefined;
  answer = () =>
    new Promise((done) => {
      const before = release;
      release = () => {
        before();
        done('TB1 done x');
      };
    });
  await start();
  await clock.advanceUntil(() => sent.length === 2, 60_000);
  await expect(start()).rejects.toThrow('are being prepared');
  expect((await act('cancel')).state).toBe('cancelling');
  release();
  await ended();
  expect([stored().state, states(), sent.length]).toEqual([
    'cancelled',
    ['cancelled', 'cancelled'],
    2,
  ]);
});

test('the next engine goes on with what an engine left', async () => {
  answer = () => new Promise(() => undefined);
  await start();
  await clock.advanceUntil(() => sent.length === 2, 60_000);
  service.close();
  answer = async () => 'TB1 already x';
  service = startService();
  service.recover();
  await ended();
  expect([stored().state, states()]).toEqual(['done', ['done', 'done']]);
});

test.each([
  ['a load client', [{ key: '0/java', roleId: 'web', connectionId: 'c1' }], 'generates load'],
  [
    'an unknown role',
    [{ key: '0/java', roleId: 'nothing', connectionId: 'g0' }],
    'no role nothing',
  ],
  ['an unknown login', [{ key: '0/java', roleId: 'web', connectionId: 'x' }], 'does not exist'],
  ['an unknown place', [{ key: '9/java', roleId: 'web', connectionId: 'g0' }], 'no workload'],
  ['one login twice', [both[0]!, { ...both[1]!, connectionId: 'g0' }], 'chosen twice'],
])('%s is refused, and nothing is sent', async (_what, choices, words) => {
  await expect(start('prepare', choices)).rejects.toThrow(words);
  expect(sent).toEqual([]);
});

test('while its guests are prepared a testbed is not run, restored or removed; afterwards it is', async () => {
  let open = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  answer = async () => {
    await gate;
    return 'TB1 done well';
  };
  const bed = { id: 'tb', name: 'Bed' };
  await start();
  expect(() => {
    demandStill(db, bed);
  }).toThrow('Guests of testbed Bed are being prepared.');
  open();
  await ended();
  demandStill(db, bed);
});
