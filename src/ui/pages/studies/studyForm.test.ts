import {
  axisName,
  axisValues,
  draftOf,
  emptyAxis,
  emptyStudy,
  parseList,
  rangeValues,
  type StudyDraft,
} from './studyForm.ts';
import { specOf } from './studySpec.ts';
import { demoPair, demoStudy } from './testing/overviews.ts';

const names = { testbed: (id: string) => `Testbed ${id}`, profile: () => undefined };
const draft = (change: Partial<StudyDraft> = {}): StudyDraft => ({
  ...emptyStudy('s', 'p1'),
  name: 'Mine',
  ...change,
});

test('lists take commas, spaces and line ends; words stay words', () => {
  expect(parseList(' 1, 2  4;8\n16 ')).toEqual([1, 2, 4, 8, 16]);
  expect(parseList('port hash, IP hash')).toEqual(['port hash', 'IP hash']);
  expect(parseList('')).toEqual([]);
});

test('ranges have no rounding dust, end inside, and give nothing where they would give too much', () => {
  expect(rangeValues(0, 0.5, 0.1)).toEqual([0, 0.1, 0.2, 0.3, 0.4, 0.5]);
  expect(rangeValues(1, 10, 4)).toEqual([1, 5, 9]);
  expect(rangeValues(5, 1, 1)).toEqual([]);
  expect(rangeValues(0, 10, 0)).toEqual([]);
  expect(rangeValues(0, 1_000, 1)).toEqual([]);
});

test('the key of an axis comes from its label', () => {
  expect(axisName('Outstanding I/Os', 0)).toBe('outstandingIOs');
  expect(axisName('64 hosts', 0)).toBe('hosts');
  expect(axisName('—', 1)).toBe('y');
});

test('a good form is a study with its number of runs', () => {
  const { spec, errors, points } = specOf(draft({ repeats: 2 }), names);
  expect(errors).toEqual({});
  expect(spec).toMatchObject({
    name: 'Mine',
    planId: 'p1',
    repeats: 2,
    axes: [{ name: 'tiles', values: [1, 2, 3, 4, 5, 6, 7, 8], parameter: { kind: 'tiles' } }],
  });
  expect(points).toBe(16);
});

test.each([
  [{ name: ' ' }, 'name', 'Give the study a name.'],
  [{ planId: '' }, 'planId', 'Choose the plan that is run at every value.'],
  [{ repeats: 0 as const }, 'repeats', 'A whole number from 1 to 20.'],
  [{ pauseS: '' as const }, 'pauseS', 'A whole number from 0 to 86400.'],
  [
    { axes: [{ ...emptyAxis(), mode: 'list' as const, list: '1, 2, 2' }] },
    'axes.0.list',
    'A value stands twice. Use repeats to run a value more than once.',
  ],
  [
    { axes: [{ ...emptyAxis(), mode: 'list' as const, list: '' }] },
    'axes.0.list',
    'Give at least one value.',
  ],
  [
    { axes: [{ ...emptyAxis(), mode: 'list' as const, list: '0.5' }] },
    'axes.0.list',
    'Tiles are whole numbers from 1 to 400.',
  ],
  [{ axes: [{ ...emptyAxis(), from: 9 }] }, 'axes.0.to', 'Ends below its start.'],
  [
    { axes: [{ ...emptyAxis('option'), label: 'Depth', list: '1,2' }] },
    'axes.0.workloadId',
    'Choose a workload.',
  ],
  [
    { axes: [{ ...emptyAxis('manual'), label: 'Array', list: 'a,b' }] },
    'axes.0.instruction',
    'Say what the person does before each value.',
  ],
  [{ axes: [{ ...emptyAxis('testbed'), label: 'Testbed' }] }, 'axes.0.ids', 'Choose at least one.'],
  [
    { find: { from: 8, to: 8, coarseStep: 1, resolution: 1, confirmations: 2 } },
    'find.to',
    'Must lie above the start.',
  ],
  [
    { find: { from: 1, to: 8, coarseStep: 0, resolution: 1, confirmations: 2 } },
    'find.coarseStep',
    'Must be above 0.',
  ],
  [
    {
      axes: [emptyAxis(), { ...emptyAxis('testbed'), label: 'T', ids: ['a'] }],
      find: { from: 1, to: 8, coarseStep: 4, resolution: 1, confirmations: 2 },
    },
    'find',
    'The limit is searched along one axis. Remove the second.',
  ],
] as [Partial<StudyDraft>, string, string][])(
  'what is wrong is said at its field: %#',
  (change, field, message) => {
    const { spec, errors } = specOf(draft(change), names);
    expect(spec).toBeNull();
    expect(errors[field]).toBe(message);
  },
);

test('testbeds keep their names as labels', () => {
  const { spec } = specOf(
    draft({ axes: [emptyAxis(), { ...emptyAxis('testbed'), label: 'Array', ids: ['t1', 't2'] }] }),
    names,
  );
  expect(spec?.axes[1]).toMatchObject({
    name: 'array',
    values: ['t1', 't2'],
    valueLabels: { t1: 'Testbed t1', t2: 'Testbed t2' },
  });
});

test.each([
  ['one axis', demoStudy()],
  ['two axes', demoPair()],
  [
    'a search',
    demoStudy(
      {},
      {
        findLimit: { from: 1, to: 6, coarseStep: 2, resolution: 1, confirmations: 2 },
        reference: { tiles: 2 },
      },
    ),
  ],
])('a stored study comes back from the form as it was: %s', (_, { spec }) => {
  expect(
    specOf(draftOf(spec), { testbed: () => undefined, profile: () => undefined }).spec,
  ).toEqual(spec);
});

test('names that read as numbers stay names: ESX 3.0.2 and 3.5', () => {
  const { spec } = demoStudy(
    {},
    {
      axes: [
        {
          name: 'version',
          label: 'Hypervisor',
          unit: '',
          parameter: { kind: 'lab', path: 'variant' },
          values: ['3.0.2', '3.5'],
          valueLabels: {},
        },
      ],
      reference: { version: '3.5' },
    },
  );
  const repeated = { ...draftOf(spec), repeats: 4 };
  expect(specOf(repeated, names).spec).toMatchObject({
    repeats: 4,
    axes: [{ values: ['3.0.2', '3.5'] }],
    reference: { version: '3.5' },
  });
  repeated.axes[0] = { ...repeated.axes[0]!, list: '3.5, 4' };
  expect(specOf(repeated, names).spec?.axes[0]!.values).toEqual(['3.5', '4']);
  const byHand = draftOf({
    ...spec,
    axes: [{ ...spec.axes[0]!, parameter: { kind: 'manual', instruction: 'Install it.' } }],
  });
  expect(specOf(byHand, names).spec?.axes[0]!.values).toEqual(['3.0.2', '3.5']);
});

test('a reference that is no longer run is dropped', () => {
  const { spec } = demoStudy({}, { reference: { tiles: 6 } });
  const shorter = draftOf(spec);
  shorter.axes[0] = { ...shorter.axes[0]!, list: '1, 2, 3' };
  expect(axisValues(shorter.axes[0])).toEqual([1, 2, 3]);
  expect(specOf(shorter, names).spec?.reference).toBeUndefined();
});
