import { createHash } from 'node:crypto';

import { demoPair, demoStudy } from '../../ui/pages/studies/testing/overviews.ts';
import { formatExact } from '../base/format.ts';
import { compareStudies } from '../study/compareStudies.ts';
import type { StudyAxis } from '../study/study.ts';
import { drawFigure } from './figureSvg.ts';
import { reportHtml } from './html.ts';
import { reportMarkdown } from './markdown.ts';
import type { Report } from './model.ts';
import { studiesReport } from './studiesReport.ts';
import { studyReport, type StudyReportInput } from './studyReport.ts';

const hash = (text: string): string => createHash('sha256').update(text).digest('base64');
const none = {
  curves: [],
  curve: null,
  beforeKey: null,
  afterKey: null,
  why: 'Two measured points of a curve are needed.',
  diagnosis: null,
};
const origin = {
  fileText: '{\n  "tilebenchStudy": 1\n}\n',
  command: 'tilebench study run study.json',
  facts: [['Seed', '7']] as const,
};
const input = (overview = demoStudy()): StudyReportInput => ({
  overview,
  workloads: new Map([['database', { name: 'Database', unit: 'tps' }]]),
  planName: 'Plan',
  profileName: 'Tile 1',
  testbedNames: ['Rack'],
  diagnosis: none,
  runOf: () => null,
  origin,
  appVersion: '1.2.3',
  madeAtMs: 0,
});

test('the report of a changed lab says what was changed, and that nobody calibrated it', () => {
  const demo = demoStudy();
  const axis: StudyAxis = {
    name: 'lab',
    label: 'Lab',
    unit: '',
    parameter: {
      kind: 'whatIf',
      held: [],
      sets: {
        whatIf: { edits: [{ kind: 'removeHost', id: 'h2' }], words: ['1 host instead of 2'] },
      },
    },
    values: ['given', 'whatIf'],
    valueLabels: {},
  };
  const points = ['given', 'whatIf'].flatMap((lab, less) =>
    demo.points.map((p) => ({
      ...p,
      values: { ...p.values, lab },
      measures: { score: p.measures['score']! / (less + 1) },
    })),
  );
  const spec = { ...demo.spec, axes: [...demo.spec.axes, axis] };
  const report = studyReport(input({ ...demo, points, spec, knees: [], expectations: [] }));
  expect(new Map(report.facts).get('Changed lab')).toMatch(
    /^1 host instead of 2\. Not calibrated: the model was held/,
  );
  expect(report.sentence).toMatch(/^Highest score: 50 % less\. 12 of 12 points run/);
});

const of = (report: Report, title: string): readonly (readonly string[])[] =>
  report.sections.find((s) => s.title === title)!.tables[0]!.rows;

test('a reader finds curves, knee, points, what was published with its source, why, and how to make it again', () => {
  const report = studyReport(input());
  expect(report.sections.map((s) => s.title)).toEqual([
    'The curve',
    'What each point did',
    'Beside what was published',
    'Knee',
    'Points',
    'Compared with what was published',
    'Published figures',
    'Why it stops scaling',
    'How to make it again',
  ]);
  expect(report.marks.map((m) => m.word)).toEqual(['SIMULATED']);
  expect(report.sentence).toBe(
    '6 of 6 points run, 5 passed, 1 missed a QoS limit. 1 of 3 published figures met.',
  );
  const [figure] = report.sections[0]!.figures!;
  expect(figure!.series.map((s) => [s.label, s.hollow, s.points.length])).toEqual([
    ['Modelled', false, 6],
    ['Published', true, 1],
  ]);
  expect(figure!.bands[0]!.label).toBe('Knee 3.81 to 4.18 tiles, two-segment regression');
  expect(of(report, 'Knee').map((r) => r[2])).toEqual(['3 to 4', '3.81 to 4.18', '3 to 5', 'none']);
  expect(of(report, 'Compared with what was published')[1]).toEqual([
    'Scaling at 6 tiles',
    '3.91 ×',
    '5.9',
    '−1.99 ×',
    '5.60 to 6.20 ×',
    'missed',
    'Seed 000, line 14',
  ]);
});

test('points are those of the study, each with its verdict and run', () => {
  const overview = demoStudy();
  const { rows } = studyReport(input(overview)).sections.find((s) => s.title === 'Points')!
    .tables[0]!;
  overview.points.forEach((p, i) =>
    expect(rows[i]).toEqual([
      String(p.values['tiles']),
      i === 5 ? 'QoS failed. Mail latency over its limit' : 'Passed',
      formatExact(p.measures['score']!, 2),
      p.runId,
    ]),
  );
});

test('the picture says what failed in a word, and names each point for the readout', () => {
  const [figure] = studyReport(input()).sections[0]!.figures!;
  const drawn = drawFigure(figure!);
  expect(drawn.svg).toContain('>QoS failed</text>');
  expect(drawn.points.map((p) => p.text)).toContainEqual(
    expect.stringMatching(
      /^Modelled, 6 tiles: 3\.91 × one tile\. QoS failed: Mail latency over its limit$/,
    ),
  );
  for (const p of drawn.points)
    expect([p.x > 0 && p.x < drawn.width, p.y > 0 && p.y < drawn.height]).toEqual([true, true]);
});

test('two measures of different units have an axis each in the picture', () => {
  const demo = demoStudy();
  const charts = [
    {
      title: 'Both',
      measure: 'score',
      label: 'Work',
      unit: '×',
      normalise: false,
      also: [{ measure: 'cpuPct.host.mean', label: 'CPU', unit: '%' }],
    },
  ];
  const report = studyReport(input({ ...demo, spec: { ...demo.spec, charts } }));
  const [figure] = report.sections[0]!.figures!;
  expect(figure!.right).toEqual({ label: 'CPU', unit: '%' });
  const drawn = drawFigure(figure!);
  expect(drawn.svg).toContain('>CPU (%)</text>');
  const [one, two] = [0, 1].map((n) => drawn.points.filter(({ series }) => series === n));
  // Six times as much of either, so they stand at one height: each against its own axis.
  expect(Math.abs(one!.at(-1)!.y - two!.at(-1)!.y)).toBeLessThan(40);
});

test('the file of the study is whole in HTML and Markdown, and stays text there', () => {
  const report = studyReport({
    ...input(),
    origin: { ...origin, fileText: '{ "name": "```</pre><script>alert(1)</script>" }\n' },
  });
  expect(reportHtml(report, hash).match(/<script/g)).toHaveLength(2);
  expect(reportMarkdown(report)).toContain(
    '````\n{ "name": "```</pre><script>alert(1)</script>" }\n````',
  );
});

test('curves over each other: gaps at each value as compared, guards first in every format', () => {
  const overview = demoPair();
  const comparison = compareStudies([{ overview, recordOf: () => null, workloads: {} }]);
  const study = {
    id: 's1',
    name: 'Consolidation',
    planName: 'Plan',
    points: 6,
    diagnosis: none,
    origin,
  };
  const report = studiesReport({ comparison, studies: [study], appVersion: '1.2.3', madeAtMs: 0 });
  expect(report.sentence).toBe(comparison.sentence);
  expect(report.sections[1]!.tables[0]!.rows).toEqual([
    ['1', '1.00', '1.10', '+0.10', '+10.0 %, ahead'],
    ['2', '2.00', '2.20', '+0.20', '+10.0 %, ahead'],
    ['3', '3.00', '3.30', '+0.30', '+10.0 %, ahead'],
  ]);
  const guarded = studiesReport({
    comparison: { ...comparison, guards: ['Different swept parameter: Tiles against Users.'] },
    studies: [study],
    appVersion: '1.2.3',
    madeAtMs: 0,
  });
  expect(reportHtml(guarded, hash)).toMatch(
    /<div class="banner" role="alert"><h2>These curves must not be compared<\/h2><ul><li>Different swept parameter: Tiles against Users\.<\/li>/,
  );
  expect(reportMarkdown(guarded)).toContain('> - Different swept parameter: Tiles against Users.');
});
