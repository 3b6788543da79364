import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { runHere, type Said } from './testing/runHere.ts';

const dir = mkdtempSync(join(tmpdir(), 'tilebench-score-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const score = (file: string, ...args: string[]): Promise<Said> =>
  runHere('score', file, '--data', join(dir, 'data'), ...args);
const written = (name: string, text: string): string => {
  const path = join(dir, name);
  writeFileSync(path, text);
  return path;
};
const example = readFileSync('docs/examples/results.json', 'utf8');

test('published part scores become the published total, and say where they are from', async () => {
  const { code, out } = await score('docs/examples/results-parts.json');
  expect(code).toBe(0);
  expect(out).toContain('9.16 @ 11 tiles (scaling study)\nReferences: Dell Technologies');
  expect(out).toContain('Result: 9.16 × reference = 0.8 × 11.18 + 0.2 × 1.07\n');
});

test('workload metrics are scored step by step down to each workload, with the kilowatts', async () => {
  const { code, out } = await score('docs/examples/results.json');
  expect(code).toBe(0);
  expect(out.split('\n')[1]).toBe('1.80 @ 2 tiles (scaling study)');
  expect(out).toContain(
    '        DVD Store: 0.970 × reference = 1164 orders/min ÷ 1200 orders/min\n',
  );
  expect(out).toContain('      Deploy: 1.08 × reference = 6.50 operations/h ÷ 6.00 operations/h\n');
  expect(out).toContain(
    'Performance a kilowatt: 1.52 1/kW = 1.80 ÷ 1.18 kW, server power by PDU, 1 s',
  );
});

test('--json has the score and its steps', async () => {
  const { out } = await score('docs/examples/results.json', '--json');
  const said = JSON.parse(out) as {
    result: string;
    score: { total: number; application: number; infrastructure: number };
    steps: { children: { label: string }[] };
  };
  expect(said.result).toBe('1.80 @ 2 tiles');
  expect(0.8 * said.score.application + 0.2 * said.score.infrastructure).toBeCloseTo(
    said.score.total,
    12,
  );
  expect(said.steps.children.map((c) => c.label)).toEqual([
    'Application',
    'Infrastructure',
    'Performance a kilowatt',
  ]);
});

test('a missed limit is told with what was measured, and is not compliant', async () => {
  const { code, err } = await score(
    written('missed.json', example.replace('"errorRate": 0.02', '"errorRate": 20')),
  );
  expect(code).toBe(6);
  expect(err).toMatch(
    /^QoS missed: tile 2 Web application, first part \(stand-in\) in period 1: errorRate 1\.99\d* %, limit ≤ 0\.5 %$/m,
  );
});

test('without weights the parts stand apart, there is no total, and it is no pass', async () => {
  const { code, out } = await score(
    written(
      'two.json',
      '{ "tilebenchResults": 1, "profileId": "vmmark-2-tile", "tiles": 4, "parts": { "application": 3.9, "infrastructure": 1.0, "source": "made up" } }',
    ),
  );
  expect(code).toBe(4);
  expect(out).toContain('no total @ 4 tiles');
  expect(out).toContain('weights not set: application 3.90 and infrastructure 1.00 stay apart');
});

test('a missing measurement loses the total and names itself', async () => {
  const { code, out } = await score(
    written('gap.json', example.replace('"throughput": 1164', '"latencyMeanMs": 3')),
  );
  expect(code).toBe(4);
  expect(out).toContain('Missing: tile 2 DVD Store: no throughput sample in period 1');
});

test.each([
  [
    '10,000 tiles',
    example.replace('"tiles": 2', '"tiles": 10000'),
    /:6:12: tiles: at most 400 tiles/,
  ],
  [
    'a zero reference',
    example.replace('"dvdstore": 1200', '"dvdstore": 0'),
    /:7:60: references\.dvdstore: a reference must be greater than 0/,
  ],
  [
    'a negative rate',
    example.replace('"throughput": 1164', '"throughput": -5'),
    /:18:\d+: periods\.0\.workloads\.6\.values\.throughput: a rate or time must not be negative/,
  ],
  [
    'a tile beyond the tiles',
    example.replace('"tile": 2, "workloadId": "dvdstore"', '"tile": 3, "workloadId": "dvdstore"'),
    /:18:19: periods\.0\.workloads\.6\.tile: tile 3 of 2/,
  ],
  [
    'a workload twice',
    example.replace('"tile": 2, "workloadId": "dvdstore"', '"tile": 1, "workloadId": "dvdstore"'),
    /:18:9: periods\.0\.workloads\.6: tile 1 dvdstore is there twice/,
  ],
  [
    'a workload of another profile',
    example.replaceAll('"web-b", "values"', '"mail", "values"'),
    /profile vmmark-3-tile has no mail\./,
  ],
  [
    'a newer file',
    example.replace('"tilebenchResults": 1', '"tilebenchResults": 2'),
    /:3:23: tilebenchResults: version 2 was written by a newer Tilebench; this one reads version 1/,
  ],
  [
    'an unknown profile',
    example.replace('vmmark-3-tile', 'vmmark-9-tile'),
    /there is no profile vmmark-9-tile\.\nProfiles are io-ramp/,
  ],
  [
    'neither metrics nor parts',
    '{ "tilebenchResults": 1, "profileId": "io-ramp", "tiles": 1 }',
    /:1:1: results: neither periods .* nor parts/,
  ],
  [
    'an unknown metric',
    example.replace('"latencyP99Ms": 410', '"latencyP98Ms": 410'),
    /latencyP98Ms/,
  ],
])('%s is bad input, with its place', async (_what, text, message) => {
  const path = written('bad.json', text);
  const { code, err } = await score(path);
  expect(code).toBe(2);
  expect(err).toMatch(message);
});

test('a profile file takes the place of the named one; a faulty one is refused with line and column', async () => {
  const profile = readFileSync('resources/profiles/vmmark-3-tile.json', 'utf8');
  const half = written(
    'half.json',
    profile
      .replace('"application": 0.8', '"application": 0.5')
      .replace('"infrastructure": 0.2', '"infrastructure": 0.5'),
  );
  expect((await score('docs/examples/results-parts.json', '--profile', half)).out).toContain(
    '6.13 @ 11 tiles',
  );
  const { code, err } = await score(
    'docs/examples/results-parts.json',
    '--profile',
    written(
      'unit.json',
      profile.replace(
        '"unit": "operations/s",\n      "scored"',
        '"unit": "furlongs",\n      "scored"',
      ),
    ),
  );
  expect(code).toBe(2);
  expect(err).toMatch(
    /unit\.json:\d+:15: workloads\.0\.unit: the unit "furlongs" is not known\. Write something counted a time/,
  );
});
