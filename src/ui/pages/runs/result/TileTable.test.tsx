import { screen, within } from '@testing-library/react';

import { demoRun } from '../testing/records.ts';
import { renderScreen } from '../testing/renderScreen.tsx';

const opened = (choices: Parameters<typeof demoRun>[0]): ReturnType<typeof renderScreen> =>
  renderScreen('/runs/run-a', [demoRun(choices)]);
const table = (): Promise<HTMLElement> =>
  screen.findByRole('table', { name: 'Tiles and workloads' });

test('a cell tells throughput, share of the reference and what is left of its limit, and shows its chart', async () => {
  const { user } = opened({});
  const cell = within(await table()).getByRole('button', { name: 'Tile 2 File server' });
  expect(cell).toHaveTextContent(/^24\.\d MB\/s\d\d\d? %4\.\d× the limit$/);
  expect(
    screen.getByRole('region', { name: 'Database latency, 95th percentile ms' }),
  ).toBeVisible();
  await user.click(cell);
  expect(cell).toHaveAttribute('aria-pressed', 'true');
  expect(await screen.findByRole('region', { name: 'File server throughput MB/s' })).toBeVisible();
  expect(screen.getByText(/^Tile 2, \d\d\d? % of the reference$/)).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Back to the worst' }));
  expect(await screen.findByText(/^Worst: tile \d, \d\d\d? % of the reference$/)).toBeVisible();
  expect(
    await screen.findByRole('region', { name: 'Database latency, 95th percentile ms' }),
  ).toBeVisible();
});

test('one tile without a reference has neither a sum nor a share', async () => {
  opened({ tiles: 1, references: {} });
  const found = await table();
  expect(within(found).getAllByRole('row')).toHaveLength(2);
  expect(within(found).getByRole('button', { name: 'Tile 1 Java server' })).toHaveTextContent(
    /^1\.5\dk events\/s$/,
  );
});

test('of thirty tiles the worst are shown, all on request', async () => {
  const { user } = opened({ tiles: 30 });
  const found = await table();
  expect(within(found).getAllByRole('row')).toHaveLength(1 + 1 + 8);
  await user.click(screen.getByRole('button', { name: 'All 30 tiles' }));
  expect(within(found).getAllByRole('row')).toHaveLength(1 + 1 + 30);
});
