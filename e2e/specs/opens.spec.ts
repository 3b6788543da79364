import { expect, test } from '../fixtures/test.ts';

test('the console opens and is connected to its engine', async ({ tilebench: { page } }) => {
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  await expect(page).toHaveTitle(/Tilebench/);
  await expect(page.getByRole('main')).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
  await expect(page.getByText(/not connected/i)).toHaveCount(0);
  expect(faults).toEqual([]);
});

test('a killed engine comes back without a reload of the window', async ({ tilebench }) => {
  test.skip(
    tilebench.kind === 'chromium',
    'The Node host is its own engine: nothing is left to start it again.',
  );
  const { page } = tilebench;
  await expect(page.getByRole('main')).toBeVisible();
  const before = await tilebench.enginePid();
  process.kill(before, 'SIGKILL');
  await expect.poll(() => tilebench.enginePid()).not.toBe(before);
  await expect(page.getByText(/not connected/i)).toHaveCount(0);
});
