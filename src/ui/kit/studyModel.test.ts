import { measureWords } from '../../core/metric/measureWords.ts';
import { type ChartChoice, referenceOf } from '../../core/study/figurePlot.ts';
import { kneeMethods } from '../../core/study/studyKnees.ts';
import { chartChoices, studyChart } from '../../core/study/studyModel.ts';
import { demoPair, demoStudy } from '../pages/studies/testing/overviews.ts';
import { progressText, studyProgress } from './studyWords.ts';

const raw: ChartChoice = {
  key: 'score',
  title: 'Score',
  measure: 'score',
  unit: '',
  decimals: 2,
  normalise: false,
  group: 'Result',
};
const own = (): ChartChoice => chartChoices(demoStudy(), new Map())[0]!;

test('the charts of the author come first; what no point measured is not offered', () => {
  const choices = chartChoices(
    demoStudy(),
    new Map([['database', { name: 'Database', unit: 'tps' }]]),
  );
  expect(choices.map((c) => c.title)).toEqual([
    'Scaling',
    'Database throughput',
    'Score',
    'Host CPU, mean of the hosts',
  ]);
});

test('normalised: the reference is 1, and published ratios stand beside', () => {
  const { input, unit } = studyChart(demoStudy(), own(), true);
  expect(unit).toBe('× one tile');
  expect(input.series.map((s) => s.label)).toEqual(['Modelled', 'Published']);
  expect(input.series[0]!.points[0]!.y).toBe(1);
  expect(input.series[0]!.points[3]!.y).toBeCloseTo(4);
  expect(input.series[1]!.points[0]).toMatchObject({
    x: 4,
    y: 4,
    open: null,
    lines: [
      'Published, 4 tiles: 4.00 × one tile',
      'Four tiles',
      'Source: Seed 000, line 12: "four tiles"',
    ],
  });
  expect(input.series[0]!.shape).not.toBe(input.series[1]!.shape);
});

test('not normalised: published ratios are not drawn on a scale they do not share, and the chart says so', () => {
  const { input, notes } = studyChart(demoStudy(), own(), false);
  expect(input.series.map((s) => s.label)).toEqual(['Modelled']);
  expect(input.series[0]!.points[0]!.y).toBe(1.1);
  expect(notes).toEqual([
    'Published figures are in × one tile and are not drawn here; the table below has them.',
  ]);
});

test('published figures in the unit of the measure are drawn as they are, and normalised by their own reference', () => {
  const watts = (value: number, tiles: number) => ({
    factIds: [],
    measure: 'score',
    label: '',
    values: { tiles },
    value,
    unit: 'ops/s',
    source: 'x',
  });
  const study = demoStudy({ published: [watts(200, 1), watts(500, 3)] });
  const choice = { ...raw, unit: 'ops/s' };
  expect(studyChart(study, choice, false).input.series[1]!.points.map((p) => p.y)).toEqual([
    200, 500,
  ]);
  expect(studyChart(study, choice, true).input.series[1]!.points.map((p) => p.y)).toEqual([1, 2.5]);
});

test('without a value at the reference no measured point is drawn, and it is said; what was published stands', () => {
  const study = demoStudy();
  const late = { ...study, points: study.points.slice(1) };
  expect(referenceOf(late, 'score')).toBeNull();
  const { notes, input } = studyChart(late, own(), true);
  expect(notes).toEqual(['Points are drawn once the reference point has a value of this measure.']);
  expect(input.series[0]!.points).toEqual([]);
  expect(input.series[1]!.points.map((p) => p.y)).toEqual([4]);
  expect(input.planned).toEqual([1, 2, 3, 4, 5, 6]);
});

test('a point that broke a limit wears its word; a measure that is missing leaves a gap and no zero', () => {
  const { input } = studyChart(demoStudy(), raw, false);
  expect(input.series[0]!.points.map((p) => p.flaw?.word ?? null)).toEqual([
    null,
    null,
    null,
    null,
    null,
    'QoS failed',
  ]);
  expect(
    studyChart(demoStudy(), { ...raw, measure: 'powerW.sum.mean' }, false).input.series[0]!.points,
  ).toEqual([]);
});

test('repeats are one point with its spread, and the worst state counts', () => {
  const study = demoStudy();
  const repeated = {
    ...study.points[2]!,
    key: 'tiles=3;repeat=2',
    repeat: 2,
    state: 'failed' as const,
    runId: 'run-3b',
    measures: { score: 3.5 },
  };
  const { input } = studyChart({ ...study, points: [...study.points, repeated] }, raw, false);
  expect(input.series[0]!.points).toHaveLength(6);
  expect(input.series[0]!.points[2]).toMatchObject({
    low: 3.3,
    high: 3.5,
    open: 'run-3',
    flaw: { word: 'Run failed' },
  });
  expect(input.series[0]!.points[2]!.y).toBeCloseTo(3.4);
});

test('two axes are two curves in the order of the second, each with its name and shape', () => {
  const { input } = studyChart(demoPair(), raw, false);
  expect(input.series.map((s) => s.label)).toEqual(['Modelled, Old array', 'Modelled, New array']);
  expect(new Set(input.series.map((s) => s.shape)).size).toBe(2);
  expect(input.series[1]!.points.map((p) => p.y)).toEqual([1.1, 2.2, 3.3000000000000003]);
});

test('the knee is a band by one named method, the saturation a mark; what was not found is not drawn', () => {
  const study = demoStudy();
  expect(kneeMethods(study, 'score', '')).toEqual(['two-segment regression', 'Kneedle']);
  const { input } = studyChart(study, raw, false);
  expect(input.bands.map((b) => [b.from, b.to, b.label])).toEqual([
    [3.81, 4.18, 'Knee 3.81 to 4.18 tiles, two-segment regression'],
  ]);
  expect(input.marks.map((m) => m.label)).toEqual(['Saturated from 4 tiles']);
  expect(
    studyChart(study, raw, false, { method: 'Kneedle' }).input.bands.map((b) => b.label),
  ).toEqual(['Knee 3 to 5 tiles, Kneedle']);
  expect(studyChart(study, { ...raw, measure: 'cpuPct.host.mean' }, false).input.bands).toEqual([]);
});

test('of several curves one has its knee drawn: the last, or the chosen', () => {
  const pair = demoPair();
  const knee = (series: string, low: number) => ({
    measure: 'score',
    series,
    results: [{ method: 'two-segment regression', low, high: low + 1, estimate: low, note: '' }],
  });
  const study = { ...pair, knees: [knee('array=old', 1), knee('array=new', 2)] };
  expect(studyChart(study, raw, false).input.bands.map((b) => b.label)).toEqual([
    'Knee 2 to 3 tiles, two-segment regression, New array',
  ]);
  expect(
    studyChart(study, raw, false, { curve: 'array=old' }).input.bands.map((b) => b.from),
  ).toEqual([1]);
});

test('plateau and stressed region of a response-time curve stand beside its knee', () => {
  const results = [
    ['two-segment regression', 4, 5],
    ['performance plateau', 1, 3],
    ['stressed region', 3, 5],
  ].map(([method, low, high]) => ({
    method: String(method),
    low: Number(low),
    high: Number(high),
    estimate: null,
    note: '',
  }));
  const study = demoStudy({ knees: [{ measure: 'score', series: '', results }] });
  expect(kneeMethods(study, 'score', '')).toEqual(['two-segment regression']);
  expect(studyChart(study, raw, false).input.bands.map((b) => [b.label, b.faint ?? false])).toEqual(
    [
      ['Knee 4 to 5 tiles, two-segment regression', false],
      ['Performance plateau 1 to 3 tiles', true],
      ['Stressed region 3 to 5 tiles', true],
    ],
  );
});

test('a limit that was searched is two marks', () => {
  expect(
    studyChart(
      demoStudy({ knees: [], limit: { lastPass: 4, firstFail: 5, confirmed: 2 } }),
      raw,
      false,
    ).input.marks.map((m) => m.label),
  ).toEqual(['Last pass 4 tiles', 'First fail 5 tiles']);
});

test('measures in words: workloads by name, unknown ones as they are', () => {
  const names = new Map([['mail', { name: 'Mail', unit: 'actions/min' }]]);
  expect(measureWords('throughput.mail.sum', names)).toMatchObject({
    label: 'Mail throughput',
    unit: 'actions/min',
    group: 'Result',
  });
  expect(measureWords('latencyP95Ms.mail.max', names)).toMatchObject({
    label: 'Mail 95th percentile latency, worst tile',
    unit: 'ms',
  });
  expect(measureWords('score.infrastructure')).toMatchObject({
    label: 'Infrastructure part of the score',
    group: 'Parts of the score',
  });
  expect(measureWords('cpuPct.host.min')).toMatchObject({
    label: 'Host CPU, least busy host',
    unit: '%',
  });
  expect(measureWords('wattsPerVm')).toMatchObject({ label: 'Watts per VM', unit: 'W' });
  expect(measureWords('readyPct.host.esx1.mean')).toMatchObject({
    label: 'CPU ready time, esx1',
    unit: '%',
    group: 'Other',
  });
  expect(measureWords('taskRunMs.infra.vmotion.max')).toMatchObject({
    label: 'Time running in vCenter, vmotion, highest',
    unit: 'ms',
  });
  expect(measureWords('odd.thing')).toMatchObject({ label: 'odd.thing', unit: '' });
  expect(measureWords('netKbps.uplink.esx1/vmnic2.mean')).toMatchObject({
    label: 'Uplink esx1/vmnic2',
  });
  expect(measureWords('odd.thing')).toMatchObject({ label: 'odd.thing', group: 'Other' });
});

test('progress counts what is over, and tells the time left in the lab and here', () => {
  const study = demoStudy();
  const running = {
    ...study,
    points: study.points.map((p, i) =>
      i < 2 ? p : { ...p, state: i === 2 ? ('running' as const) : ('pending' as const) },
    ),
  };
  const plan = {
    phases: { rampUpS: 600, staggerS: 0, steadyS: 2_400, periods: 3, rampDownS: 0 },
  } as Parameters<typeof studyProgress>[1];
  const progress = studyProgress(running, plan, 600_000);
  expect(progress).toEqual({ done: 2, total: 6, failed: 0, leftMs: 4 * 3_000_000 - 600_000 });
  expect(progressText(progress, false, 600)).toBe(
    '2 of 6 points, 3:10:00 left of lab time, about 0:19 here',
  );
  expect(progressText(progress, false, 1)).toBe('2 of 6 points, 3:10:00 left');
  expect(progressText(studyProgress(study, plan, 0), false, 600)).toBe('6 of 6 points, 1 failed');
});
