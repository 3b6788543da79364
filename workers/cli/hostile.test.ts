import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

import { demoRun } from '../../src/ui/pages/runs/testing/records.ts';
import { framesOf } from '../engine/bundle/samplesPart.ts';
import type { Opened } from '../engine/bundle/testing/openChild.ts';
import { honest, type Made, packBundle, written } from '../engine/bundle/testing/pack.ts';
import { runHere, type Said } from './testing/runHere.ts';

const { record } = demoRun({ id: 'run-a', name: 'Baseline' });
const good = honest(record);
const [def] = record.overview.series;
const repeated = (text: string, times: number): string =>
  `[${Array.from({ length: times }, () => text).join(',')}]`;
const run = (changes: Readonly<Record<string, string>>): Partial<Made> => ({
  run: written(record, changes),
});
const seriesText = (count: number, idOf: (i: number) => number): string =>
  `[${Array.from({ length: count }, (_, i) => JSON.stringify({ ...def, id: idOf(i) })).join(',')}]`;
const oneFrame = (tMs: number[], value: number[]): Partial<Made> => ({
  samples: Buffer.concat([
    ...framesOf(def!, { tMs: Float64Array.from(tMs), value: Float64Array.from(value) }),
  ]),
  sampleCount: tMs.length,
});
/**
 * The archive with 32-bit numbers of its directory changed, by their offset in the entry of `name`.
 */
const inDirectory =
  (name: string, changes: Readonly<Record<number, number>>) =>
  (zip: Buffer): Buffer => {
    const at = zip.lastIndexOf(name) - 46;
    for (const [offset, value] of Object.entries(changes))
      zip.writeUInt32LE(value, at + Number(offset));
    return zip;
  };
const [packedAt, sizeAt, placeAt] = [20, 24, 42];
/** Number of entries, in the archive's last bytes. */
const entryCountAt = -12;
const logs = Array.from({ length: 9 }, (_, i) => [`logs/${i}.txt`, Buffer.alloc(10)] as const);
const allLists = Object.fromEntries(
  ['events', 'findings', 'workloads', 'periods', 'phases'].map((name) => [
    `overview.${name}`,
    repeated('{}', 99_000),
  ]),
);

/** Name of the file, what is wrong with it, and the words it is refused with. */
const hostile: [string, Partial<Made>, RegExp][] = [
  [
    '100000-series',
    run({ 'overview.series': seriesText(100_000, (i) => i) }),
    /^run\.json of FILE:1:\d+: overview\.series: more than 50000 entries/,
  ],
  [
    'duplicate-series',
    run({ 'overview.series': seriesText(40_000, (i) => Math.min(i, 39_998)) }),
    /^run\.json of FILE .* overview\.series\.39999\.id: 39998 is the id of series 39998 too/,
  ],
  [
    'sparse-series',
    run({ 'overview.series': seriesText(2, (i) => i * 4_000_000_000) }),
    /^run\.json of FILE .* overview\.series\.1\.id: /,
  ],
  [
    'long-name',
    run({ 'overview.name': `"${'x'.repeat(5_000_000)}"` }),
    /^run\.json of FILE:1:\d+: overview\.name: a text of more than 1200000 bytes/,
  ],
  [
    'longer-name',
    run({ 'testbed.name': `"${'x'.repeat(1_001)}"` }),
    /^run\.json of FILE .* testbed\.name: at most 1000 characters/,
  ],
  [
    'long-record',
    { bytes: inDirectory('run.json', { [sizeAt]: 70 * 1024 ** 2 }) },
    /^run\.json of FILE is 73400320 bytes, more than the 67108864/,
  ],
  [
    'control-characters',
    run({ 'overview.name': '"a\\u001b[2Jb"' }),
    /^run\.json of FILE .* overview\.name: a control character, .*\. Remove it\.$/m,
  ],
  [
    'far-times',
    run({ 'overview.createdAtMs': '1e300' }),
    /^run\.json of FILE .* overview\.createdAtMs: a time is not after the year 9999/,
  ],
  [
    'early-times',
    run({ 'overview.startedAtMs': '-1e300' }),
    /^run\.json of FILE .* overview\.startedAtMs: a time is not before 1970/,
  ],
  [
    'nested',
    run({ 'plan.overrides': '['.repeat(2_000_000) }),
    /^run\.json of FILE:1:\d+: nested deeper than 100/,
  ],
  [
    'empty-lists',
    run({ 'overview.events': repeated('[]', 5_000_000) }),
    /^run\.json of FILE:1:\d+: overview\.events: more than 100000 entries/,
  ],
  [
    'lists-in-lists',
    run({ 'overview.events': repeated(repeated('0', 90_000), 40) }),
    /^run\.json of FILE:1:\d+: more than 3000000 values in one file/,
  ],
  ['all-lists-wrong', run(allLists), /^run\.json of FILE is not readable at overview\.\w+\.0\./],
  [
    'nested-bundle',
    { more: [['inner.tilebench', Buffer.alloc(10)]] },
    /^FILE has a part that no bundle has: "inner\.tilebench"/,
  ],
  [
    'bomb-of-samples',
    { bytes: inDirectory('samples.bin', { [sizeAt]: 100_000_000 }) },
    /^samples\.bin of FILE unpacks to 100000000 bytes from \d+: no honest file/,
  ],
  [
    'bomb-of-logs',
    {
      more: logs,
      bytes: (zip) =>
        logs.reduce(
          (bytes, [name]) =>
            inDirectory(name, { [packedAt]: 60 * 1024, [sizeAt]: 60 * 1024 ** 2 })(bytes),
          zip,
        ),
    },
    /^The record, logs and reports of FILE unpack to more than 536870912 bytes together/,
  ],
  [
    'more-bytes-than-samples',
    { samples: Buffer.alloc(2_000_000), sampleCount: 10 },
    /^samples\.bin of FILE has 2000000 bytes: they cannot be the 10 samples/,
  ],
  [
    'more-samples-than-bytes',
    { sampleCount: 1_000_000_000_000 },
    /^The manifest of FILE speaks of 1000000000000 samples/,
  ],
  [
    'one-sample-too-many',
    { sampleCount: good.sampleCount - 1 },
    /^samples\.bin of FILE is damaged at byte \d+: more samples than/,
  ],
  [
    'one-sample-too-few',
    { sampleCount: good.sampleCount + 1 },
    /^samples\.bin of FILE holds \d+ samples, its manifest says/,
  ],
  ['far-samples', oneFrame([0, 1e15], [1, 1]), /^samples\.bin of FILE .* after the year 9999/],
  ['early-samples', oneFrame([-1e12, 0], [1, 1]), /^samples\.bin of FILE .* a time before 1970/],
  [
    'far-values',
    oneFrame([0, 1], [1, 1e300]),
    /^samples\.bin of FILE .* a value that is no figure/,
  ],
  ['no-values', oneFrame([0, 1], [1, NaN]), /^samples\.bin of FILE .* a value that is no figure/],
  [
    'dust',
    {
      samples: Buffer.concat(
        Array.from({ length: 50_000 }, (_, i) => [
          ...framesOf(def!, { tMs: Float64Array.of(i), value: Float64Array.of(0) }),
        ]).flat(),
      ),
      sampleCount: 50_000,
    },
    /^samples\.bin of FILE is damaged at byte \d+: more than \d+ frames/,
  ],
  [
    'part-listed-twice',
    {
      manifest: (right) => ({
        ...right,
        parts: [...(right['parts'] as unknown[]), (right['parts'] as unknown[])[0]],
      }),
    },
    /^The manifest of FILE lists run\.json twice/,
  ],
  ['part-there-twice', { more: [['run.json', Buffer.from('{}')]] }, /^FILE has run\.json twice/],
  [
    'many-parts',
    {
      bytes: (zip) => {
        zip.writeUInt16LE(30_003, zip.length + entryCountAt);
        return zip;
      },
    },
    /^FILE has 30003 parts, more than the 20000/,
  ],
  [
    'long-manifest',
    { manifest: (right) => ({ ...right, x: 'x'.repeat(17 * 1024 ** 2) }) },
    /^manifest\.json of FILE is \d+ bytes, more than/,
  ],
  [
    'overlapping',
    { bytes: inDirectory('samples.bin', { [placeAt]: 10 }) },
    /^samples\.bin of FILE shares its bytes with another part/,
  ],
  [
    'smaller-than-told',
    { bytes: inDirectory('run.json', { [sizeAt]: good.run.length + 5 }) },
    /^run\.json of FILE has \d+ bytes, its manifest says/,
  ],
  [
    'larger-than-told',
    {
      manifest: (right) => ({
        ...right,
        parts: (right['parts'] as { name: string }[]).map((part) =>
          part.name === 'run.json' ? { ...part, bytes: 100 } : part,
        ),
      }),
      bytes: inDirectory('run.json', { [sizeAt]: 100 }),
    },
    /^run\.json of FILE is damaged: /,
  ],
];

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'tilebench-hostile-'));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** Opens files in a process of their own: what they cost is seen from outside. */
async function openInChild(files: readonly string[]): Promise<Opened[]> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [resolve('workers/engine/bundle/testing/openChild.ts'), ...files],
    { maxBuffer: 2 ** 24 },
  );
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Opened);
}
const fileOf = (name: string): string => join(dir, `${name}.tilebench`);

/**
 * Of the processor, for one file, and of memory beyond what a good bundle takes, for all of them.
 * An idle machine takes less than a second for the worst; where both threads of a core are busy,
 * the same work counts up to twice as long.
 */
const [mostMs, mostMb] = [2_500, 200];

test('hostile bundles of every kind are refused with file and place, at once, in bounded memory', async () => {
  await packBundle(fileOf('good'), good);
  for (const [name, made] of hostile) await packBundle(fileOf(name), { ...good, ...made });
  const [first, ...opened] = await openInChild(
    ['good', ...hostile.map(([name]) => name)].map(fileOf),
  );
  expect(first).toMatchObject({ kind: 'opened' });
  const wrong = opened.flatMap(({ file, kind, message, cpuMs, peakMb }, i) => {
    const [name, , words] = hostile[i]!;
    const asked = new RegExp(words.source.replaceAll('FILE', `${name}\\.tilebench`));
    return kind === 'invalidInput' &&
      asked.test(message) &&
      cpuMs < mostMs &&
      peakMb < first!.peakMb + mostMb
      ? []
      : [{ file, kind, message, cpuMs, peakMb }];
  });
  if (process.env['TILEBENCH_FIGURES'] !== undefined)
    process.stderr.write(
      `${[first!, ...opened].map((one) => `${one.file} ${one.cpuMs.toFixed(0)} ms, peak ${one.peakMb.toFixed(0)} MB`).join('\n')}\n`,
    );
  expect(wrong).toEqual([]);
});

test('the command line ends with 2 and the words, and nothing of the file is stored', async () => {
  await packBundle(fileOf('bad'), { ...good, ...run({ 'overview.name': '"a\\u202eb"' }) });
  const cli = (...args: string[]): Promise<Said> => runHere(...args, '--data', join(dir, 'data'));
  const opened = await cli('open', fileOf('bad'));
  expect(opened.code).toBe(2);
  expect(opened.err).toMatch(/run\.json of bad\.tilebench .* overview\.name: a control character/);
  const listed = await cli('runs', 'list', '--json');
  expect(listed.code).toBe(0);
  expect(JSON.parse(listed.out)).toEqual([]);
});
