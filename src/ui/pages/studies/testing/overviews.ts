import type { LabStatus } from '../../../../core/lab/lab.ts';
import type {
  GalleryItem,
  StudyOverview,
  StudyPoint,
  StudySpec,
} from '../../../../core/study/study.ts';

/** A study of tiles 1 to 6 that saturates at 4 and breaks a limit at 6: for tests of screens. */
export function demoStudy(
  change: Partial<StudyOverview> = {},
  spec: Partial<StudySpec> = {},
): StudyOverview {
  const scores = [1.1, 2.2, 3.3, 4.4, 4.4, 4.3];
  const points = scores.map((score, i): StudyPoint => ({
    key: `tiles=${i + 1};repeat=1`,
    values: { tiles: i + 1 },
    repeat: 1,
    state: i === 5 ? 'qosFailed' : 'passed',
    runId: `run-${i + 1}`,
    earlierRunIds: [],
    detail: i === 5 ? 'Mail latency over its limit' : '',
    measures: {
      score,
      'cpuPct.host.mean': 22 * (i + 1),
      'powerW.sum.mean': null,
      'throughput.database.sum': 1_000 * (i + 1),
    },
  }));
  return {
    spec: {
      schemaVersion: 1,
      id: 's1',
      name: 'Consolidation',
      version: 2,
      planId: 'p1',
      axes: [
        {
          name: 'tiles',
          label: 'Tiles',
          unit: 'tiles',
          parameter: { kind: 'tiles' },
          values: [1, 2, 3, 4, 5, 6],
          valueLabels: {},
        },
      ],
      order: 'asGiven',
      repeats: 1,
      pauseS: 0,
      stopRule: 'never',
      charts: [{ title: 'Scaling', measure: 'score', unit: '× one tile', normalise: true }],
      galleryId: 'E01',
      notes: '',
      ...spec,
    },
    rev: 5,
    state: 'done',
    origin: 'simulated',
    instruction: null,
    points,
    activeKey: null,
    startedAtMs: 0,
    endedAtMs: 1_000_000,
    nowMs: 1_000_000,
    detail: '',
    limit: null,
    knees: [
      {
        measure: 'score',
        series: '',
        results: [
          {
            method: 'saturation: within 2 % of the highest',
            low: 3,
            high: 4,
            estimate: 4,
            note: 'between the two measured values',
          },
          {
            method: 'two-segment regression',
            low: 3.81,
            high: 4.18,
            estimate: 4,
            note: '95 % interval',
          },
          {
            method: 'Kneedle',
            low: 3,
            high: 5,
            estimate: 4,
            note: 'interval: the measured neighbours',
          },
          {
            method: 'universal scalability law',
            low: null,
            high: null,
            estimate: null,
            note: 'the fit has no maximum inside the measured values',
          },
        ],
      },
    ],
    published: [
      {
        factIds: ['f1'],
        measure: 'score',
        label: 'Four tiles',
        values: { tiles: 4 },
        value: 4,
        unit: '× one tile',
        source: 'Seed 000, line 12: "four tiles"',
      },
    ],
    expectations: [
      {
        id: 'x1',
        label: 'Scaling at 4 tiles',
        unit: '×',
        model: 4,
        published: '4.0',
        low: 3.9,
        high: 4.1,
        difference: 0,
        inside: true,
        source: 'Seed 000, line 12',
      },
      {
        id: 'x2',
        label: 'Scaling at 6 tiles',
        unit: '×',
        model: 3.909,
        published: '5.9',
        low: 5.6,
        high: 6.2,
        difference: -1.991,
        inside: false,
        source: 'Seed 000, line 14',
      },
      {
        id: 'x3',
        label: 'Watts per VM',
        unit: 'W',
        model: null,
        published: '17.5 W',
        low: 17,
        high: 18,
        difference: null,
        inside: false,
        source: 'Seed 003, line 9',
      },
    ],
    ...change,
  };
}

/** The same over two arrays: two curves. */
export function demoPair(): StudyOverview {
  const base = demoStudy();
  const points = ['old', 'new'].flatMap((array, a) =>
    [1, 2, 3].map((tiles): StudyPoint => ({
      key: `tiles=${tiles};array=${array};repeat=1`,
      values: { tiles, array },
      repeat: 1,
      state: 'passed',
      runId: `run-${array}-${tiles}`,
      earlierRunIds: [],
      detail: '',
      measures: { score: tiles * (1 + a * 0.1) },
    })),
  );
  return {
    ...base,
    points,
    knees: [],
    published: [],
    expectations: [],
    spec: {
      ...base.spec,
      axes: [
        { ...base.spec.axes[0]!, values: [1, 2, 3] },
        {
          name: 'array',
          label: 'Array',
          unit: '',
          parameter: { kind: 'testbed' },
          values: ['old', 'new'],
          valueLabels: { old: 'Old array', new: 'New array' },
        },
      ],
    },
  };
}

export const demoGallery = (state: GalleryItem['state'] = null): GalleryItem[] => [
  {
    id: 'E01',
    title: 'Twenty tiles on four hosts',
    paragraph: 'Tiles are added until the cluster is full.',
    benchmark: 'VMmark 1.0',
    year: '2008',
    swept: 'Tiles 1 to 20',
    shows: 'Scaling is linear to sixteen tiles, then flat.',
    studyId: 'e01-study',
    state,
    testbed: {
      hosts: [1, 2, 3, 4].map((n) => ({ name: `host${n}`, text: '2 × 4 cores, 2.3 GHz' })),
      arrays: [{ name: 'array', text: '90 disks', luns: 20 }],
      clients: 20,
      vms: 120,
    },
    published: [{ label: 'Saturated at', text: '17 tiles', source: 'Seed 000, line 31' }],
  },
  {
    id: 'E14',
    title: 'Sixty-four hosts on one LUN',
    paragraph: 'Hosts share one LUN.',
    benchmark: 'Iometer',
    year: '2009',
    swept: 'Hosts 1 to 64',
    shows: 'Throughput stays flat.',
    studyId: 'e14-study',
    state: null,
    testbed: {
      hosts: Array.from({ length: 64 }, (_, n) => ({ name: `blade${n + 1}`, text: '2 × 2 cores' })),
      arrays: [{ name: 'shared', text: '5 disks', luns: 1 }],
      clients: 0,
      vms: 64,
    },
    published: [],
  },
];

export const demoStatus = (change: Partial<LabStatus> = {}): LabStatus => ({
  nowMs: 1_200_000_000_000,
  paused: false,
  speed: 600,
  labs: [
    {
      id: 'e01',
      name: 'Four hosts',
      variant: null,
      hosts: 4,
      vms: 120,
      faults: [],
      targets: [
        { kind: 'host', id: 'host1', name: 'host1' },
        { kind: 'lun', id: 'lun1', name: 'lun1' },
        { kind: 'lun', id: 'lun2', name: 'lun2' },
        { kind: 'client', id: 'client1', name: 'client1' },
        { kind: 'meter', id: 'meter', name: 'meter' },
        { kind: 'vcenter', id: 'vcenter', name: 'e01.sim' },
      ],
    },
  ],
  ...change,
});
