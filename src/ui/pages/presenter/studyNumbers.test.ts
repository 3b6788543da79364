import {
  type StudyOverview,
  studyOverview,
  type StudyPoint,
  studySpecSchema,
} from '../../../core/study/study.ts';
import { demoRun } from '../runs/testing/records.ts';
import { donePoints, newestPoint, studyNumbers } from './studyNumbers.ts';

const axis = {
  name: 'tiles',
  label: 'Tiles',
  parameter: { kind: 'tiles' as const },
  values: [1, 2],
};
const study = (
  measures: readonly (Record<string, number | null> | null)[],
  change: { axes?: unknown[]; states?: StudyPoint['state'][] } = {},
): StudyOverview =>
  studyOverview.parse({
    spec: studySpecSchema.parse({
      schemaVersion: 1,
      id: 's',
      name: 'Tiles',
      planId: 'p',
      axes: change.axes ?? [axis],
    }),
    rev: 1,
    state: 'running',
    origin: 'simulated',
    instruction: null,
    activeKey: null,
    startedAtMs: 0,
    endedAtMs: null,
    nowMs: 0,
    limit: null,
    knees: [],
    published: [],
    expectations: [],
    points: measures.map((m, i) => ({
      key: `tiles=${i + 1}`,
      values: { tiles: i + 1 },
      repeat: 1,
      state: change.states?.[i] ?? (m === null ? 'pending' : 'passed'),
      runId: m === null ? null : `r${i + 1}`,
      measures: m ?? {},
    })),
  });
const run = demoRun();
const { workloads } = run.record.overview;
const at = (
  overview: StudyOverview,
  index: number,
  record = true,
): Record<string, [string, number | null]> =>
  Object.fromEntries(
    studyNumbers(
      overview,
      overview.points[index]!,
      record ? run.record : null,
      record ? workloads : [],
    ).map((n) => [n.key, [n.label, n.value]]),
  );

test('scaling is the score over the reference point, the rest is measured at the point or is its run', () => {
  const overview = study([
    { score: 2, wattsPerVm: 20 },
    { score: 7.8, wattsPerVm: 17.5, 'throughput.database.sum': 1_000, 'throughput.file.sum': 30 },
  ]);
  expect(at(overview, 1)).toEqual({
    tiles: ['Tiles', 2],
    vms: ['Virtual machines', 8],
    transactions: ['Transactions per minute', 60_000],
    wattsPerVm: ['Watts per VM', 17.5],
    scaling: ['Scaling', 3.9],
  });
  expect(at(overview, 0)['scaling']).toEqual(['Scaling', 1]);
});

test('before the reference has run scaling is missing; without a score it is not there', () => {
  expect(at(study([null, { score: 7.8 }]), 1, false)).toEqual({
    tiles: ['Tiles', 2],
    scaling: ['Scaling', null],
  });
  expect(at(study([{ 'throughput.database.sum': null, wattsPerVm: null }]), 0)).toEqual({
    tiles: ['Tiles', 1],
    vms: ['Virtual machines', 8],
    transactions: ['Transactions per minute', null],
  });
});

test('a study of single VMs names them once, by the word of the study', () => {
  const overview = study([{ score: 1 }, { score: 2 }], {
    axes: [{ ...axis, label: 'Virtual machines' }],
  });
  const two = workloads.filter((w) => w.workloadId === 'database');
  expect(
    studyNumbers(overview, overview.points[1]!, run.record, two).map((n) => [
      n.key,
      n.label,
      n.value,
    ]),
  ).toEqual([
    ['tiles', 'Virtual machines', 2],
    ['scaling', 'Scaling', 2],
  ]);
});

test('repeats of a point are taken together, failed QoS counts as a result, what did not end does not', () => {
  const overview = study([{ score: 2 }, { score: 6 }, { score: 8 }], {
    states: ['passed', 'qosFailed', 'aborted'],
  });
  overview.points[2]!.values = { tiles: 2 };
  expect(donePoints(overview).map((p) => p.key)).toEqual(['tiles=1', 'tiles=2']);
  expect(newestPoint(overview)?.key).toBe('tiles=2');
  expect(at(overview, 1, false)['scaling']).toEqual(['Scaling', 3]);
  overview.points[2]!.state = 'passed';
  expect(at(overview, 1, false)['scaling']).toEqual(['Scaling', 3.5]);
  expect(newestPoint(study([null]))).toBeNull();
});
