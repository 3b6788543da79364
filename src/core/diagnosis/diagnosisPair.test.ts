import { type StudyPoint, studySpecSchema } from '../study/study.ts';
import { askedMore, diagnosisCurves, diagnosisPair, pointLabel } from './diagnosisPair.ts';

const spec = studySpecSchema.parse({
  schemaVersion: 1,
  id: 's',
  name: 'S',
  planId: 'p',
  charts: [{ title: 'Score', measure: 'score', unit: '×' }],
  axes: [
    {
      name: 'tiles',
      label: 'Tiles',
      unit: 'tiles',
      parameter: { kind: 'tiles' },
      values: [1, 2, 3, 4],
    },
    {
      name: 'array',
      label: 'Array',
      parameter: { kind: 'testbed' },
      values: ['a', 'b'],
      valueLabels: { a: 'Old array' },
    },
  ],
});
const point = (
  tiles: number,
  array: string,
  score: number,
  state: StudyPoint['state'] = 'passed',
  repeat = 1,
): StudyPoint => ({
  key: `tiles=${tiles};array=${array};repeat=${repeat}`,
  values: { tiles, array },
  repeat,
  state,
  runId: `r${tiles}${array}${repeat}`,
  earlierRunIds: [],
  detail: '',
  measures: { score },
});
const pairOf = (points: StudyPoint[], key: string) => {
  const pair = diagnosisPair(
    { spec, points },
    diagnosisCurves({ spec, points }).find((curve) => curve.key === key)!,
  );
  return pair && [pair.before?.values['tiles'] ?? null, pair.after.values['tiles']];
};

test('curves are apart, in order, with the first of repeats; what was not measured is left out', () => {
  const points = [
    point(3, 'a', 3),
    point(1, 'a', 1),
    point(1, 'a', 1, 'passed', 2),
    point(2, 'a', 2, 'failed'),
    point(1, 'b', 1),
  ];
  expect(
    diagnosisCurves({ spec, points }).map(({ key, label, points: list }) => [
      key,
      label,
      list.map((one) => one.key),
    ]),
  ).toEqual([
    ['array=a', 'Old array', ['tiles=1;array=a;repeat=1', 'tiles=3;array=a;repeat=1']],
    ['array=b', 'Array b', ['tiles=1;array=b;repeat=1']],
  ]);
});

test.each<[string, StudyPoint[], [number | null, number] | null]>([
  [
    'the last pass and the first fail',
    [
      point(1, 'a', 1),
      point(2, 'a', 2),
      point(3, 'a', 2.1, 'qosFailed'),
      point(4, 'a', 2.2, 'qosFailed'),
    ],
    [2, 3],
  ],
  [
    'a fail at once has no pass before it',
    [point(1, 'a', 1, 'qosFailed'), point(2, 'a', 1, 'qosFailed')],
    [null, 1],
  ],
  [
    'a plateau: the last good yield, the first clear loss',
    [point(1, 'a', 1), point(2, 'a', 2), point(3, 'a', 2.8), point(4, 'a', 2.8)],
    [2, 4],
  ],
  [
    'straight to the end: the last two',
    [point(1, 'a', 1), point(2, 'a', 2), point(3, 'a', 3)],
    [2, 3],
  ],
  ['one point tells nothing', [point(1, 'a', 1)], null],
])('%s', (_what, points, wanted) => {
  expect(pairOf(points, 'array=a')).toEqual(wanted);
});

test('a point is called by its values', () => {
  expect([pointLabel({ spec }, point(1, 'a', 1)), pointLabel({ spec }, point(3, 'b', 1))]).toEqual([
    '1 tile, Old array',
    '3 tiles, b array',
  ]);
  const depth = {
    ...spec.axes[0]!,
    label: 'Outstanding I/Os a LUN',
    unit: '',
    name: 'depth',
  };
  expect(
    pointLabel({ spec: { ...spec, axes: [depth] } }, { ...point(1, 'a', 1), values: { depth: 8 } }),
  ).toBe('Outstanding I/Os a LUN 8');
});

test('the pair comes from the knee that was found on the curve, and one asked for more is judged by more', () => {
  const depths = studySpecSchema.parse({
    ...spec,
    charts: [{ title: 'Rate', measure: 'throughput.io.sum', unit: 'IOPS' }],
    axes: [
      {
        name: 'depth',
        label: 'Outstanding',
        parameter: { kind: 'option', workloadId: 'io', param: 'outstanding' },
        values: [1, 2, 4, 6, 8, 12],
      },
    ],
  });
  // The rate a command falls from the first on, as it does with disks: only the knee tells where
  // they are full.
  const points = ([1, 2, 4, 6, 8, 12] as const).map((depth): StudyPoint => ({
    ...point(1, 'a', 1),
    key: `depth=${depth}`,
    values: { depth },
    measures: { 'throughput.io.sum': [0, 10, 19, 0, 34, 0, 46, 0, 50, 0, 0, 0, 51][depth]! },
  }));
  const knees = [
    {
      measure: 'throughput.io.sum',
      series: '',
      results: [
        { method: 'saturation: within 2 %', low: 6, high: 8, estimate: 8, note: '' },
        { method: 'two-segment regression', low: 6, high: 7, estimate: 6.6, note: '' },
      ],
    },
  ];
  const study = { spec: depths, points, knees };
  const pair = diagnosisPair(study, diagnosisCurves(study)[0]!)!;
  expect([pair.before?.values, pair.after.values]).toEqual([{ depth: 6 }, { depth: 8 }]);
  expect(pair.why).toContain('knee at 6.6');
  expect(askedMore(study, pair.before!, pair.after)).toEqual({ workloadId: 'io', factor: 8 / 6 });
  const without = diagnosisPair({ ...study, knees: [] }, diagnosisCurves(study)[0]!)!;
  expect(without.before?.values).not.toEqual({ depth: 6 });
});
