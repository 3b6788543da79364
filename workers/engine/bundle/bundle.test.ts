import {
  createWriteStream,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

import { openPromise } from 'yauzl';
import { ZipFile } from 'yazl';

import type { SeriesData } from '../../../src/core/metric/metric.ts';
import { demoRun } from '../../../src/ui/pages/runs/testing/records.ts';
import { openBundle } from './read.ts';
import { writeBundle } from './write.ts';

const { record } = demoRun({ id: 'run-a', name: 'Baseline' });
const dataOf = (id: number): SeriesData => ({
  seriesId: id,
  tMs: Float64Array.from({ length: 20_500 }, (_, i) => 1_700_000_000_000 + i * 1_000),
  value: Float64Array.from({ length: 20_500 }, (_, i) => (i % 97) + id / 10),
});
const samples = {
  read: (_run: string, ids: readonly number[]) => ids.map(dataOf),
  sampleCount: () => record.overview.series.length * 20_500,
};
const never = new AbortController().signal;

let dir: string;
let path: string;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'tilebench-bundle-'));
  path = join(dir, 'good.tilebench');
  await writeBundle(
    path,
    {
      record,
      logs: [
        { name: 't0.database', text: 'line 1\n' },
        { name: '../../etc/passwd', text: 'odd name\n' },
      ],
      report: { markdown: '# Baseline', html: '<p>Baseline</p>' },
      redacted: false,
      samples,
      runId: 'run-a',
      appVersion: '1',
      nowMs: 1_700_000_000_000,
    },
    never,
  );
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

test('what went in comes out: record, logs by their own names, every sample', async () => {
  const bundle = await openBundle(path, 'good.tilebench');
  expect(bundle.record).toEqual(record);
  const logs = [];
  for await (const log of bundle.logs()) logs.push(log);
  expect(logs).toEqual([
    { name: 't0.database', text: 'line 1\n' },
    { name: '../../etc/passwd', text: 'odd name\n' },
  ]);
  const got = new Map<number, Float64Array[]>();
  for await (const { seriesId, value } of bundle.samples(never))
    got.set(seriesId, [...(got.get(seriesId) ?? []), value]);
  bundle.close();
  expect([...got.keys()]).toEqual(record.overview.series.map((def) => def.id));
  for (const [id, parts] of got)
    expect(
      Buffer.concat(
        parts.map((part) => new Uint8Array(part.buffer, part.byteOffset, part.byteLength)),
      ).equals(Buffer.from(dataOf(id).value.buffer)),
    ).toBe(true);
});

test('a cancelled bundle stops, and nothing calls itself whole', async () => {
  const stop = new AbortController();
  const cancelled = join(dir, 'cancelled.tilebench');
  await expect(
    writeBundle(
      cancelled,
      {
        record,
        logs: [],
        report: { markdown: '', html: '' },
        redacted: false,
        samples,
        runId: 'run-a',
        appVersion: '1',
        nowMs: 0,
        onProgress: () => stop.abort(),
      },
      stop.signal,
    ),
  ).rejects.toMatchObject({ name: 'AbortError' });
  await expect(openBundle(cancelled, 'cancelled')).rejects.toMatchObject({ kind: 'invalidInput' });
});

/** The parts of the good bundle, packed again after `change`. */
async function repacked(
  name: string,
  change: (parts: Map<string, Buffer>) => void,
): Promise<string> {
  const parts = new Map<string, Buffer>();
  const zip = await openPromise(path, { autoClose: false, lazyEntries: true });
  for await (const entry of zip.eachEntry()) {
    const pieces: Buffer[] = [];
    for await (const piece of await zip.openReadStreamPromise(entry)) pieces.push(piece as Buffer);
    parts.set(entry.fileName, Buffer.concat(pieces));
  }
  zip.close();
  change(parts);
  const out = new ZipFile();
  for (const [part, bytes] of parts) out.addBuffer(bytes, part);
  out.end();
  const to = join(dir, name);
  await pipeline(out.outputStream, createWriteStream(to));
  return to;
}
const manifestOf = (
  parts: Map<string, Buffer>,
): { tilebenchBundle: number; parts: { name: string; sha256: string; bytes: number }[] } =>
  JSON.parse(parts.get('manifest.json')!.toString()) as never;

test.each<[string, (parts: Map<string, Buffer>) => void, RegExp]>([
  [
    'a part that was changed',
    (parts) => {
      const run = parts.get('run.json')!;
      run[run.length - 10]! ^= 1;
    },
    /changed after it was made/,
  ],
  [
    'a newer layout',
    (parts) => {
      parts.set(
        'manifest.json',
        Buffer.from(JSON.stringify({ ...manifestOf(parts), tilebenchBundle: 2 })),
      );
    },
    /newer Tilebench/,
  ],
  [
    'a missing part',
    (parts) => {
      parts.delete('samples.bin');
    },
    /not in the file/,
  ],
  [
    'a part nobody listed',
    (parts) => {
      parts.set('logs/extra.txt', Buffer.from('x'));
    },
    /not in its manifest/,
  ],
  [
    'a strange part',
    (parts) => {
      parts.set('evil.sh', Buffer.from('x'));
    },
    /no bundle has/,
  ],
  [
    'a bomb',
    (parts) => {
      parts.set('logs/bomb.txt', Buffer.alloc(8 * 1024 * 1024));
    },
    /not in its manifest|no honest file/,
  ],
  [
    'no manifest',
    (parts) => {
      parts.delete('manifest.json');
    },
    /has no manifest/,
  ],
  [
    'a manifest that is no JSON',
    (parts) => {
      parts.set('manifest.json', Buffer.from('{'));
    },
    /no JSON/,
  ],
])('%s is refused with its reason', async (name, change, reason) => {
  const bad = await repacked(`${name.replaceAll(' ', '-')}.tilebench`, change);
  await expect(openBundle(bad, 'bad.tilebench')).rejects.toMatchObject({
    kind: 'invalidInput',
    message: expect.stringMatching(reason) as string,
  });
});

test('samples that were changed are refused at the latest at their end', async () => {
  const bad = await repacked('samples.tilebench', (parts) => {
    const bytes = parts.get('samples.bin')!;
    bytes[bytes.length - 3]! ^= 1;
  });
  const bundle = await openBundle(bad, 'bad.tilebench');
  await expect(
    (async () => {
      for await (const part of bundle.samples(never)) expect(part.tMs.length).toBeGreaterThan(0);
    })(),
  ).rejects.toMatchObject({ kind: 'invalidInput' });
  bundle.close();
});

test('a path that leads out of the archive is refused', async () => {
  const bytes = readFileSync(path);
  const evil = join(dir, 'traversal.tilebench');
  const needle = 'logs/0-t0.database.txt';
  let text = bytes.toString('latin1');
  text = text.replaceAll(needle, '../../../../../x/a.txt');
  writeFileSync(evil, Buffer.from(text, 'latin1'));
  await expect(openBundle(evil, 'evil')).rejects.toMatchObject({ kind: 'invalidInput' });
});

test.each([0.2, 0.5, 0.9, 0.999])('a file cut at %p of its length is refused', async (share) => {
  const cut = join(dir, `cut-${share}.tilebench`);
  writeFileSync(cut, readFileSync(path));
  truncateSync(cut, Math.floor(readFileSync(path).length * share));
  await expect(openBundle(cut, 'cut.tilebench')).rejects.toMatchObject({ kind: 'invalidInput' });
});

test('any byte changed anywhere: refused, or the same samples as before', async () => {
  const good = readFileSync(path);
  for (let i = 0; i < 60; i += 1) {
    const bytes = Buffer.from(good);
    bytes[(i * 7_919) % bytes.length]! ^= 1 << (i % 8);
    const file = join(dir, 'flipped.tilebench');
    writeFileSync(file, bytes);
    const outcome = await (async () => {
      const bundle = await openBundle(file, 'flipped');
      try {
        let count = 0;
        for await (const part of bundle.samples(never)) count += part.tMs.length;
        return count;
      } finally {
        bundle.close();
      }
    })().catch((thrown: unknown) => (thrown as { kind?: string }).kind ?? 'internal');
    expect([samples.sampleCount(), 'invalidInput']).toContain(outcome);
  }
});
