import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { parsePlanFile } from '../../src/core/plan/planFile.ts';
import { testPlanFile } from '../engine/testing/engineHarness.ts';
import { exitCodeOf, exitCodeOfError } from './exitCodes.ts';
import { table } from './output.ts';
import { runHere } from './testing/runHere.ts';

const dir = mkdtempSync(join(tmpdir(), 'tilebench-cli-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

describe('plan file', () => {
  const text = JSON.stringify(testPlanFile(), null, 2);
  test('is read, with comments and trailing commas', () =>
    expect(
      parsePlanFile('p.json', text.replace('{', '{ // a plan').replace(/\}$/, ',}')).plan.id,
    ).toBe('plan'));
  test.each([
    [
      'a missing comma',
      text.replace(',\n  "testbed"', '\n  "testbed"'),
      /^p\.json:\d+:3: comma expected/,
    ],
    [
      'a wrong value',
      text.replace('"tiles": 2', '"tiles": "two"'),
      new RegExp(
        `^p\\.json:${text.slice(0, text.indexOf('"tiles": 2')).split('\n').length}:14: plan\\.tiles: `,
      ),
    ],
    ['a missing member', text.replace('"tilebenchPlan": 1,', ''), /^p\.json:1:1: tilebenchPlan: /],
    ['nothing', '', /^p\.json:1:1: /],
    ['no object', '[]', /^p\.json:1:1: tilebenchPlan: is missing: this is no plan file/],
  ])('%s is told with line and column', (_what, broken, message) =>
    expect(() => parsePlanFile('p.json', broken)).toThrow(message),
  );
});

test('bad input is 2 and names the place', async () => {
  const path = join(dir, 'bad.json');
  writeFileSync(path, '{\n  "tilebenchPlan": 2\n}');
  const { code, out, err } = await runHere('run', path, '--json', '--data', join(dir, 'data'));
  expect(code).toBe(2);
  expect(err).toContain(`${path}:2:20: tilebenchPlan: `);
  expect(JSON.parse(out)).toMatchObject({ error: { kind: 'invalidInput' } });
  expect((await runHere('check', join(dir, 'none.json'))).code).toBe(2);
});
test.each([
  [['frobnicate']],
  [['run']],
  [['serve', '--port', 'x']],
  [['runs', 'export', 'x', '--format', 'xml']],
])('%j is bad input', async (args) => expect((await runHere(...args)).code).toBe(2));
test.each([
  [['--help']],
  [['run', '--help']],
  [['runs', 'compare', '--help']],
  [['serve', '--help']],
])('%j documents the exit codes', async (args) => {
  const { code, out } = await runHere(...args);
  expect(code).toBe(0);
  expect(out).toContain('6  ended by itself, but not compliant');
});

test('exit codes of runs and errors', () => {
  const verdict = (compliant: boolean) => ({ outcome: 'passed' as const, compliant, sentence: '' });
  expect([
    exitCodeOf({ state: 'passed', verdict: verdict(true) }),
    exitCodeOf({ state: 'passed', verdict: verdict(false) }),
    exitCodeOf({ state: 'failed', verdict: null }),
    exitCodeOf({ state: 'aborted', verdict: null }),
  ]).toEqual([0, 6, 4, 5]);
  expect([
    exitCodeOfError({ kind: 'notFound' }),
    exitCodeOfError({ kind: 'aborted' }),
    exitCodeOfError({ kind: 'unreachable' }),
  ]).toEqual([2, 5, 4]);
});

test('a table lines up', () =>
  expect(
    table(
      ['name', 'score'],
      [
        ['a', 1.5],
        ['longer', null],
      ],
    ),
  ).toBe('name    score\na         1.5\nlonger      –'));
