import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { smallEntry, smallSpec } from '../engine/gallery/testing/smallEntry.ts';
import { exitCodeOfStudy } from './study.ts';
import { runHere, type Said } from './testing/runHere.ts';

const dir = mkdtempSync(join(tmpdir(), 'tilebench-cli-study-'));
const data = join(dir, 'data');
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const cli = (...args: string[]): Promise<Said> => runHere(...args, '--data', data);
const write = (name: string, change: Record<string, unknown> = {}): string => {
  const path = join(dir, name);
  writeFileSync(
    path,
    JSON.stringify(
      {
        tilebenchStudy: 1,
        study: { ...smallEntry.study, galleryId: null },
        planFile: {
          tilebenchPlan: 1,
          labs: [smallSpec],
          connections: smallEntry.connections,
          profile: smallEntry.profiles[0],
          testbed: smallEntry.testbeds[0],
          plan: smallEntry.plan,
        },
        ...change,
      },
      null,
      2,
    ),
  );
  return path;
};

// Two runs, three reports and a PDF: seconds alone, more beside others.
test('a study file runs in the demo workspace, is listed and shown, and has nothing left to run', async () => {
  const path = write('small.json');
  const run = await cli('study', 'run', path, '--demo', '--json');
  expect([run.code, run.err]).toEqual([
    0,
    '  1 tile: running\n  1 tile: passed\n  2 tiles: running\n  2 tiles: passed\n',
  ]);
  const { outcome, study } = JSON.parse(run.out) as {
    outcome: string;
    study: { origin: string; points: { runId: string; measures: Record<string, number> }[] };
  };
  expect([outcome, study.origin, study.points.length]).toEqual(['done', 'simulated', 2]);
  expect(study.points[1]!.measures['score']).toBeCloseTo(2, 1);
  const list = await cli('study', 'list', '--demo');
  expect(list.out).toMatch(/^e90-study\s+Small\s+done\s+Tiles\s+2\s+2 /m);
  expect(list.out).toContain('Ready-made, in the demo lab (--demo):');
  const shown = await cli('study', 'show', 'e90-study', '--demo');
  expect(shown.out).toContain('Small: done (SIMULATED)');
  expect(shown.out).toMatch(/^2 tiles\s+passed\s+(1\.99\d*|2|2\.00\d*)\s/m);
  const curves = await cli('study', 'compare', 'e90-study', '--demo');
  expect([curves.code, curves.out]).toEqual([
    0,
    expect.stringMatching(
      /^One curve: nothing to compare with\.\nSmall misses no QoS limit\.\ncurve +key +points\nSmall +e90-study\/ +2\n/,
    ),
  ]);
  const ids = study.points.map((p) => p.runId);
  const compared = await cli('runs', 'compare', ...ids, '--demo');
  expect([compared.code, compared.out]).toEqual([
    0,
    expect.stringMatching(
      / scores \d+\.?\d* % higher than [\s\S]*\nmetric +verdict +difference % +low % +high % +found from %[\s\S]*\d+ metrics were tested\. The score is tested by itself/,
    ),
  ]);
  expect(JSON.parse((await cli('runs', 'compare', ...ids, '--demo', '--json')).out)).toMatchObject({
    sides: [{ runs: [0] }, { runs: [1] }],
    guards: [],
    rows: expect.arrayContaining([
      expect.objectContaining({
        key: 'score',
        tests: [null, expect.objectContaining({ word: 'better', method: 'bootstrap' })],
      }),
    ]),
  });
  const markdown = join(dir, 'pair.md'),
    pdf = join(dir, 'study.pdf');
  const redacting = ['runs', 'compare', ...ids, '--demo', '--report', markdown, '--redact'];
  const confirmed = await cli(...redacting, '--confirm');
  expect(confirmed).toMatchObject({ code: 0 });
  expect(confirmed.err).toMatch(/^\d+ names and addresses are replaced\.\n/);
  const text = readFileSync(markdown, 'utf8');
  expect(text).toMatch(/^# redacted-run-\d+ against redacted-run-\d+\n\n> \*\*SIMULATED\*\*/);
  const alone = join(dir, 'run.md');
  expect(
    await cli(
      'report',
      ids[0]!,
      '--demo',
      '--format',
      'markdown',
      '--redact',
      '--confirm',
      '-o',
      alone,
    ),
  ).toMatchObject({ code: 0, err: expect.stringMatching(/Wrote .*run\.md\.\n$/) as string });
  expect(readFileSync(alone, 'utf8')).toMatch(/^# Run redacted-run-\d+\n/);
  expect(text).not.toContain('Small');
  expect(await cli('study', 'report', 'e90-study', '--demo', '--out', pdf)).toMatchObject({
    code: 0,
    err: `Wrote ${pdf}.\n`,
  });
  expect(readFileSync(pdf).subarray(0, 5).toString()).toBe('%PDF-');
  expect(
    await cli('study', 'compare', 'e90-study', '--demo', '--report', join(dir, 'curves.doc')),
  ).toMatchObject({
    code: 2,
    err: expect.stringContaining('the ending of a report is .html, .pdf, .pptx or .md'),
  });
  const why = await cli('study', 'diagnose', 'e90-study', '--demo');
  expect([why.code, why.out]).toEqual([
    0,
    expect.stringMatching(/^It scales to the last point[\s\S]*Not measured:\n/),
  ]);
  expect(
    JSON.parse((await cli('study', 'diagnose', 'e90-study', '--demo', '--json')).out),
  ).toMatchObject({
    beforeKey: 'tiles=1;repeat=1',
    afterKey: 'tiles=2;repeat=1',
    diagnosis: { hypotheses: [] },
  });
  expect(await cli('study', 'run', 'e90-study', '--demo')).toMatchObject({
    code: 4,
    err: expect.stringContaining('is done'),
  });
  expect(await cli('study', 'show', 'e90-study')).toMatchObject({
    code: 2,
    err: expect.stringContaining('no study of that id'),
  });
});

test.each([
  [
    'a file of a newer version',
    write('newer.json', { tilebenchStudy: 9 }),
    /newer\.json:2:21: tilebenchStudy: version 9 was written by a newer Tilebench/,
  ],
  [
    'a file that is not there',
    join(dir, 'none.json'),
    /none\.json cannot be read: there is no such file/,
  ],
  ['an unknown id', 'E99', /There is no study E99/],
])('%s is bad input, with words', async (_what, argument, message) => {
  const { code, err } = await cli('study', 'run', argument, '--demo');
  expect(code).toBe(2);
  expect(err).toMatch(message);
});

test('a study for the simulated lab is refused on the real one', async () => {
  expect(await cli('study', 'run', write('real.json'))).toMatchObject({
    code: 2,
    err: expect.stringMatching(/simulated/),
  });
});

test('exit codes: missed QoS limits are results, failed runs are not', () => {
  const point = (state: 'passed' | 'qosFailed' | 'failed') => ({
    key: 'k',
    values: {},
    repeat: 1,
    state,
    runId: null,
    earlierRunIds: [],
    detail: '',
    measures: {},
  });
  expect([
    exitCodeOfStudy({ state: 'done', points: [point('passed'), point('qosFailed')] }),
    exitCodeOfStudy({ state: 'done', points: [point('failed')] }),
    exitCodeOfStudy({ state: 'failed', points: [] }),
    exitCodeOfStudy({ state: 'paused', points: [] }),
    exitCodeOfStudy({ state: 'waiting', points: [] }),
  ]).toEqual([0, 4, 4, 5, 5]);
});
