import { screen, within } from '@testing-library/react';

import { type DemoRun, demoRun } from '../testing/records.ts';
import { renderScreen } from '../testing/renderScreen.tsx';

const hour = 3_600_000;
const repeat = (i: number, speed: number, latency = 1): DemoRun =>
  demoRun({
    id: `run-${i}`,
    name: `Plan #${i}`,
    speed,
    latency,
    startedAtMs: Date.UTC(2026, 10, 20) + i * hour,
  });
const shown = (runs: readonly DemoRun[]): void => {
  renderScreen(`/runs/${runs.at(-1)!.summary.id}`, runs, {
    answers: { 'run.ofPlan': () => runs.map(({ summary }) => summary) },
  });
};
const repeats = [0.99, 1.01, 1, 1.005].map((speed, i) => repeat(i, speed));

test('the difference to the last run, within what repeats scatter by, beside the last runs', async () => {
  shown([...repeats, repeat(4, 1.008)]);
  const card = await screen.findByRole('group', { name: 'Against Plan #3' });
  expect(await within(card).findByText(/^within noise \(±[\d.]+ %\)$/)).toHaveAttribute(
    'href',
    expect.stringContaining('run-3'),
  );
  expect(card).toHaveTextContent(/\+0\.\d+ %score/);
  expect(
    within(card).getByRole('img', { name: /^Last runs of this plan\. Plan #0: 1\.98, .*Plan #4/ }),
  ).toBeVisible();
});

test('a run far from them is beyond noise', async () => {
  shown([...repeats, repeat(4, 0.7)]);
  const card = await screen.findByRole('group', { name: 'Against Plan #3' });
  expect(await within(card).findByText(/^beyond noise/)).toBeVisible();
});

test('two runs tell no noise', async () => {
  shown([repeat(0, 1), repeat(1, 1.1)]);
  const card = await screen.findByRole('group', { name: 'Against Plan #0' });
  expect(await within(card).findByText('too few repeats to tell noise')).toBeVisible();
});

test('what must not be compared says so', async () => {
  shown([repeat(0, 1), repeat(1, 1, 1.9)]);
  const card = await screen.findByRole('group', { name: 'Against Plan #0' });
  expect(await within(card).findByText(/^not compared: Plan #1 is not compliant$/)).toBeVisible();
});

test('the first run of a plan', async () => {
  shown([repeat(0, 1)]);
  const card = await screen.findByRole('group', { name: 'Against the last run' });
  expect(await within(card).findByText('the first run of this plan')).toBeVisible();
});
