import { readFileSync } from 'node:fs';

import { parsePlanFile } from './planFile.ts';

const example = readFileSync('docs/examples/plan.json', 'utf8');
const complaint = (text: string): string => {
  try {
    parsePlanFile('plan.json', text);
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('It was accepted.');
};

test('the documented example is a plan', () => {
  const file = parsePlanFile('plan.json', example);
  expect(file.plan.sampling).toEqual({ workloadMs: 1_000, vcenterMs: 20_000 });
  expect(file.testbed.tiles[0]!.workloads).toHaveLength(5);
});

test('a slip in the syntax is told with line and column', () => {
  expect(complaint('{\n  "tilebenchPlan": 1,\n  "plan": }\n')).toBe(
    'plan.json:3:11: value expected',
  );
});

test('a wrong value is told where it stands', () => {
  const text = example.replace('"steadyS": 150', '"steadyS": "long"');
  const line = text.split('\n').findIndex((row) => row.includes('"long"')) + 1;
  expect(complaint(text)).toContain(`plan.json:${line}:`);
  expect(complaint(text)).toContain('plan.phases.steadyS');
});

test('a missing member is told at its parent', () => {
  expect(complaint(example.replace('"id": "first", ', ''))).toMatch(/plan\.json:\d+:\d+: plan\.id/);
});

test('an empty file is told', () => {
  expect(complaint('')).toMatch(/^plan\.json:1:1/);
});

test.each([
  ['10,000 tiles', { tiles: 10_000 }, {}, /plan\.tiles: at most 400 tiles/],
  [
    'an inline profile with an unknown unit',
    {},
    { unit: 'furlongs' },
    /profile\.workloads\.0\.unit: the unit "furlongs" is not known\. Write/,
  ],
  [
    'an inline profile with a zero reference',
    {},
    { reference: 0 },
    /profile\.workloads\.0\.reference: a reference must be greater than 0/,
  ],
])('%s: its line, its column and what to do', (_what, plan, workload, message) => {
  const file = JSON.parse(JSON.stringify(parsePlanFile('plan.json', example))) as {
    plan: object;
    profile?: object;
  };
  const profile = {
    schemaVersion: 1,
    id: 'p',
    version: '1',
    name: 'P',
    description: '',
    phases: { rampUpS: 0, staggerS: 0, steadyS: 10, periods: 1, rampDownS: 0 },
    scoring: { tile: 'geometricMean', total: 'sum', periods: 'median', source: 's' },
    workloads: [
      {
        id: 'io',
        role: 'io',
        name: 'I/O',
        driver: 'fio',
        unit: 'IOPS',
        reference: null,
        referenceSource: 'not set',
        ...workload,
      },
    ],
  };
  const text = JSON.stringify({ ...file, profile, plan: { ...file.plan, ...plan } }, null, 2);
  expect(complaint(text)).toMatch(message);
  expect(complaint(text)).toMatch(/^plan\.json:\d+:\d+: /);
});
