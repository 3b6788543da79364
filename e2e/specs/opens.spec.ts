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
  const { page } = tilebench;
  await expect(page.getByRole('main')).toBeVisible();
  const loadedMs = await page.evaluate(() => performance.timeOrigin);
  await tilebench.killEngine();
  await expect(page.getByText(/^Engine .* running$/)).toBeVisible();
  await expect(page.getByText(/not connected/i)).toHaveCount(0);
  expect(await page.evaluate(() => performance.timeOrigin)).toBe(loadedMs);
});
