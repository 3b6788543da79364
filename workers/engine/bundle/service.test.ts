import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';

import { createHarness, type Harness, testPlanFile } from '../testing/engineHarness.ts';

let harness: Harness;
let runId: string;
beforeAll(async () => {
  harness = await createHarness();
  runId = await harness.launch(
    testPlanFile({ phases: { rampUpS: 5, staggerS: 1, steadyS: 60, periods: 3, rampDownS: 5 } }),
  );
  await harness.clock.advanceUntil(
    () => ['passed', 'failed'].includes(harness.overviews.at(-1)?.state ?? ''),
    600_000,
  );
});
afterAll(() => harness.close());

async function exported(redact: boolean): Promise<{ fileName: string; bytes: Buffer }> {
  const { doubts } = await harness.call('bundle.preview', { id: runId, redact });
  const confirmed = doubts.map((one) => one.text);
  const pages: Uint8Array[] = [];
  let cursor: string | null = null;
  for (;;) {
    const page: { fileName: string; bytes: Uint8Array; cursor: string | null } = await harness.call(
      'bundle.export',
      { id: runId, redact, cursor, confirmed },
    );
    pages.push(page.bytes);
    if (page.cursor === null) return { fileName: page.fileName, bytes: Buffer.concat(pages) };
    cursor = page.cursor;
  }
}
/** Sent as an interface does: in two pages. */
async function imported(fileName: string, bytes: Buffer): Promise<string> {
  const half = bytes.length >> 1;
  const first = await harness.call('bundle.import', {
    fileName,
    uploadId: null,
    bytes: new Uint8Array(bytes.subarray(0, half)),
    last: false,
  });
  const { runId: id } = await harness.call('bundle.import', {
    fileName,
    uploadId: first.uploadId,
    bytes: new Uint8Array(bytes.subarray(half)),
    last: true,
  });
  return id!;
}
/** Every part of the archive, unpacked, as one text. */
function unpacked(zip: Buffer): string {
  let text = '';
  for (
    let at = zip.indexOf('PK\u0003\u0004', 0, 'latin1');
    at >= 0;
    at = zip.indexOf('PK\u0003\u0004', at + 4, 'latin1')
  ) {
    const from = at + 30 + zip.readUInt16LE(at + 26) + zip.readUInt16LE(at + 28);
    text += `${zip.toString('latin1', at + 30, from)}\n${inflateRawSync(zip.subarray(from), { finishFlush: 2 }).toString('latin1')}\n`;
  }
  return text;
}
const samplesOf = async (id: string) =>
  harness.call('run.samples', {
    runId: id,
    seriesIds: (await harness.overview(id)).series.map((s) => s.id),
    maxPoints: 0,
  });

test('a run goes out and comes in: same record, same samples, same score; read, not changed; twice is once', async () => {
  const { fileName, bytes } = await exported(false);
  expect(fileName).toBe('Plan-1.tilebench');
  const id = await imported(fileName, bytes);
  expect(id).not.toBe(runId);
  const [mine, theirs] = [
    await harness.call('run.record', { id: runId }),
    await harness.call('run.record', { id }),
  ];
  expect({
    ...theirs,
    imported: undefined,
    overview: { ...theirs.overview, id: runId, nowMs: 0 },
  }).toEqual({ ...mine, overview: { ...mine.overview, nowMs: 0 } });
  expect(theirs.imported).toMatchObject({ fileName, complete: true, redacted: false });
  expect(await samplesOf(id)).toEqual(await samplesOf(runId));
  expect(await harness.call('run.log', { id })).toEqual(
    await harness.call('run.log', { id: runId }),
  );
  await expect(harness.call('run.annotate', { id, text: 'mine now' })).rejects.toMatchObject({
    kind: 'conflict',
  });
  expect(await imported(fileName, bytes)).toBe(id);
  expect(
    (await harness.call('run.list', {})).filter((run) => run.importedFrom === fileName),
  ).toHaveLength(1);
  // Opened again, it comes back from Deleted with what was put beside it.
  await harness.call('history.annotate', {
    items: [{ kind: 'run', id }],
    patch: { addTags: ['theirs'] },
  });
  await harness.call('history.delete', { items: [{ kind: 'run', id }] });
  expect(await imported(fileName, bytes)).toBe(id);
  expect(
    (await harness.call('history.list', { tag: 'theirs' })).entries.map((entry) => entry.id),
  ).toEqual([id]);
  await harness.call('run.remove', { id });
});

test('a redacted bundle holds no name, address or secret of the testbed, and opens', async () => {
  const { bytes } = await exported(true);
  const text = unpacked(bytes).toLowerCase();
  expect(text).toContain('redacted-vm-1');
  const { testbed, inventoryBefore } = await harness.call('run.record', { id: runId });
  const names = [
    testbed.name,
    'client one',
    'vc.test',
    'c1.test',
    'nut.test',
    'meter',
    ...testbed.tiles.flatMap((t) => t.workloads.flatMap((w) => (w.vm ? [w.vm.name] : []))),
    ...(inventoryBefore?.hosts ?? []).map((h) => h.name),
    ...(inventoryBefore?.datastores ?? []).map((d) => d.name),
  ];
  expect(names.length).toBeGreaterThan(8);
  // A name of a field may be that of a thing too.
  expect(
    names.filter((name) =>
      new RegExp(
        `(?<![a-z0-9]|redacted-)${name.toLowerCase().replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![a-z0-9]|":)`,
      ).test(text),
    ),
  ).toEqual([]);
  const id = await imported('redacted.tilebench', bytes);
  const [theirs, mine] = [
    (await harness.overview(id)).score!,
    (await harness.overview(runId)).score!,
  ];
  expect([theirs.total, theirs.periods]).toEqual([mine.total, mine.periods]);
  await harness.call('run.remove', { id });
});

test('the preview names every part and each replacement', async () => {
  const preview = await harness.call('bundle.preview', { id: runId, redact: true });
  expect(preview.parts.map((p) => p.name)).toEqual(
    expect.arrayContaining(['run.json', 'samples.bin', 'report.html, report.md']),
  );
  expect(preview.replacements.length).toBeGreaterThan(3);
  expect((await harness.call('bundle.preview', { id: runId, redact: false })).replacements).toEqual(
    [],
  );
});

test('a refused bundle leaves nothing: no run, no file', async () => {
  const { bytes } = await exported(false);
  const before = (await harness.call('run.list', {})).length;
  bytes[Math.floor(bytes.length / 2)]! ^= 0xff;
  await expect(imported('bad.tilebench', bytes)).rejects.toMatchObject({ kind: 'invalidInput' });
  await expect(imported('no.tilebench', Buffer.from('not a zip at all'))).rejects.toMatchObject({
    kind: 'invalidInput',
    message: expect.stringContaining('no.tilebench') as string,
  });
  expect((await harness.call('run.list', {})).length).toBe(before);
  expect(readdirSync(join(harness.dataDir, 'exchange'))).toEqual([]);
});

test('an engine that ended in the middle of an import leaves no half run', async () => {
  const { fileName, bytes } = await exported(false);
  const id = await imported(fileName, bytes);
  await harness.restart((db) => {
    const record = db.runs.get(id)!;
    db.runs.save({ ...record, imported: { ...record.imported!, complete: false } });
  });
  await expect(harness.overview(id)).rejects.toMatchObject({ kind: 'notFound' });
});

test.each([
  ['html', '<!doctype html>'],
  ['markdown', '# Run Plan'],
  ['pdf', '%PDF-'],
] as const)('a report as %s', async (format, begins) => {
  const { bytes } = await harness.call('report.run', { id: runId, format });
  expect(Buffer.from(bytes.subarray(0, begins.length)).toString()).toBe(begins);
});
