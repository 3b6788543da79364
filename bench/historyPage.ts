import type { Page } from 'playwright-core';

import { startConsole } from '../e2e/fixtures/consoleHost.ts';
import { storedRuns } from './data/storedRuns.ts';
import type { BenchResult, BenchRow } from './row.ts';

/**
 * The entry that the history page leaves in the browser's timeline: from a change of its filter to
 * the rows of the answer.
 */
const filterMeasure = 'history.filter';
const words = ['nightly 7', 'drs off', 'array'];

/**
 * Does it, and waits for the frame after the rows of its answer; the milliseconds of each change of
 * the filter meanwhile.
 */
async function filtered(page: Page, act: () => Promise<unknown>): Promise<number[]> {
  await page.evaluate(() => performance.clearMeasures());
  await act();
  await page.waitForFunction(
    (name) => performance.getEntriesByName(name).length > 0,
    filterMeasure,
  );
  return page.evaluate(async (name) => {
    await new Promise((drawn) => {
      requestAnimationFrame(() => requestAnimationFrame(drawn));
    });
    return performance.getEntriesByName(name).map(({ duration }) => duration);
  }, filterMeasure);
}
const spread = (label: string, times: number[], budget: number): BenchRow[] => {
  const sorted = times.sort((a, b) => a - b);
  return [
    {
      label: `${label}: half of ${sorted.length} within`,
      value: sorted[sorted.length >> 1]!,
      unit: 'ms',
      budget,
    },
    { label: `${label}: the slowest`, value: sorted.at(-1)!, unit: 'ms' },
  ];
};

/**
 * The history page in Chromium over 1,000 runs: each letter of a search, and choices of columns.
 * The page is the built one (npm run build).
 */
export async function run(): Promise<BenchResult[]> {
  const { consoleDir, runs } = await storedRuns();
  const host = await startConsole('chromium', consoleDir);
  try {
    const { page } = host;
    await page.setViewportSize({ width: 1_920, height: 1_080 });
    const address = new URL(host.url!);
    address.searchParams.set('workspace', 'simulated');
    address.hash = '#/history';
    await page.goto(address.href);
    const search = page.getByRole('searchbox', { name: 'Search runs and studies' });
    await search.waitFor();
    const typed: number[] = [];
    for (const word of words) {
      for (const letter of word)
        typed.push(
          ...(await filtered(page, () => search.press(letter === ' ' ? 'Space' : letter))),
        );
      typed.push(...(await filtered(page, () => search.fill(''))));
    }
    const chosen: number[] = [];
    for (const [name, value] of [
      ['State', 'failed'],
      ['State', 'passed'],
      ['Profile', 'wide'],
      ['Profile', 'all'],
      ['State', 'all'],
    ] as const)
      chosen.push(
        ...(await filtered(page, () =>
          page.getByRole('combobox', { name, exact: true }).selectOption(value),
        )),
      );
    return [
      {
        name: `History page: ${runs} runs in Chromium, from the change of the filter to the rows in the page`,
        rows: [
          ...spread('a letter of the search', typed, 50),
          ...spread('a choice of columns', chosen, 50),
        ],
      },
    ];
  } finally {
    await host.close();
  }
}
