import { type StudySpec, studySpecSchema } from '../../../src/core/study/study.ts';
import { testPlanFile } from '../testing/engineHarness.ts';
import { pointWords, valueWords, variantOf, waitsFor } from './variant.ts';

const base = { ...testPlanFile().plan, overrides: { java: { threads: 1, rate: 5 } } };
const axis = (
  name: string,
  parameter: Record<string, unknown>,
  more: Record<string, unknown> = {},
): Record<string, unknown> => ({ name, label: name, parameter, values: [1, 2], ...more });
const spec = (...axes: Record<string, unknown>[]): StudySpec =>
  studySpecSchema.parse({ schemaVersion: 1, id: 's', name: 'S', planId: 'plan', axes });
const point = (values: Record<string, string | number>) => ({ key: 'k', values, repeat: 1 });

test.each([
  ['tiles', { kind: 'tiles' }, 2, { tiles: 2 }],
  [
    'a driver parameter, the others kept',
    { kind: 'option', workloadId: 'java', param: 'threads' },
    8,
    { overrides: { java: { threads: 8, rate: 5 } } },
  ],
  ['a testbed', { kind: 'testbed' }, 'other', { testbedId: 'other' }],
  ['a profile', { kind: 'profile' }, 'vmmark-2', { profileId: 'vmmark-2' }],
  ['nothing, by hand', { kind: 'manual', instruction: 'Do.' }, 'b', {}],
] as const)(
  'a point changes %s and nothing else of the plan',
  (_what, parameter, value, change) => {
    const { plan, labChanges } = variantOf(spec(axis('x', parameter)), base, point({ x: value }));
    expect(plan).toEqual({ ...base, study: { id: 's', key: 'k' }, ...change });
    expect(labChanges).toEqual({});
  },
);

test('properties of the lab are set together, the plan stays', () => {
  const { plan, labChanges } = variantOf(
    spec(
      axis('a', { kind: 'lab', path: 'drs.stars' }),
      axis('b', { kind: 'lab', path: 'variant' }),
    ),
    base,
    point({ a: 2, b: 'fast' }),
  );
  expect(labChanges).toEqual({ 'drs.stars': 2, variant: 'fast' });
  expect(plan).toEqual({ ...base, study: { id: 's', key: 'k' } });
});

test.each([1.5, 0, 'two'])('%p is no number of tiles', (value) =>
  expect(() => variantOf(spec(axis('x', { kind: 'tiles' })), base, point({ x: value }))).toThrow(
    'no number of tiles',
  ),
);

test('words of a point', () => {
  const named = spec(
    axis('tiles', { kind: 'tiles' }, { unit: 'tiles' }),
    axis('array', { kind: 'testbed' }, { values: ['cx3'], valueLabels: { cx3: 'CX3-20' } }),
  );
  expect(pointWords(named, { values: { tiles: 2, array: 'cx3' }, repeat: 1 })).toBe(
    '2 tiles, CX3-20',
  );
  expect(
    pointWords({ ...named, repeats: 3 }, { values: { tiles: 2, array: 'cx3' }, repeat: 2 }),
  ).toBe('2 tiles, CX3-20, run 2');
  expect(valueWords(spec(axis('depth', { kind: 'tiles' })).axes[0]!, 4)).toBe('depth 4');
});

test('a person is asked once a value', () => {
  const manual = spec(
    axis('cable', { kind: 'manual', instruction: 'Plug.' }, { values: ['a', 'b'] }),
  );
  expect(waitsFor(manual, point({ cable: 'a' }), {})).toEqual({
    axis: 'cable',
    value: 'a',
    instruction: 'Plug. Next value: cable a.',
  });
  expect(waitsFor(manual, point({ cable: 'a' }), { cable: 'a' })).toBeNull();
  expect(waitsFor(manual, point({ cable: 'b' }), { cable: 'a' })).toMatchObject({ value: 'b' });
});
