import { labSpecSchema } from '../lab/lab.ts';
import {
  type AxisValue,
  type StudyOverview,
  studyOverview,
  type StudyPoint,
  studySpecSchema,
} from './study.ts';
import { checkSpec, pointKey } from './sweep.ts';
import { heldAt, knownPoints, whatIfBases, whatIfSentence, whatIfStudy } from './whatIf.ts';

const lab = labSpecSchema.parse({
  schemaVersion: 1,
  id: 'lab',
  name: 'Two servers',
  hosts: ['h1', 'h2'].map((id) => ({
    id,
    model: 'Server',
    cpuModel: 'Xeon',
    sockets: 2,
    coresPerSocket: 4,
    ghz: 3,
    coreSpeed: 1,
    memoryGb: 32,
    overhead: { cpuShare: 0.1, usPerIo: 20, usPerPacket: 4 },
    hba: { ports: 2, queueDepth: 32, gbps: 4 },
    power: { idleW: 250, busyW: 400 },
  })),
  arrays: [],
  luns: [],
  datastores: [{ id: 'd', lunIds: ['l'] }],
  vms: [],
  workloads: [],
  drs: { enabled: true, stars: 2 },
});
const study = studySpecSchema.parse({
  schemaVersion: 1,
  id: 's',
  name: 'Scaling',
  planId: 'p',
  reference: { tiles: 1, placement: 'drs' },
  axes: [
    {
      name: 'tiles',
      label: 'Tiles',
      unit: 'tiles',
      parameter: { kind: 'tiles' },
      values: [1, 2, 3, 4],
    },
    {
      name: 'placement',
      label: 'Placement',
      parameter: { kind: 'lab', path: 'variant' },
      values: ['hand', 'drs'],
      valueLabels: { drs: 'By DRS', hand: 'By hand' },
    },
  ],
  charts: [{ title: 'Scaling', measure: 'score', unit: '×' }],
});
const less = { edits: [{ kind: 'removeHost' as const, id: 'h2' }], values: [1, 2, 3, 4] };
const made = whatIfStudy(study, lab, { id: 's2', base: 'drs', ...less });

test('the changed lab stands beside the curve it changes, whose name and values stay', () => {
  checkSpec(made);
  expect(made.axes[1]).toEqual({
    name: 'placement',
    label: 'Placement',
    unit: '',
    parameter: {
      kind: 'whatIf',
      held: [{ parameter: { kind: 'lab', path: 'variant' }, value: 'drs' }],
      sets: {
        whatIf: { edits: less.edits, words: ['1 host instead of 2: h2 (Server) removed'] },
      },
    },
    values: ['drs', 'whatIf'],
    valueLabels: { drs: 'By DRS', whatIf: '1 host instead of 2' },
  });
  expect([made.name, made.reference]).toEqual([
    'Scaling: what if 1 host instead of 2',
    { tiles: 1, placement: 'drs' },
  ]);
});

test('the reference comes first among what changes can stand beside; a changed lab is none of it, and holds what it held', () => {
  expect(whatIfBases(study).map(({ value }) => value)).toEqual(['drs', 'hand']);
  expect(whatIfBases(made)).toEqual([{ value: 'drs', label: 'By DRS' }]);
  expect(heldAt(made, 'drs')).toEqual(heldAt(study, 'drs'));
  const { axes, reference: _, ...rest } = study;
  const single = { ...rest, axes: [axes[0]!] };
  expect([whatIfBases(single), heldAt(single, null)]).toEqual([[], []]);
  expect(whatIfStudy(single, lab, { id: 's2', base: null, ...less })).toMatchObject({
    reference: { tiles: 1, lab: 'given' },
    axes: [{}, { name: 'lab', valueLabels: { given: 'As given' } }],
  });
});

const point = (
  tiles: number,
  placement: AxisValue,
  score: number | null,
  state: StudyPoint['state'] = 'passed',
): StudyPoint => ({
  key: pointKey(study, { tiles, placement }, 1),
  values: { tiles, placement },
  repeat: 1,
  state,
  runId: `run-${tiles}`,
  earlierRunIds: ['old'],
  detail: '',
  measures: { score },
});

test('what was measured of the unchanged lab is known, as long as scores are held against the same point', () => {
  const points = [
    point(1, 'drs', 1),
    point(2, 'drs', 2, 'qosFailed'),
    point(3, 'drs', null, 'failed'),
    point(4, 'hand', 3),
  ];
  expect(knownPoints(study, points, made).map(({ key, runId }) => [key, runId])).toEqual([
    ['tiles=1;placement=drs;repeat=1', 'run-1'],
    ['tiles=2;placement=drs;repeat=1', 'run-2'],
  ]);
  const later = whatIfStudy(study, lab, { id: 's2', base: 'drs', ...less, values: [2, 3] });
  expect(knownPoints(study, points, later)).toEqual([]);
  const byHand = whatIfStudy(study, lab, { id: 's2', base: 'hand', ...less });
  expect(knownPoints(study, points, byHand)).toEqual([]);
});

/** Both curves with their saturation; 'grows' = none found. */
function measured(was: number | 'grows', now: number | 'grows', top = 3, step = 1): StudyOverview {
  const knee = (placement: string, at: number | 'grows'): StudyOverview['knees'][number] => ({
    measure: 'score',
    series: `placement=${placement}`,
    results: [
      {
        method: 'saturation: within 2 % of the highest',
        low: at === 'grows' ? null : at - step,
        high: at === 'grows' ? null : at,
        estimate: at === 'grows' ? null : at,
        note: at === 'grows' ? 'still growing at the last measured value' : 'between',
      },
    ],
  });
  return studyOverview.parse({
    spec: made,
    rev: 1,
    state: 'done',
    origin: 'simulated',
    instruction: null,
    points: [1, 2, 3, 4].flatMap((tiles) => [
      point(tiles, 'drs', tiles),
      point(tiles, 'whatIf', Math.min(tiles, top)),
    ]),
    activeKey: null,
    startedAtMs: 0,
    endedAtMs: 1,
    nowMs: 1,
    limit: null,
    knees: [knee('drs', was), knee('whatIf', now)],
    published: [],
    expectations: [],
  });
}

test.each<[number | 'grows', number | 'grows', number, string]>([
  [4, 3, 3, 'Saturates at 3 instead of 4 tiles. Highest score: 25 % less.'],
  [
    3,
    3,
    4,
    'Saturates at 3 tiles, with the changes and without them. Highest score: the same within half a percent.',
  ],
  [
    'grows',
    3,
    3.8,
    'Saturates at 3 tiles; without the changes it still grows at 4 tiles. Highest score: 5.0 % less.',
  ],
  [
    1,
    'grows',
    4,
    'Still grows at 4 tiles; without the changes it saturates at 1 tile. Highest score: the same within half a percent.',
  ],
  [
    'grows',
    'grows',
    4,
    'Neither curve saturates up to 4 tiles. Highest score: the same within half a percent.',
  ],
])('saturated at %s, with the changes at %s: in a sentence', (was, now, top, sentence) => {
  expect(whatIfSentence(measured(was, now, top))).toBe(sentence);
});

test('where points lie apart, the sentence says between which it saturates', () => {
  expect(whatIfSentence(measured(4, 3, 3, 2))).toBe(
    'Saturates between 1 and 3 tiles instead of between 2 and 4. Highest score: 25 % less.',
  );
});

test('nothing is said before both curves are measured, nor of a study that changes no lab', () => {
  const done = measured(4, 3);
  const running = { ...done.points[7]!, state: 'running' as const };
  expect(whatIfSentence({ ...done, points: [...done.points.slice(0, 7), running] })).toBeNull();
  expect(whatIfSentence({ ...done, spec: study })).toBeNull();
  expect(
    whatIfSentence({ ...done, points: done.points.filter((p) => p.values['placement'] === 'drs') }),
  ).toBeNull();
});
