import type { Page } from '@playwright/test';

import { expect, test } from '../fixtures/test.ts';
import { expectAxeClean } from '../pages/axe.ts';
import { openDemoLab, points, runEntry, setSpeed, untilStudy } from '../pages/demo.ts';
import { exportReport, headings, pdfPages } from '../pages/reports.ts';
import { shot } from '../pages/shots.ts';

/** From the first start: the demo lab, the entry, its study at full speed to its end. */
async function runStudy(page: Page, id: string): Promise<string[]> {
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  await openDemoLab(page);
  await runEntry(page, id);
  await setSpeed(page, 'As fast as it goes');
  await untilStudy(page, 'Done');
  return faults;
}
async function fromMore(page: Page, item: string): Promise<void> {
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: item }).click();
}
/** Numbers of a cell as `+15.9 %`. */
const percent = (text: string | null): number =>
  Number((text ?? '').replace('−', '-').replace(/[ %+]/g, ''));

test('which array is better? E06: curves over each other, the gap at each value, where each fails its QoS', async ({
  tilebench,
}) => {
  const { page } = tilebench;
  const faults = await runStudy(page, 'E06');

  await test.step('the answer: one sentence, and where each array fails', async () => {
    await fromMore(page, 'Compare its curves');
    await expect(page.getByTestId('verdict')).toHaveText(
      /^Score against CX500: CX3-20 from \+\d[\d.]* % at \d tiles? to \+[12]\d[\d.]* % at \d tiles?\.$/,
    );
    const quality = page.getByRole('list', { name: 'Quality of service' }).getByRole('listitem');
    await expect(quality).toHaveText([
      /^CX500 keeps its QoS limits up to 3 tiles and misses them at 4 tiles: .* latency \d/,
      /^CX3-20 keeps its QoS limits up to 3 tiles and misses them at 4 tiles: .* latency \d/,
    ]);
  });
  await test.step('the gap at each value', async () => {
    const rows = page.getByRole('table', { name: 'Gap at each value' }).getByRole('row');
    await expect(rows).toHaveCount(5);
    for (const tiles of [1, 2, 3, 4]) {
      const cells = rows.nth(tiles).getByRole('cell');
      expect(percent(await cells.nth(3).textContent()), `${tiles} tiles`).toBeGreaterThan(5);
      await expect(cells.nth(4)).toHaveText('ahead');
    }
    await expect(rows.nth(4).getByText('QoS failed')).toHaveCount(2);
    await expect(page.getByRole('region', { name: /^Score, gap to CX500/ })).toBeVisible();
    await expectAxeClean(page, 'Two curves');
    await shot(page, 'stories-arrays');
  });
  await test.step('the report of the curves, as HTML and PDF', async () => {
    const html = await exportReport(tilebench, 'HTML');
    expect(headings(html.text)[0]).toMatch(/CX500|entry-level/);
    expect(html.text.includes('SIMULATED'), 'SIMULATED').toBe(true);
    expect(html.text.includes('misses them at 4 tiles'), 'misses them at 4 tiles').toBe(true);
    expect(pdfPages((await exportReport(tilebench, 'PDF')).path)).toBeGreaterThan(1);
  });
  await test.step('a word at one value: the two runs with three tiles', async () => {
    await page.getByRole('link', { name: 'Compare runs, Tiles 3' }).click();
    await expect(page.getByTestId('verdict')).toHaveText(
      /^Disk array CX3-20 scores [12]\d[\d.]* % higher than Disk array CX500 .*its application part: better/,
    );
    await page.getByRole('button', { name: /^All metrics/ }).click();
    await expect(
      page.getByRole('table', { name: 'Metrics' }).getByRole('row').nth(1),
    ).toContainText(/better|can't tell/);
  });
  expect(faults).toEqual([]);
});

test('did the upgrade help? E15 with repeats: better, with its interval and the smallest difference that would be found', async ({
  tilebench,
}) => {
  const { page } = tilebench;
  const faults = await runStudy(page, 'E15');

  await test.step('three repeats more of each version', async () => {
    await fromMore(page, 'Edit study');
    await page.getByRole('textbox', { name: 'Repeats' }).fill('4');
    await page.getByRole('button', { name: 'Save study' }).click();
    await page.getByRole('button', { name: 'Resume study' }).click();
    await untilStudy(page, 'Done');
    await expect(
      page.getByRole('table', { name: 'Points' }).getByText('Passed', { exact: true }),
    ).toHaveCount(8);
  });
  await test.step('the verdict, around +5 %', async () => {
    await fromMore(page, 'Compare its curves');
    await expect(page.getByTestId('verdict')).toHaveText(
      /^Score against ESX 3\.0\.2: ESX 3\.5 \+(4\.[5-9]|5\.[0-5])\d* %: better\.$/,
    );
    const cells = page
      .getByRole('table', { name: 'Gap at each value' })
      .getByRole('row')
      .nth(1)
      .getByRole('cell');
    await expect(cells.nth(4)).toHaveText('better');
    await expect(cells.nth(5)).toHaveText(/^\+4\.\d+ % to \+[45]\.\d+ %; 0\.\d+ % would be found$/);
  });
  await test.step('all eight runs: what differs, and what is told of each metric', async () => {
    await page.getByRole('link', { name: /^Compare runs/ }).click();
    await expect(page.getByTestId('verdict')).toHaveText(
      /^ESX 3\.5 \(4 repeats\) scores \d\.\d+ % higher than ESX 3\.0\.2 \(4 repeats\) .*: better \(4 against 4 repeats, Welch\)\.$/,
    );
    await expect(
      page.getByText(/^95 % interval \+4\.\d+ % to .* would be found in 4 of 5 cases/),
    ).toBeVisible();
    await expect(
      page
        .getByRole('main')
        .getByText(/ESX 3\.5/)
        .first(),
    ).toBeVisible();
    await expectAxeClean(page, 'Eight runs');
    await shot(page, 'stories-upgrade');
  });
  await test.step('its report', async () => {
    const html = await exportReport(tilebench, 'HTML');
    expect(html.text.includes('SIMULATED'), 'SIMULATED').toBe(true);
    expect(html.text.includes('4 against 4 repeats, Welch'), '4 against 4 repeats, Welch').toBe(
      true,
    );
    expect(html.text.includes('95 % interval'), '95 % interval').toBe(true);
    expect(pdfPages((await exportReport(tilebench, 'PDF')).path)).toBeGreaterThan(1);
  });
  expect(faults).toEqual([]);
});

test('why does the file server not scale? E11: the likeliest reason, its evidence and charts, and what was not measured', async ({
  tilebench,
}) => {
  const { page } = tilebench;
  const faults = await runStudy(page, 'E11');
  await expect(points(page).first()).toBeVisible();
  const why = page.getByRole('region', { name: 'Why did it stop scaling' });

  await test.step('the likeliest reason comes first: the disks, not the processor', async () => {
    await why.scrollIntoViewIfNeeded();
    const first = why
      .getByRole('list', { name: 'Hypotheses, the likeliest first' })
      .getByRole('button')
      .first();
    await expect(first).toContainText('1. Array saturated');
    await expect(first).toContainText('Likely');
    await expect(why.getByText(/workloads do less than before \(file\)/)).toBeVisible();
    if ((await first.getAttribute('aria-expanded')) === 'false') await first.click();
  });
  await test.step('its evidence: counters at both points with thresholds and their sources, and the charts', async () => {
    const evidence = why.getByRole('table', { name: 'Counters of Array saturated' });
    await expect(evidence.getByRole('row').nth(1)).toContainText(/\d/);
    await why.getByRole('button', { name: 'Show charts' }).click();
    await expect(why.getByRole('slider', { name: /^Time cursor of / }).first()).toBeVisible();
    await expect(why.getByRole('link', { name: /^Open run at 2 tiles/ })).toBeVisible();
    await expectAxeClean(page, 'Why it stopped, unfolded');
    await shot(page, 'stories-why');
  });
  await test.step('what was cleared, and what was not measured', async () => {
    await expect(why.getByText('Host CPU saturated', { exact: true })).toBeVisible();
    await expect(
      why.getByText('Inside the guests: their vCPUs, memory, locks and software'),
    ).toBeVisible();
    await expect(why.getByText('Physical switches and fabric')).toBeVisible();
  });
  await test.step('the other layout does scale: three LUNs', async () => {
    await fromMore(page, 'Compare its curves');
    await expect(page.getByTestId('verdict')).toHaveText(
      /^File servers against One 6-disk LUN: A 2-disk LUN a tile from −\d[\d.]* % at 1 tile to \+\d[\d.]* % at 3 tiles\.$/,
    );
    await page.goBack();
  });
  await test.step('its report', async () => {
    const html = await exportReport(tilebench, 'HTML');
    for (const words of [
      'SIMULATED',
      'Array saturated',
      'Not measured',
      'Physical switches and fabric',
    ])
      expect(html.text.includes(words), words).toBe(true);
    expect(pdfPages((await exportReport(tilebench, 'PDF')).path)).toBeGreaterThan(1);
  });
  expect(faults).toEqual([]);
});
