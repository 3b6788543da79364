import { screen, waitFor, within } from '@testing-library/react';

import { profileSchema } from '../../../core/profile/profile.ts';
import { scoreRun } from '../../../core/score/score.ts';
import { demoProfile, demoReferences, demoRun } from './testing/records.ts';
import { renderScreen } from './testing/renderScreen.tsx';

test('from the score down to the samples of one workload in one period, by the keyboard', async () => {
  const { user } = renderScreen('/runs/run-a', [demoRun()]);
  await user.click(await screen.findByRole('button', { name: /^Score, step by step/ }));
  const tree = await screen.findByRole('table', { name: 'Score calculation' });
  await user.click(within(tree).getByRole('button', { name: /^Unfold Period \d, Tile 1$/ }));
  within(tree)
    .getByRole('button', { name: /^Samples of Period \d, Tile 1, Database$/ })
    .focus();
  await user.keyboard('{Enter}');
  const dialog = await screen.findByRole('dialog', {
    name: /^Samples of Period \d, Tile 1, Database$/,
  });
  expect(
    await within(dialog).findByText(
      /^60 samples from \d:00 to \d:00: mean 8\d\d\.\d{3}, least \d{3}\.\d{3}, greatest \d{3}\.\d{3} tps, by sysbench-oltp on client-1\.$/,
    ),
  ).toBeVisible();
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('sources are told on request: of the rule, and of references the profile does not set', async () => {
  const { user } = renderScreen('/runs/run-a', [demoRun()]);
  await user.click(await screen.findByRole('button', { name: /^Score, step by step/ }));
  const tree = await screen.findByRole('table', { name: 'Score calculation' });
  expect(within(tree).queryByText('AnandTech 2743')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Unfold all' }));
  await user.click(screen.getByRole('button', { name: 'Show sources', pressed: false }));
  expect(within(tree).getAllByText('AnandTech 2743').length).toBeGreaterThan(5);
  expect(
    within(tree).getAllByText('run Baseline, 1 tile (the profile sets no reference)'),
  ).toHaveLength(3 * 2 * 3);
});

test('parts, total, performance a kilowatt that is refused in words, and the rules one by one', async () => {
  const run = demoRun();
  const operations = [
    { id: 'vmotion', name: 'vMotion', reference: 20, referenceSource: 'made up' },
  ];
  run.record.profile = profileSchema.parse({
    ...demoProfile,
    minimumHosts: 2,
    rules: [{ id: 'mix', kind: 'statement', text: 'The mix is as asked', source: 'house' }],
    scoring: {
      ...demoProfile.scoring,
      infrastructure: {
        combine: 'geometricMean',
        operations,
        hostsPerLoop: null,
        hostsPerLoopSource: 's',
        source: 's',
      },
      overall: { application: 0.8, infrastructure: 0.2, source: 'Dell' },
    },
  });
  const measured = [0, 1, 2].map((index) => ({
    index,
    infrastructure: { vmotion: 30 },
    workloads: ['database', 'file', 'java', 'standby'].flatMap((workloadId) =>
      [0, 1].map((tile) => ({
        tile,
        workloadId,
        samples: 60,
        values: { throughput: demoReferences[workloadId] ?? 1, latencyP95Ms: 90 },
      })),
    ),
  }));
  run.record.overview.score = {
    ...scoreRun(run.record.profile, 2, measured, demoReferences, 'run Baseline, 1 tile'),
    power: {
      kind: 'asMeasured',
      meanW: null,
      value: null,
      refused: 'PDU gave 3 of 60 samples in period 2',
      measuredBy: 'PDU',
      source: 's',
    },
  };
  const { user } = renderScreen('/runs/run-a', [run]);
  await user.click(await screen.findByRole('button', { name: /^Score, step by step/ }));
  const tree = await screen.findByRole('table', { name: 'Score calculation' });
  expect(within(tree).getByText('0.8 × 2.00 + 0.2 × 1.50')).toBeVisible();
  expect(within(tree).getByText('30.0 operations/h ÷ 20.0 operations/h')).toBeVisible();
  expect(within(tree).getByText('No figure: PDU gave 3 of 60 samples in period 2')).toBeVisible();
  expect(screen.getByRole('group', { name: 'Power' })).toHaveTextContent(
    'No figure: PDU gave 3 of 60 samples in period 2',
  );
  await user.click(screen.getByRole('button', { name: /^Compliance, rule by rule/ }));
  const rules = screen.getByRole('table', { name: 'Compliance' });
  expect(
    within(rules)
      .getAllByRole('row')
      .slice(1)
      .map((row) => row.textContent),
  ).toEqual([
    expect.stringMatching(/^KeptEvery scored workload of every tile/),
    expect.stringMatching(/^KeptEvery QoS limit holds/),
    expect.stringMatching(/^(Kept|Broken)At least 2 hosts/),
    expect.stringMatching(/^To confirmThe mix is as askedA person has to confirm it/),
  ]);
});
