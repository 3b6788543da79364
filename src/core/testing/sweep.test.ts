import fc from 'fast-check';

import { type LimitSearch, limitState, type Tried } from '../knee/sweepLimit.ts';
import { type StudySpec, studySpecSchema } from '../study/study.ts';
import {
  checkSpec,
  curveOf,
  pointKey,
  randomFrom,
  referenceValues,
  sweepPoints,
} from '../study/sweep.ts';

const spec = (change: Record<string, unknown> = {}): StudySpec =>
  studySpecSchema.parse({
    schemaVersion: 1,
    id: 's1',
    name: 'S',
    planId: 'p',
    axes: [{ name: 'tiles', label: 'Tiles', parameter: { kind: 'tiles' }, values: [4, 1, 2] }],
    ...change,
  });
const twoAxes = {
  axes: [
    { name: 'tiles', label: 'Tiles', parameter: { kind: 'tiles' }, values: [1, 2] },
    { name: 'array', label: 'Array', parameter: { kind: 'testbed' }, values: ['a', 'b'] },
  ],
};
const keys = (s: StudySpec): string[] => sweepPoints(s).map((p) => p.key);

describe('points of a sweep', () => {
  test.each([
    ['as given', {}, ['tiles=4;repeat=1', 'tiles=1;repeat=1', 'tiles=2;repeat=1']],
    [
      'ascending',
      { order: 'ascending' },
      ['tiles=1;repeat=1', 'tiles=2;repeat=1', 'tiles=4;repeat=1'],
    ],
    [
      'descending',
      { order: 'descending' },
      ['tiles=4;repeat=1', 'tiles=2;repeat=1', 'tiles=1;repeat=1'],
    ],
    [
      'repeats follow each other',
      {
        axes: [{ name: 'tiles', label: 'T', parameter: { kind: 'tiles' }, values: [1, 2] }],
        repeats: 2,
      },
      ['tiles=1;repeat=1', 'tiles=1;repeat=2', 'tiles=2;repeat=1', 'tiles=2;repeat=2'],
    ],
    [
      'two axes, the first fastest',
      twoAxes,
      [
        'tiles=1;array=a;repeat=1',
        'tiles=2;array=a;repeat=1',
        'tiles=1;array=b;repeat=1',
        'tiles=2;array=b;repeat=1',
      ],
    ],
  ])('%s', (_what, change, expected) => expect(keys(spec(change))).toEqual(expected));

  test('shuffled: every point once, the same order for the same study, another for another', () => {
    const axes = [
      {
        name: 'tiles',
        label: 'T',
        parameter: { kind: 'tiles' },
        values: Array.from({ length: 30 }, (_, i) => i + 1),
      },
    ];
    const a = keys(spec({ order: 'shuffled', axes }));
    expect(keys(spec({ order: 'shuffled', axes }))).toEqual(a);
    expect(keys(spec({ order: 'shuffled', axes, id: 's2' }))).not.toEqual(a);
    expect([...a].sort()).toEqual(keys(spec({ axes })).sort());
    expect(a).not.toEqual(keys(spec({ axes })));
  });
  test('a point knows its curve and the reference', () => {
    const two = spec(twoAxes);
    expect(curveOf(two, { tiles: 2, array: 'b' })).toBe('array=b');
    expect(curveOf(spec(), { tiles: 2 })).toBe('');
    expect(referenceValues(two)).toEqual({ tiles: 1, array: 'a' });
    expect(referenceValues(spec({ reference: { tiles: 2 } }))).toEqual({ tiles: 2 });
    expect(pointKey(two, { array: 'b', tiles: 1 }, 3)).toBe('tiles=1;array=b;repeat=3');
  });
  test('random numbers are spread evenly', () => {
    const random = randomFrom('x');
    const values = Array.from({ length: 10_000 }, random);
    expect(values.every((v) => v >= 0 && v < 1)).toBe(true);
    expect(values.reduce((a, b) => a + b, 0) / 10_000).toBeCloseTo(0.5, 1);
  });
});

describe('a spec that cannot be run is refused', () => {
  const search = { from: 1, to: 8, coarseStep: 2 };
  test.each([
    [
      'two axes of one name',
      { axes: [twoAxes.axes[0], { ...twoAxes.axes[1], name: 'tiles' }] },
      /called tiles/,
    ],
    ['a value twice', { axes: [{ ...twoAxes.axes[0], values: [1, 2, 1] }] }, /value 1 twice/],
    ['half a tile', { axes: [{ ...twoAxes.axes[0], values: [1.5] }] }, /whole numbers/],
    ['a reference that is no axis', { reference: { array: 'a' } }, /no axis/],
    ['a reference that is not run', { reference: { tiles: 9 } }, /not among/],
    ['a limit over two axes', { ...twoAxes, findLimit: search }, /one axis/],
    ['a limit over names', { axes: [twoAxes.axes[1]], findLimit: search }, /takes names/],
    ['a limit in an empty range', { findLimit: { ...search, to: 1 } }, /nothing lies between/],
    [
      'a variant that is a number',
      {
        axes: [
          {
            name: 'version',
            label: 'Hypervisor',
            parameter: { kind: 'lab', path: 'variant' },
            values: ['3.0.2', 3.5],
          },
        ],
      },
      /3\.5 is a number/,
    ],
    ['half a tile as step', { findLimit: { ...search, coarseStep: 1.5 } }, /whole/],
  ])('%s', (_what, change, message) => expect(() => checkSpec(spec(change))).toThrow(message));
  test('a good one is not', () => {
    expect(() => checkSpec(spec(twoAxes))).not.toThrow();
    expect(() => checkSpec(spec({ findLimit: search, reference: { tiles: 4 } }))).not.toThrow();
  });
});

/** Runs the search against `passes` and gives the values in order with the last state. */
function search(
  limits: LimitSearch,
  passes: (value: number, run: number) => boolean,
): { values: number[]; end: ReturnType<typeof limitState> } {
  const tried: Tried[] = [];
  for (;;) {
    const state = limitState(limits, tried);
    if (state.next === null) return { values: tried.map((t) => t.value), end: state };
    tried.push({
      value: state.next,
      passed: passes(state.next, tried.filter((t) => t.value === state.next).length),
    });
    if (tried.length > 500) throw new Error('The search does not end.');
  }
}

describe('find the limit', () => {
  const limits: LimitSearch = { from: 1, to: 20, coarseStep: 4, resolution: 1, confirmations: 2 };
  test('coarse, bisect, confirm', () => {
    const { values, end } = search(limits, (v) => v <= 7);
    expect(values).toEqual([1, 5, 9, 7, 8, 7, 7, 8, 8]);
    expect(end).toMatchObject({ lastPass: 7, firstFail: 8, confirmed: 2, phase: 'done' });
  });
  test('everything passes: no limit is claimed', () => {
    const { values, end } = search(limits, () => true);
    expect(values).toEqual([1, 5, 9, 13, 17, 20, 20, 20]);
    expect(end).toMatchObject({
      lastPass: 20,
      firstFail: null,
      note: expect.stringContaining('not inside'),
    });
  });
  test('the lowest fails: no limit is claimed', () =>
    expect(search(limits, () => false)).toMatchObject({
      values: [1, 1, 1],
      end: { lastPass: null, firstFail: 1, note: expect.stringContaining('not inside') },
    }));
  test('a pass that does not hold moves the boundary down', () => {
    const { end } = search(limits, (v, run) => v < 7 || (v === 7 && run === 0));
    expect(end).toMatchObject({ lastPass: 6, firstFail: 7, confirmed: 2 });
  });
  test('a pass above the first failure is told', () =>
    expect(
      limitState({ ...limits, confirmations: 1 }, [
        { value: 1, passed: true },
        { value: 2, passed: false },
        { value: 3, passed: true },
        { value: 1, passed: true },
        { value: 2, passed: false },
      ]),
    ).toMatchObject({
      next: null,
      lastPass: 1,
      firstFail: 2,
      note: expect.stringContaining('3 passed above'),
    }));
  test('fractions stay clean', () =>
    expect(
      search(
        { from: 0, to: 1, coarseStep: 0.5, resolution: 0.1, confirmations: 1 },
        (v) => v < 0.75,
      ).end,
    ).toMatchObject({ lastPass: 0.7, firstFail: 0.8 }));
  test('the order of what was tried does not matter', () =>
    fc.assert(
      fc.property(
        fc.shuffledSubarray(
          [1, 5, 9, 7, 8].map((value) => ({ value, passed: value <= 7 })),
          { minLength: 5 },
        ),
        (tried) => {
          expect(limitState(limits, tried)).toEqual(limitState(limits, [...tried].reverse()));
        },
      ),
    ));
  test('finds any planted limit, stays inside the range, and ends', () =>
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 60 }),
        fc.integer({ min: 2, max: 50 }),
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 1, max: 4 }),
        (limit, to, coarseStep, confirmations) => {
          const { values, end } = search(
            { from: 1, to, coarseStep, resolution: 1, confirmations },
            (v) => v <= limit,
          );
          expect(values.every((v) => v >= 1 && v <= to)).toBe(true);
          expect(end.lastPass).toBe(limit < 1 ? null : Math.min(limit, to));
          expect(end.firstFail).toBe(limit >= to ? null : Math.max(1, limit + 1));
          expect(end.confirmed).toBeGreaterThanOrEqual(confirmations);
        },
      ),
    ));
  test('ends under any noise', () =>
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 500, maxLength: 500 }), (outcomes) => {
        let i = 0;
        expect(search(limits, () => outcomes[i++ % outcomes.length]!).end.next).toBeNull();
      }),
      { numRuns: 50 },
    ));
});
