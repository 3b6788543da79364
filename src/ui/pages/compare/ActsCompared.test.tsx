import { screen, within } from '@testing-library/react';

import { demoRun } from '../runs/testing/records.ts';
import { renderScreen } from '../runs/testing/renderScreen.tsx';
import { withHostFailure } from '../runs/testing/withActs.ts';

const old = () => withHostFailure(demoRun({ id: 'a', name: 'Old' }));

test('the same act of two runs side by side, workload by workload', async () => {
  renderScreen('/compare?base=a&ids=b', [
    old(),
    withHostFailure(demoRun({ id: 'b', name: 'New', planHash: 'h2' }), { recoveryS: 120 }),
  ]);
  const acts = await screen.findByRole('region', { name: 'Acts' });
  const table = within(acts).getByRole('table', { name: 'What it cost: Host esx3 fails' });
  expect(
    within(table)
      .getAllByRole('columnheader')
      .map((one) => one.textContent),
  ).toEqual([
    'Workload',
    'Recovery, Old',
    'Recovery, New',
    'Work lost, Old',
    'Work lost, New',
    'QoS broken, Old',
    'QoS broken, New',
  ]);
  expect(within(table).getAllByRole('row')[1]).toHaveTextContent(
    /1:30 on 1 of 2 tiles2:00 on 1 of 2 tiles/,
  );
  expect(acts).not.toHaveTextContent('Not comparable');
});

test('an act at another time is not comparable, and says why', async () => {
  renderScreen('/compare?base=a&ids=b', [
    old(),
    withHostFailure(demoRun({ id: 'b', name: 'New', planHash: 'h2' }), { atS: 120 }),
  ]);
  expect(await screen.findByRole('region', { name: 'Acts' })).toHaveTextContent(
    'Not comparable. Begun in the steady state at: 1:00 in Old, 2:00 in New.',
  );
});

test('runs without acts have no card of them', async () => {
  renderScreen('/compare?base=a&ids=b', [
    demoRun({ id: 'a', name: 'Old' }),
    demoRun({ id: 'b', name: 'New', planHash: 'h2' }),
  ]);
  expect(await screen.findByTestId('verdict')).toBeVisible();
  expect(screen.queryByRole('region', { name: 'Acts' })).toBeNull();
});
