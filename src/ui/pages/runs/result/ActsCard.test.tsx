import { screen, within } from '@testing-library/react';

import { demoRun } from '../testing/records.ts';
import { renderScreen } from '../testing/renderScreen.tsx';
import { withHostFailure } from '../testing/withActs.ts';

const card = () => screen.findByRole('region', { name: 'Acts' });

test('an act is told with its time and what came of it, each workload in figures, and the rule by which it is judged', async () => {
  renderScreen('/runs/run-a', [withHostFailure(demoRun({ state: 'passed' }))]);
  const acts = await card();
  expect(within(acts).getByText(/^Host esx3 fails at \d+:\d\d/).parentElement).toHaveTextContent(
    /^Host esx3 fails at \d+:\d\d · Done and put back: The host is down\.$/,
  );
  const table = within(acts).getByRole('table', { name: 'What the act did' });
  const [, first, second] = within(table).getAllByRole('row');
  expect(first).toHaveTextContent(/1:30 on 1 of 2 tiles.*8,?550.*0:30/);
  expect(second).toHaveTextContent(/not disturbed.*no limit/);
  expect(acts).toHaveTextContent(
    'Recovered: 3 intervals of 10 s in a row with throughput no more than 10 % below',
  );
});

test('the workload that lost most is drawn first, another is chosen by its name', async () => {
  const { user } = renderScreen('/runs/run-a', [withHostFailure(demoRun({ state: 'passed' }))]);
  const choice = within(await card()).getByRole('radiogroup', { name: 'Workload' });
  const [first, second] = within(choice).getAllByRole('radio');
  expect(first).toBeChecked();
  await user.click(second!);
  expect(second).toBeChecked();
});

test('an act that did not begin has no figures, and says so', async () => {
  const run = withHostFailure(demoRun({ state: 'passed' }));
  const [act] = run.record.overview.acts!;
  const { effects: _effects, ...planned } = act!;
  run.record.overview.acts = [
    { ...planned, state: 'missed', startedMs: null, text: 'The engine was away at its time.' },
  ];
  renderScreen('/runs/run-a', [run]);
  expect(await card()).toHaveTextContent(
    /Missed: The engine was away at its time\.It did not begin: there is nothing to measure\./,
  );
});

test('a run without acts has no card of them', async () => {
  renderScreen('/runs/run-a', [demoRun({ state: 'passed' })]);
  expect(await screen.findByTestId('verdict')).toBeVisible();
  expect(screen.queryByRole('region', { name: 'Acts' })).toBeNull();
});
