import { readFileSync } from 'node:fs';

import { testPlanFile } from '../../../workers/engine/testing/engineHarness.ts';
import { parseStudyFile, studyFileSchema, studyText } from './studyFile.ts';
import { sweepPoints } from './sweep.ts';

const whole = (study: Record<string, unknown> = {}, more: Record<string, unknown> = {}): string =>
  JSON.stringify(
    {
      tilebenchStudy: 1,
      study: {
        schemaVersion: 1,
        id: 's',
        name: 'S',
        planId: 'plan',
        axes: [{ name: 'tiles', label: 'Tiles', parameter: { kind: 'tiles' }, values: [1, 2] }],
        ...study,
      },
      planFile: testPlanFile(),
      ...more,
    },
    null,
    2,
  );
/** `line:column` of a text in the file. */
const at = (text: string, part: string): string => {
  const before = text.slice(0, text.indexOf(part));
  return `${before.split('\n').length}:${before.length - before.lastIndexOf('\n')}`;
};

test('the documented example is a study of sixteen runs', () => {
  const { study } = parseStudyFile('study.json', readFileSync('docs/examples/study.json', 'utf8'));
  expect(sweepPoints(study)).toHaveLength(16);
});

test('a study file is read, with comments, and comes back the same', () => {
  const file = parseStudyFile('s.json', whole().replace('{', '{ // a study'));
  expect(file.study.axes[0]!.values).toEqual([1, 2]);
  expect(parseStudyFile('s.json', studyText(file))).toEqual(file);
  expect(studyFileSchema.parse(file)).toEqual(file);
});

test.each([
  [
    'the file',
    whole({}, { tilebenchStudy: 2, planFile: 'of another kind' }),
    'tilebenchStudy',
    '2,',
  ],
  ['the study', whole({ schemaVersion: 7 }), 'study.schemaVersion', '7,'],
  [
    'the plan',
    whole({}, { planFile: { ...testPlanFile(), tilebenchPlan: 3 } }),
    'planFile.tilebenchPlan',
    '3,',
  ],
])(
  'a newer version of %s is refused with its place and what to do, and nothing else',
  (_what, text, path, part) => {
    const message = (): unknown => {
      try {
        return parseStudyFile('s.json', text);
      } catch (error) {
        return (error as Error).message;
      }
    };
    expect(message()).toBe(
      `s.json:${at(text, part)}: ${path}: version ${parseInt(part, 10)} was written by a newer Tilebench; this one reads version 1. Install the newer version.`,
    );
  },
);

test.each([
  [
    'a plan of another id',
    whole({ planId: 'other' }),
    '"other"',
    /study\.planId: is other, the file's plan is plan/,
  ],
  [
    'a testbed that is not there',
    whole({
      axes: [{ name: 'bed', label: 'Bed', parameter: { kind: 'testbed' }, values: ['tb', 'gone'] }],
    }),
    '"gone"',
    /study\.axes\.0\.values\.1: there is no testbed gone/,
  ],
  [
    'a workload that is not there',
    whole({
      axes: [
        {
          name: 'x',
          label: 'X',
          parameter: { kind: 'option', workloadId: 'disk', param: 'iodepth' },
          values: [1, 2],
        },
      ],
    }),
    '"disk"',
    /no workload disk/,
  ],
  [
    'a value twice',
    whole({
      axes: [{ name: 'tiles', label: 'Tiles', parameter: { kind: 'tiles' }, values: [1, 1] }],
    }),
    '[\n      {\n        "name"',
    /the value 1 twice/,
  ],
  [
    'a profile that cannot be',
    whole(
      {},
      {
        planFile: {
          ...testPlanFile(),
          profile: {
            ...testPlanFile().profile,
            workloads: testPlanFile().profile!.workloads.map((w) => ({ ...w, id: 'java' })),
          },
        },
      },
    ),
    '"java",\n          "role": "java",\n          "name": "Batch"',
    /planFile\.profile\.workloads\.1\.id: /,
  ],
  ['a wrong value', whole({ repeats: 0 }), '0,\n', /study\.repeats: /],
  [
    'no values',
    whole({ axes: [{ name: 'tiles', label: 'Tiles', parameter: { kind: 'tiles' }, values: [] }] }),
    '[]',
    /study\.axes\.0\.values: /,
  ],
])('%s is told with line and column', (_what, text, part, message) => {
  expect(() => parseStudyFile('s.json', text)).toThrow(message);
  if (part !== '0,\n')
    expect(() => parseStudyFile('s.json', text)).toThrow(`s.json:${at(text, part)}: `);
});
