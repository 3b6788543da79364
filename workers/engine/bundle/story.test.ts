import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';

import { ZipFile } from 'yazl';

import type { OwnStory } from '../../../src/core/history/story.ts';
import { createHarness, type Harness, testPlanFile } from '../testing/engineHarness.ts';

let harness: Harness;
let there: Harness;
let runs: string[];
const story = (of: readonly string[]): OwnStory => ({
  id: 'story-mine',
  name: 'Größe 生产 <b>',
  steps: [
    ...of.map((id, i) => ({
      kind: 'run' as const,
      of: id,
      headline: i === 0 ? 'Before' : '',
      notes: `Say ${i}`,
    })),
    { kind: 'study', of: 'study-1', headline: 'A curve', notes: '' },
  ],
});
async function again(planId: string): Promise<string> {
  const { hash: checkedHash } = await harness.call('plan.check', { id: planId });
  return (await harness.call('run.start', { planId, checkedHash })).runId;
}
beforeAll(async () => {
  harness = await createHarness();
  const phases = { rampUpS: 5, staggerS: 1, steadyS: 60, periods: 3, rampDownS: 5 };
  const file = testPlanFile({ phases });
  runs = [];
  for (const first of [true, false]) {
    const id = first ? await harness.launch(file) : await again(file.plan.id);
    runs.push(id);
    await harness.clock.advanceUntil(
      () =>
        harness.overviews.some((one) => one.id === id && ['passed', 'failed'].includes(one.state)),
      600_000,
    );
  }
  // The first is told twice.
  await harness.call('story.save', story([runs[0]!, runs[1]!, runs[0]!]));
});
beforeEach(async () => {
  there = await createHarness();
});
afterEach(() => there.close());
afterAll(() => harness.close());

async function exported(redact = false): Promise<{ fileName: string; bytes: Buffer }> {
  const { doubts } = await harness.call('story.preview', { id: 'story-mine', redact });
  const confirmed = doubts.map(({ text }) => text);
  const pages: Uint8Array[] = [];
  for (let cursor: string | null = null; ;) {
    const page: { fileName: string; bytes: Uint8Array; cursor: string | null } = await harness.call(
      'story.export',
      { id: 'story-mine', redact, cursor, confirmed },
    );
    pages.push(page.bytes);
    if (page.cursor === null) return { fileName: page.fileName, bytes: Buffer.concat(pages) };
    cursor = page.cursor;
  }
}
const open = (bytes: Uint8Array, fileName = 'theirs.tilebench') =>
  there.call('bundle.import', {
    fileName,
    uploadId: null,
    bytes: new Uint8Array(bytes),
    last: true,
  });
const all = async () => ({
  runs: (await there.call('run.list', {})).length,
  stories: (await there.call('story.list', {})).length,
});

/** A story file as somebody else would write it: its manifest tells the truth of its parts. */
async function packed(parts: readonly (readonly [string, Uint8Array])[]): Promise<Buffer> {
  const zip = new ZipFile();
  const manifest = {
    tilebenchStoryBundle: 1,
    createdAtMs: 1_700_000_000_000,
    appVersion: '1',
    redacted: false,
    parts: parts.map(([name, bytes]) => ({
      name,
      bytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    })),
  };
  zip.addBuffer(Buffer.from(JSON.stringify(manifest)), 'manifest.json');
  for (const [name, bytes] of parts)
    zip.addBuffer(Buffer.from(bytes), name, { compress: !name.startsWith('runs/') });
  zip.end();
  return buffer(zip.outputStream);
}
async function bundleOf(id: string): Promise<Buffer> {
  const pages: Uint8Array[] = [];
  for (let cursor: string | null = null; ;) {
    const page: { bytes: Uint8Array; cursor: string | null } = await harness.call('bundle.export', {
      id,
      redact: false,
      cursor,
    });
    pages.push(page.bytes);
    if (page.cursor === null) return Buffer.concat(pages);
    cursor = page.cursor;
  }
}

test('a story goes with its runs to another console, and its steps lead to them there', async () => {
  const preview = await harness.call('story.preview', { id: 'story-mine', redact: false });
  expect(preview.parts.map(({ name }) => name)).toEqual([
    'story',
    'run Plan #1',
    'run Plan #2',
    'not in the file',
  ]);
  const { fileName, bytes } = await exported();
  expect(fileName).toMatch(/\.story\.tilebench$/);
  const { storyId, runId } = await open(bytes);
  expect(runId).toBeNull();
  const [theirs] = await there.call('story.list', {});
  expect(theirs).toMatchObject({ id: storyId, name: 'Größe 生产 <b>' });
  const [first, second, again, study] = theirs!.steps;
  expect([first!.headline, first!.notes, again!.notes]).toEqual(['Before', 'Say 0', 'Say 2']);
  expect(again!.of).toBe(first!.of);
  expect(study).toMatchObject({ kind: 'study', of: 'study-1' });
  for (const [mine, of] of [
    [runs[0]!, first!.of],
    [runs[1]!, second!.of],
  ] as const) {
    const { series } = await harness.overview(mine);
    const asked = { seriesIds: series.map(({ id }) => id), maxPoints: 0 };
    expect(await there.call('run.samples', { runId: of, ...asked })).toEqual(
      await harness.call('run.samples', { runId: mine, ...asked }),
    );
  }
  expect(readdirSync(join(there.dataDir, 'exchange'))).toEqual([]);
  expect(readdirSync(join(harness.dataDir, 'exchange'))).toEqual([]);
});

test('the same file opened again is the story that is there, as it was changed since', async () => {
  const { bytes } = await exported();
  const { storyId } = await open(bytes);
  const [theirs] = await there.call('story.list', {});
  await there.call('story.save', { ...theirs!, name: 'Renamed here' });
  await there.call('history.delete', { items: [{ kind: 'run', id: theirs!.steps[0]!.of }] });
  expect((await open(bytes)).storyId).toBe(storyId);
  expect(await all()).toEqual({ runs: 2, stories: 1 });
  expect((await there.call('story.list', {}))[0]!.name).toBe('Renamed here');
  expect((await there.call('history.list', {})).entries).toHaveLength(2);
});

test('redacted, one name has one pseudonym in words and runs, and the steps still lead to the runs', async () => {
  await expect(
    harness.call('story.export', { id: 'story-mine', redact: true, cursor: null }),
  ).rejects.toMatchObject({ kind: 'conflict' });
  const { bytes } = await exported(true);
  await open(bytes);
  const [theirs] = await there.call('story.list', {});
  expect(theirs!.name).not.toContain('Größe');
  for (const { of } of theirs!.steps.slice(0, 3))
    expect((await there.call('run.record', { id: of })).imported).toMatchObject({ redacted: true });
});

test('a run that goes on, a story without a run and one that is not there are told', async () => {
  await harness.call('story.save', { ...story([]), id: 'story-bare' });
  await expect(
    harness.call('story.preview', { id: 'story-bare', redact: false }),
  ).rejects.toMatchObject({ kind: 'conflict' });
  await expect(harness.call('story.preview', { id: 'none', redact: false })).rejects.toMatchObject({
    kind: 'notFound',
  });
});

test('nothing of a refused file is kept: damaged, changed, foreign parts, runs twice, no story', async () => {
  const { bytes } = await exported();
  const [one, two] = [await bundleOf(runs[0]!), await bundleOf(runs[1]!)];
  const words = Buffer.from(JSON.stringify(story(runs)));
  const flipped = Buffer.from(bytes);
  flipped[flipped.length >> 1]! ^= 0xff;
  const spoilt = Buffer.from(two);
  spoilt[spoilt.length >> 1]! ^= 0xff;
  const later = Buffer.from(JSON.stringify({ ...story(runs), steps: [{ kind: 'disk' }] }));
  const hostile: [string, Buffer][] = [
    ['a byte changed', flipped],
    ['cut', bytes.subarray(0, bytes.length - 200)],
    [
      'the second run spoilt',
      await packed([
        ['story.json', words],
        ['runs/1.tilebench', one],
        ['runs/2.tilebench', spoilt],
      ]),
    ],
    [
      'one run twice',
      await packed([
        ['story.json', words],
        ['runs/1.tilebench', one],
        ['runs/2.tilebench', one],
      ]),
    ],
    [
      'a gap in the runs',
      await packed([
        ['story.json', words],
        ['runs/2.tilebench', one],
      ]),
    ],
    [
      'a part of another kind',
      await packed([
        ['story.json', words],
        ['run.json', one],
      ]),
    ],
    [
      'a run that is none',
      await packed([
        ['story.json', words],
        ['runs/1.tilebench', Buffer.from('PK?')],
      ]),
    ],
    [
      'words that are none',
      await packed([
        ['story.json', later],
        ['runs/1.tilebench', one],
      ]),
    ],
    [
      'a story inside a story',
      await packed([
        ['story.json', words],
        ['runs/1.tilebench', bytes],
      ]),
    ],
  ];
  for (const [what, file] of hostile) {
    await expect(open(file, `${what}.tilebench`)).rejects.toMatchObject({
      kind: 'invalidInput',
      message: expect.stringContaining(`${what}.tilebench`) as string,
    });
    expect([what, await all()]).toEqual([what, { runs: 0, stories: 0 }]);
  }
  expect(readdirSync(join(there.dataDir, 'exchange'))).toEqual([]);
});

test('the fifty-first story is refused before a run of it is stored', async () => {
  const { bytes } = await exported();
  for (let n = 0; n < 50; n += 1)
    await there.call('story.save', { ...story([]), id: `story-${n}` });
  await expect(open(bytes)).rejects.toMatchObject({ kind: 'conflict' });
  expect(await all()).toEqual({ runs: 0, stories: 50 });
});
