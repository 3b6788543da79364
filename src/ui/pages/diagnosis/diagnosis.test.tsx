import { screen, waitFor, within } from '@testing-library/react';

import { fail } from '../../../core/base/errors.ts';
import type { Diagnosis, Hypothesis } from '../../../core/diagnosis/diagnosis.ts';
import { type Answers, renderRoute } from '../../testing/renderRoute.tsx';
import { demoStatus, demoStudy } from '../studies/testing/overviews.ts';

beforeEach(() => {
  localStorage.clear();
});

const window = { fromMs: 60_000, toMs: 660_000 };
const spindles: Hypothesis = {
  cause: 'spindles',
  title: 'Array saturated',
  subjects: ['lun1'],
  score: 0.82,
  confidence: 'strong',
  explanation: 'A command to lun1 takes 31.0 ms.',
  remedy: 'Add disks to the LUN.',
  evidence: [
    {
      metric: 'deviceLatencyMs',
      label: 'Device latency',
      entityId: 'd1',
      entityName: 'lun1',
      unit: 'ms',
      before: 5,
      after: 31,
      threshold: 15,
      thresholdSource: 'VMware vSphere 6.7, Monitoring and Performance',
      broken: true,
      seriesIds: [7],
      window,
    },
    {
      metric: 'iops',
      label: 'Commands',
      entityId: 'd1',
      entityName: 'lun1',
      unit: 'IOPS',
      before: 1_000,
      after: 1_040,
      threshold: null,
      thresholdSource: '',
      broken: null,
      seriesIds: [8],
      window,
    },
  ],
  alignment: {
    crossedMs: 60_000,
    failedMs: 80_000,
    whileFailing: 1,
    otherwise: 0.1,
    words: 'It crosses its threshold when Tile 6 Mail begins to fail.',
    bucketMs: 20_000,
    startMs: 0,
    counter: [0.3, null, 1.2, 1.6],
    workload: [0.5, 0.7, 1.3, 1.4],
  },
  failing: { on: 4, of: 5, tiles: [4, 5] },
};
const diagnosis: Diagnosis = {
  before: { runId: 'run-5', name: 'Five', tiles: 5, label: '5 tiles' },
  after: { runId: 'run-6', name: 'Six', tiles: 6, label: '6 tiles' },
  healthy: false,
  sentence:
    '6 tiles after 5 tiles: 5 of 36 workloads break a quality limit (mail). Most likely array saturated: lun1.',
  failing: [
    {
      entityId: 't5.mail',
      name: 'Tile 6 Mail',
      tile: 5,
      metric: 'latencyMeanMs',
      unit: 'ms',
      before: 20,
      after: 70,
      limit: 50,
      why: 'qos',
      seriesId: 3,
    },
  ],
  hypotheses: [
    spindles,
    {
      ...spindles,
      cause: 'client',
      title: 'Client saturated',
      subjects: ['client1'],
      score: 0.4,
      confidence: 'possible',
      explanation: 'client1 is 90 % busy.',
      alignment: null,
      evidence: [],
    },
  ],
  acts: [
    {
      actId: 'act',
      label: 'Host esx3 fails at 30:00',
      atMs: 1_800_000,
      words: 'Host esx3 fails at 30:00: 3 workloads on it did nothing for 90 s.',
      windows: [
        {
          name: 'before',
          fromMs: 900_000,
          toMs: 1_800_000,
          failing: 0,
          of: 36,
          words: 'No quality limit is broken.',
        },
        {
          name: 'during',
          fromMs: 1_800_000,
          toMs: 1_920_000,
          failing: 3,
          of: 36,
          words: '3 of 36 workloads do less than before.',
        },
      ],
    },
  ],
  cleared: [{ cause: 'uplink', words: 'Busiest link 12 %.' }],
  notMeasured: [
    {
      what: 'Swapped and ballooned memory',
      why: 'No samples from vCenter in the steady state.',
      causes: ['memory'],
    },
  ],
};
const answers = (change: Answers = {}): Answers => ({
  'lab.status': () => demoStatus(),
  'study.overview': () => demoStudy(),
  'study.diagnose': ({ beforeKey }) => ({
    curves: [{ key: '', label: '' }],
    curve: '',
    beforeKey: beforeKey ?? demoStudy().points[4]!.key,
    afterKey: demoStudy().points[5]!.key,
    why: 'The last point that keeps its quality limits, and the first that breaks one.',
    diagnosis,
  }),
  ...change,
});
const section = () => screen.findByRole('region', { name: 'Why did it stop scaling' });

test('hypotheses in order, each with who fails on it; evidence, threshold and source unfold by key', async () => {
  const { user } = renderRoute('/studies/s1', answers());
  const why = await section();
  const list = await within(why).findByRole('list', { name: 'Hypotheses, the likeliest first' });
  const [first, second] = within(list).getAllByRole('button');
  expect(first).toHaveAccessibleName(
    /^1\. Array saturated · lun1 4 of 5 failing workloads, tiles 5, 6 Strong$/,
  );
  expect(second).toHaveAccessibleName(/^2\. Client saturated · client1 .* Possible$/);
  expect(within(why).getByText(/^Host esx3 fails at 30:00: 3 workloads on it/)).toBeVisible();
  expect(
    within(why)
      .getAllByRole('listitem')
      .map((one) => one.textContent)
      .filter((text) => /^(Before it|While it|After it)/.test(text ?? '')),
  ).toEqual([
    'Before it, 15:00 · No quality limit is broken.',
    'While it was under way, 2:00 · 3 of 36 workloads do less than before.',
  ]);
  first!.focus();
  await user.keyboard('{Enter}');
  expect(first).toHaveAttribute('aria-expanded', 'true');
  const table = within(list).getByRole('table', { name: 'Counters of Array saturated' });
  expect(
    within(table).getByRole('row', {
      name: /^Device latency ?lun1 5 ms 31 ms 6\.20 × Over 15 ms ?VMware vSphere 6\.7/,
    }),
  ).toBeVisible();
  expect(
    within(table).getByRole('row', {
      name: /^Commands ?lun1 1.000 IOPS 1.040 IOPS \+40 IOPS For comparison$/,
    }),
  ).toBeVisible();
  expect(within(list).getByRole('figure', { name: 'Alignment in time' })).toHaveTextContent(
    'It crosses its threshold when Tile 6 Mail begins to fail.',
  );
  expect(within(list).getByRole('link', { name: 'Open run at 6 tiles' })).toHaveAttribute(
    'href',
    '/runs/run-6',
  );
  expect(why).toHaveTextContent(
    'Swapped and ballooned memory · No samples from vCenter in the steady state. Unknown: memory swapped or ballooned.',
  );
  expect(why).toHaveTextContent('Uplink saturated · Busiest link 12 %.');
});

test('two other points are asked for; a healthy saturation says so', async () => {
  const { user, calls } = renderRoute(
    '/studies/s1',
    answers({
      'study.diagnose': () => ({
        curves: [],
        curve: null,
        beforeKey: null,
        afterKey: null,
        why: '',
        diagnosis: { ...diagnosis, healthy: true },
      }),
    }),
  );
  expect(await within(await section()).findByText('Healthy saturation')).toBeVisible();
  await user.selectOptions(
    screen.getByRole('combobox', { name: 'First point, the last that is well' }),
    demoStudy().points[0]!.key,
  );
  await waitFor(() =>
    expect(calls.filter((one) => one.method === 'study.diagnose').at(-1)?.input).toEqual({
      id: 's1',
      beforeKey: demoStudy().points[0]!.key,
    }),
  );
});

test('refused: says why, and asks again', async () => {
  let calls = 0;
  const { user } = renderRoute(
    '/studies/s1',
    answers({
      'study.diagnose': () => {
        calls += 1;
        if (calls === 1)
          throw fail('conflict', 'Run Six never reached its steady state.', 'Look at its log.');
        return {
          curves: [],
          curve: null,
          beforeKey: null,
          afterKey: null,
          why: 'Chosen.',
          diagnosis,
        };
      },
    }),
  );
  const why = await section();
  expect(await within(why).findByRole('alert')).toHaveTextContent(
    'Run Six never reached its steady state.',
  );
  await user.click(within(why).getByRole('button', { name: 'Try again' }));
  expect(
    await within(why).findByRole('list', { name: 'Hypotheses, the likeliest first' }),
  ).toBeVisible();
});

test('before two points are measured it says what will be here', async () => {
  const study = demoStudy();
  renderRoute(
    '/studies/s1',
    answers({
      'study.overview': () => ({
        ...study,
        points: study.points.map((point) => ({ ...point, state: 'pending' as const, runId: null })),
      }),
    }),
  );
  expect(await section()).toHaveTextContent(
    'Hypotheses appear here when two points have been measured',
  );
});
