import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';

import fc from 'fast-check';
import { ZipFile } from 'yazl';

import { demoRun } from '../../../src/ui/pages/runs/testing/records.ts';
import { createHarness, type Harness } from '../testing/engineHarness.ts';
import { damagedBytes } from '../testing/fuzz/bytes.ts';
import { fuzz } from '../testing/fuzz/fuzz.ts';
import { damagedJson } from '../testing/fuzz/values.ts';
import { framesOf } from './samplesPart.ts';
import { writeBundle } from './write.ts';

const { record } = demoRun({ id: 'run-a', name: 'Baseline' });
const samplesOf = (id: number) => ({
  seriesId: id,
  tMs: Float64Array.from({ length: 60 }, (_, i) => 1_700_000_000_000 + i * 1_000),
  value: Float64Array.from({ length: 60 }, (_, i) => (i % 7) + id / 10),
});
const samples = Buffer.concat(
  record.overview.series.flatMap((def) => [...framesOf(def, samplesOf(def.id))]),
);

let harness: Harness;
let dir: string;
let good: Uint8Array;
let whole: Uint8Array;
beforeAll(async () => {
  harness = await createHarness();
  dir = mkdtempSync(join(tmpdir(), 'tilebench-bundle-'));
  const path = join(dir, 'good.tilebench');
  await writeBundle(
    path,
    {
      record,
      logs: [{ name: 't0.database', text: 'line 1\n' }],
      report: { markdown: '# Baseline', html: '<p>Baseline</p>' },
      redacted: false,
      samples: {
        read: (_run: string, seriesIds: readonly number[]) => seriesIds.map(samplesOf),
        sampleCount: () => record.overview.series.length * 60,
      },
      runId: 'run-a',
      appVersion: '1',
      nowMs: 1_700_000_000_000,
    },
    new AbortController().signal,
  );
  good = readFileSync(path);
  whole = await told(JSON.stringify(story), good);
});
afterAll(async () => {
  await harness.close();
  rmSync(dir, { recursive: true, force: true });
});

/**
 * A zip whose manifest tells the truth of its parts, whatever they hold: the reader gets to what is
 * inside.
 */
async function packed(run: string, stored: Uint8Array): Promise<Uint8Array> {
  const parts: [string, Uint8Array][] = [
    ['run.json', Buffer.from(run)],
    ['samples.bin', stored],
  ];
  const manifest = {
    tilebenchBundle: 1,
    createdAtMs: 1_700_000_000_000,
    appVersion: '1',
    run: {
      id: 'run-a',
      name: 'Baseline',
      origin: 'real',
      sampleCount: record.overview.series.length * 60,
    },
    redacted: false,
    parts: parts.map(([name, bytes]) => ({
      name,
      bytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    })),
  };
  const zip = new ZipFile();
  zip.addBuffer(Buffer.from(JSON.stringify(manifest)), 'manifest.json');
  for (const [name, bytes] of parts) zip.addBuffer(Buffer.from(bytes), name);
  zip.end();
  return buffer(zip.outputStream);
}

/** A story on that run, with a manifest that tells the truth of its parts. */
async function told(words: string, run: Uint8Array): Promise<Uint8Array> {
  const parts: [string, Uint8Array][] = [
    ['story.json', Buffer.from(words)],
    ['runs/1.tilebench', run],
  ];
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
  for (const [name, bytes] of parts) zip.addBuffer(Buffer.from(bytes), name);
  zip.end();
  return buffer(zip.outputStream);
}
const story = {
  id: 'story-1',
  name: 'An upgrade',
  steps: [{ kind: 'run', of: 'run-a', headline: 'As it was', notes: 'Wait.' }],
};

/** Opens it; one that is taken is listed, and removed with its runs. A refused one leaves nothing. */
async function openStory(bytes: Uint8Array): Promise<void> {
  const left = async () => [
    ...(await harness.call('story.list', {})),
    ...(await harness.call('run.list', {})),
  ];
  try {
    const { storyId } = await harness.call('bundle.import', {
      fileName: 'x.tilebench',
      uploadId: null,
      bytes,
      last: true,
    });
    if (storyId !== null) await harness.call('story.remove', { id: storyId });
    for (const { id } of await harness.call('run.list', {}))
      await harness.call('run.remove', { id });
  } finally {
    expect(await left()).toEqual([]);
  }
}

/** Opens it; one that is taken is looked at as a person would, and removed. */
async function open(bytes: Uint8Array): Promise<void> {
  const { runId } = await harness.call('bundle.import', {
    fileName: 'x.tilebench',
    uploadId: null,
    bytes,
    last: true,
  });
  const { overview } = await harness.call('run.record', { id: runId! });
  await harness.call('run.samples', {
    runId: runId!,
    seriesIds: overview.series.slice(0, 20).map((one) => one.id),
    maxPoints: 500,
  });
  await harness.call('report.run', { id: runId!, format: 'markdown' });
  await harness.call('report.run', { id: runId!, format: 'html' });
  await harness.call('run.remove', { id: runId! });
}

fuzz({
  name: 'bundles whose bytes are damaged',
  cases: 300,
  inputs: fc.constant(null).chain(() => damagedBytes([good])),
  take: open,
});
fuzz({
  name: 'bundles of a damaged run, packed in order',
  cases: 300,
  inputs: damagedJson([record]),
  take: async (run) => open(await packed(run, samples)),
});
fuzz({
  name: 'bundles of damaged samples, packed in order',
  cases: 200,
  inputs: damagedBytes([samples]),
  take: async (bytes) => open(await packed(JSON.stringify(record), bytes)),
});
fuzz({
  name: 'stories with their runs whose bytes are damaged',
  cases: 150,
  inputs: fc.constant(null).chain(() => damagedBytes([whole])),
  take: openStory,
});
fuzz({
  name: 'stories of damaged words, packed in order',
  cases: 150,
  inputs: damagedJson([story]),
  take: async (words) => openStory(await told(words, good)),
});
