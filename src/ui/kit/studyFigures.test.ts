import { maxColoredSeries, neutralColor } from '../../core/chart/palette.ts';
import type { ChartChoice } from '../../core/study/figurePlot.ts';
import { figureFits, figureMeasures } from '../../core/study/shapedStudy.ts';
import { type FigureShape, type StudyOverview, studySpecSchema } from '../../core/study/study.ts';
import { chartChoices, studyChart } from '../../core/study/studyModel.ts';
import { demoPair, demoStudy } from '../pages/studies/testing/overviews.ts';

const choice = (shape: FigureShape = {}): ChartChoice => ({
  key: 'score',
  title: 'Score',
  measure: 'score',
  unit: '',
  decimals: 2,
  normalise: false,
  group: 'Result',
  shape,
});
const drawn = (study: StudyOverview, shape: FigureShape, normalise = false) => {
  const { input, axis } = studyChart(study, choice(shape), normalise);
  return {
    axis: axis.label,
    places: input.categories?.map(({ label }) => label) ?? null,
    curves: Object.fromEntries(
      input.series
        .filter(({ published }) => !published)
        .map(({ label, points }) => [label, points.map(({ x, y }) => [x, +y.toFixed(3)])]),
    ),
  };
};
const cpu = { measure: 'cpuPct.host.mean', label: 'CPU' };

test('several measures stand in one chart, each normalised to its own reference', () => {
  const { curves } = drawn(demoStudy(), { label: 'Whole', also: [cpu] }, true);
  expect(Object.keys(curves)).toEqual(['Whole', 'CPU']);
  expect(curves['Whole']!.slice(0, 2)).toEqual([
    [1, 1],
    [2, 2],
  ]);
  expect(curves['CPU']!.at(-1)).toEqual([6, 6]);
});

test('points of a further measure have keys of their own, those of the first stay', () => {
  const { input } = studyChart(demoStudy(), choice({ also: [cpu] }), false);
  const keys = input.series.flatMap(({ points }) => points.map(({ key }) => key));
  expect(new Set(keys).size).toBe(keys.length);
  expect(keys[0]).toBe(demoStudy().points[0]!.key);
});

test('the second axis can be the one below the chart, at one value of the first', () => {
  expect(drawn(demoPair(), { over: 'array', where: { tiles: [2] } })).toEqual({
    axis: 'Array',
    places: ['Old array', 'New array'],
    curves: {
      Modelled: [
        [0, 2],
        [1, 2.2],
      ],
    },
  });
});

test.each([
  ['ratio', 1.1],
  ['more', 0.2],
  ['less', -0.2],
] as const)('a curve against another, %s', (as, at2) => {
  const { curves } = drawn(demoPair(), { against: { curve: 'old', as } });
  expect(Object.keys(curves)).toEqual(['Modelled, New array']);
  expect(curves['Modelled, New array']![1]).toEqual([2, at2]);
});

test('where the other curve has no point there is none, and a factor multiplies the rest', () => {
  const pair = demoPair();
  const points = pair.points.filter(({ key }) => !/tiles=2;array=old/.test(key));
  const { curves } = drawn(
    { ...pair, points },
    { against: { curve: 'old', as: 'more' }, factor: 10 },
  );
  expect(curves['Modelled, New array']).toEqual([
    [1, 1],
    [3, 3],
  ]);
});

test('values of one axis stand as groups of bars', () => {
  const groups = {
    label: 'Load',
    bars: ['Odd', 'Even'],
    places: [
      { label: 'Low', values: [1, 2] },
      { label: 'High', values: [3, 4] },
    ],
  };
  expect(drawn(demoStudy(), { groups })).toEqual({
    axis: 'Load',
    places: ['Low', 'High'],
    curves: {
      'Modelled, Odd': [
        [0, 1.1],
        [1, 3.3],
      ],
      'Modelled, Even': [
        [0, 2.2],
        [1, 4.4],
      ],
    },
  });
});

test('a measure of another unit stands against an axis of its own, a third unit is told', () => {
  const also = [
    { ...cpu, unit: '%' },
    { measure: 'score', label: 'Watts', unit: 'W' },
  ];
  const { input, unit, notes } = studyChart(demoStudy(), choice({ label: 'Whole', also }), false);
  expect(unit).toBe('');
  expect(input.right).toEqual({ label: 'CPU', unit: '%', decimals: 1 });
  expect(
    input.series.filter((s) => !s.published).map(({ label, right }) => [label, right]),
  ).toEqual([
    ['Whole', undefined],
    ['CPU (right)', true],
  ]);
  expect(input.series[1]!.points[0]!.lines[0]).toMatch(/CPU: \d.* %$/);
  expect(notes[0]).toMatch(/^Watts has a third unit/);
  const alike = studyChart(demoStudy(), choice({ also }), true);
  expect([alike.input.right, alike.input.series.some((s) => s.right)]).toEqual([undefined, false]);
});

test('of more curves than colours one is in colour, and no colour stands for two', () => {
  const also = Array.from({ length: maxColoredSeries }, (_, i) => ({
    measure: 'cpuPct.host.mean',
    label: `CPU ${i}`,
  }));
  const colors = studyChart(demoStudy(), choice({ also }), false)
    .input.series.filter(({ published }) => !published)
    .map(({ color }) => color);
  expect(colors.filter((color) => color !== neutralColor)).toHaveLength(1);
});

test('a figure of axes or values that are gone is not offered; a figure over time is bars of all runs', () => {
  const spec = demoPair().spec;
  expect(figureFits(spec, { over: 'array', where: { tiles: [1] } })).toBe(true);
  expect(figureFits(spec, { over: 'vms' })).toBe(false);
  expect(figureFits(spec, { where: { tiles: [99] } })).toBe(false);
  expect(figureFits(spec, { against: { curve: 'none', as: 'ratio' } })).toBe(false);
  const gone = { title: 'Gone', measure: 'score', unit: '', normalise: false, over: 'vms' };
  const titles = chartChoices(demoStudy({}, { charts: [gone] }), new Map()).map((c) => c.title);
  expect(titles).not.toContain('Gone');
  expect(
    Object.values(drawn(demoPair(), { overTime: true, where: { array: ['new'] } }).curves),
  ).toHaveLength(2);
});

test('a figure in a study file keeps its shape, and its bounds hold', () => {
  const charts = [
    {
      title: 'Both',
      measure: 'score',
      unit: '',
      label: 'Score',
      also: [cpu],
      over: 'tiles',
      where: { tiles: [1, 2] },
      against: { curve: 'old', as: 'ratio' },
      factor: 8,
    },
  ];
  const parse = (list: unknown) => studySpecSchema.safeParse({ ...demoPair().spec, charts: list });
  const parsed = parse(charts);
  expect(parsed.success).toBe(true);
  expect(parsed.data!.charts[0]).toEqual({ ...charts[0], normalise: false });
  expect(figureMeasures(parsed.data!.charts)).toEqual(['score', 'cpuPct.host.mean']);
  for (const wrong of [
    { also: Array.from({ length: 12 }, () => cpu) },
    { factor: 0 },
    { where: { tiles: [] } },
    { against: { curve: 'old', as: 'times' } },
    { groups: { label: '', bars: [], places: [] } },
  ])
    expect(parse([{ ...charts[0], ...wrong }]).success).toBe(false);
});
