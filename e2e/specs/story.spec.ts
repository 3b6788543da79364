import type { Page } from '@playwright/test';

import { expect, test } from '../fixtures/test.ts';
import { connectLab } from '../pages/connections.ts';
import { bySeries, readCsv } from '../pages/csv.ts';
import { checkAndLaunch, createPlan } from '../pages/plans.ts';
import {
  abortRun,
  chart,
  chartAction,
  closeDialog,
  exportAs,
  runIdOf,
  tableBehind,
  untilState,
} from '../pages/run.ts';
import { goTo, runCommand } from '../pages/shell.ts';
import { shot } from '../pages/shots.ts';
import { buildTestbed } from '../pages/testbed.ts';

/** Watched for as long as that takes, then ended: nobody hurries. */
const watched = { rampUp: 15, stagger: 3, steady: 3_600, periods: 3, rampDown: 15 };
const measured = { rampUp: 10, stagger: 1, steady: 60, periods: 3, rampDown: 5 };
const short = { rampUp: 5, stagger: 1, steady: 21, periods: 3, rampDown: 2 };
/** Whether a busy test machine keeps the limits of service is not the point here. */
const passed = /^(Passed|Not compliant)/;
/**
 * Charts of the board that must have samples of every line, with the number of lines at least
 * there.
 */
const charts = {
  'Database throughput tps': 2,
  'File server throughput MB/s': 2,
  'Java throughput events/s': 2,
  'Standby throughput beats/s': 2,
  'I/O throughput IOPS': 2,
  'Database latency, 95th percentile ms': 2,
  'Host CPU %': 1,
  'Datastore I/O IOPS': 1,
  'Power W': 1,
};

test('from an empty console to a scored, compared, exported result', async ({ tilebench, lab }) => {
  let { page } = tilebench;
  const faults: string[] = [];
  const listen = (to: Page): void => {
    to.on('pageerror', (error) => faults.push(error.message));
  };
  listen(page);

  await test.step('connect vCenter, clients and power; pin and test each', () =>
    connectLab(page, lab));
  await test.step('discover, and lay out two tiles', () =>
    buildTestbed(page, lab, 'Story testbed'));
  await test.step('plan, check, launch', async () => {
    await createPlan(page, 'Watched', 'Story testbed', watched);
    await checkAndLaunch(page);
  });

  await test.step('watch: every chart has samples, phases are marked', async () => {
    await untilState(page, 'Steady state');
    for (const [title, lines] of Object.entries(charts)) {
      // Charts out of sight are not drawn.
      await chart(page, title).scrollIntoViewIfNeeded();
      const entries = chart(page, title)
        .getByRole('button', { pressed: false })
        .or(chart(page, title).getByRole('button', { pressed: true }));
      await expect(entries.filter({ hasText: /\d\D*$/ }).nth(lines - 1), title).toBeVisible();
    }
    await chartAction(page, 'Database throughput tps', 'Text summary');
    await expect(
      page
        .getByRole('dialog')
        .getByText(
          'Ramp-up 0:00 to 0:15, Steady state 0:15 to 1:00:15, Ramp-down 1:00:15 to 1:00:30.',
        ),
    ).toBeVisible();
    await expect(
      page
        .getByRole('dialog')
        // A busy client prints late now and then: the text says so.
        .getByText(/^Tile 2: last [\d.]+, mean [\d.]+, .* tps(?:, stale for \d+ s)?\.$/),
    ).toBeVisible();
    await closeDialog(page);
  });
  const before = await test.step('enlarge a chart; see the table behind it', async () => {
    await chartAction(page, 'Power W', 'Enlarge');
    await expect(
      page.getByRole('dialog').getByRole('slider', { name: 'Time cursor of Power' }),
    ).toBeVisible();
    await closeDialog(page);
    const table = await tableBehind(page, 'Database throughput', 'tps');
    expect(table.head).toEqual(['Elapsed', 'Clock', 'Tile 1 (tps)', 'Tile 2 (tps)']);
    expect(table.samples).toBeGreaterThan(1);
    return table;
  });
  await test.step('add a note', async () => {
    await page.getByRole('button', { name: 'Note', exact: true }).click();
    await page.getByRole('textbox', { name: 'Note at this moment' }).fill('Fan noise in rack 2');
    await page.keyboard.press('Enter');
    await page.getByRole('tab', { name: /^Events/ }).click();
    await expect(
      page
        .getByRole('table', { name: 'Events' })
        .getByRole('row', { name: /Note Fan noise in rack 2/ }),
    ).toBeVisible();
  });
  await test.step('close the window and open it again: nothing is lost', async () => {
    page = await tilebench.reopen();
    listen(page);
    await runCommand(page, 'Go to active run');
    await untilState(page, 'Steady state');
    const table = await tableBehind(page, 'Database throughput', 'tps');
    expect(table.firstRow, 'the first sample is that of before').toEqual(before.firstRow);
    expect(table.samples).toBeGreaterThan(before.samples);
    await page.getByRole('tab', { name: /^Events/ }).click();
    await expect(page.getByRole('row', { name: /Note Fan noise in rack 2/ })).toBeVisible();
    await page.getByRole('tab', { name: 'Live board' }).click();
  });
  await test.step('end it early: what was measured is kept', async () => {
    await shot(page, 'live-board');
    await abortRun(page);
  });
  const runId =
    await test.step('a run to its end: verdict, score and each step of it', async () => {
      await createPlan(page, 'Story', 'Story testbed', measured);
      await checkAndLaunch(page);
      const id = runIdOf(page);
      await untilState(page, passed);
      await expect(page.getByTestId('verdict')).toHaveText(/\S/);
      await expect(page.getByRole('group', { name: 'Score' })).toContainText('no reference');
      await expect(page.getByRole('button', { name: 'Set a reference…' })).toBeVisible();
      await page.getByRole('button', { name: 'Tile 2 Database', exact: true }).click();
      await expect(page.getByRole('button', { name: 'Back to the worst' })).toBeVisible();
      await page.getByRole('button', { name: /^Means, period by period/ }).click();
      await page.getByRole('button', { name: 'Unfold all' }).click();
      const steps = page.getByRole('table', { name: 'Score calculation' });
      for (const period of ['Period 1', 'Period 2', 'Period 3'])
        await expect(steps.getByRole('row', { name: `Fold ${period} ${period}` })).toHaveCount(1);
      await expect(steps.getByRole('row', { name: /Tile 2 Tile 2/ })).toHaveCount(3);
      await expect(steps.getByRole('row', { name: /^Database/ })).toHaveCount(6);
      await shot(page, 'result');
      return id;
    });
  await test.step('run again, shorter', async () => {
    await createPlan(page, 'Short', 'Story testbed', short);
    await checkAndLaunch(page);
    await untilState(page, passed);
  });
  await test.step('compare the two side by side; swap the baseline', async () => {
    await goTo(page, 'Runs');
    for (const name of ['Story #1', 'Short #1'])
      await page.getByRole('checkbox', { name: `Select ${name}` }).check();
    await page.getByRole('button', { name: 'Compare', exact: true }).click();
    await expect(page.getByTestId('verdict')).toBeVisible();
    await page.getByRole('button', { name: /^All metrics/ }).click();
    const heads = page.getByRole('table', { name: 'Metrics' }).getByRole('columnheader');
    await expect(heads.nth(3)).toContainText('Story #1');
    await page.getByRole('gridcell', { name: /^Tile 1 Database/ }).click();
    await expect(chart(page, 'Throughput, Tile 1 Database tps')).toBeVisible();
    await shot(page, 'compare');
    await page.getByRole('button', { name: /Swap baseline/ }).click();
    await expect(heads.nth(3)).toContainText('Short #1');
    await page.keyboard.press('b');
    await expect(heads.nth(3)).toContainText('Story #1');
  });
  await test.step('export CSV and JSON: what was measured, once', async () => {
    await goTo(page, 'Runs');
    await page.getByRole('grid', { name: 'Runs' }).getByText('Story #1').click();
    const csv = await tilebench.saved(() => exportAs(page, 'CSV, every sample'));
    expect(csv.name).toBe('Story-1.csv');
    const series = bySeries(readCsv(csv.text));
    const throughputs = [...series.values()].filter(
      ([row]) => row!.entityKind === 'workload' && row!.metric === 'throughput',
    );
    expect(throughputs).toHaveLength(10);
    for (const rows of throughputs)
      expect(
        rows.every((row, i) => i === 0 || row.tMs > rows[i - 1]!.tMs),
        rows[0]!.entity,
      ).toBe(true);
    // How many of its seconds a busy client prints is its affair; each period has some.
    for (const rows of throughputs)
      for (const period of [0, 1, 2])
        expect(
          rows.filter(({ phase, elapsedS }) => {
            const s = elapsedS - measured.rampUp;
            return phase === 'steady' && Math.floor((s * 3) / measured.steady) === period;
          }).length,
          `${rows[0]!.entity}, period ${period + 1}`,
        ).toBeGreaterThan(1);
    const tps = throughputs
      .find(([row]) => row!.unit === 'tps')!
      .filter((row) => row.phase === 'steady');
    expect(tps.reduce((sum, row) => sum + row.value, 0)).toBeGreaterThan(0);
    expect(
      [...series.values()].some(([row]) => row!.metric === 'powerW' && row!.unit === 'W'),
    ).toBe(true);

    const json = await tilebench.saved(() => exportAs(page, 'JSON, every sample'));
    const run = JSON.parse(json.text) as {
      tilebenchRun: number;
      run: { id: string; state: string; score: { total: number | null } };
      series: { metric: string; tMs: number[]; value: number[] }[];
    };
    expect(run).toMatchObject({ tilebenchRun: 1, run: { id: runId, state: 'passed' } });
    expect(run.series.reduce((total, one) => total + one.value.length, 0)).toBe(
      [...series.values()].reduce((total, rows) => total + rows.length, 0),
    );
    expect(run.series.every((one) => one.tMs.length === one.value.length)).toBe(true);
    expect(json.text).not.toContain(lab.vcenter.password);
  });
  expect(faults).toEqual([]);
});
