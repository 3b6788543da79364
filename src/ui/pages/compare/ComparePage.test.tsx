import { screen, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';

import { fail } from '../../../core/base/errors.ts';
import { demoComparison } from '../runs/testing/comparison.ts';
import { demoRun } from '../runs/testing/records.ts';
import { renderScreen } from '../runs/testing/renderScreen.tsx';

const runs = [
  demoRun({ id: 'a', name: 'Old' }),
  demoRun({
    id: 'b',
    name: 'New',
    speed: 1.07,
    latency: 0.8,
    esxBuild: '24585383',
    planHash: 'h2',
  }),
  demoRun({ id: 'c', name: 'Broken', latency: 2, planHash: 'h3' }),
  demoRun({ id: 'd', name: 'No power', absent: ['powerW'], planHash: 'h4' }),
];
const rowText = (label: string): string =>
  within(screen.getByRole('table', { name: 'Metrics' }))
    .getByRole('rowheader', { name: label })
    .closest('tr')!.textContent;

/** Unfolds a part of the page. */
const unfold = async (user: UserEvent, name: RegExp): Promise<void> =>
  user.click(await screen.findByRole('button', { name }));

test('the verdict first, then what differs, then metrics with sign, unit and word', async () => {
  const { user } = renderScreen('/compare?base=a&ids=b', runs);
  expect(await screen.findByTestId('verdict')).toHaveTextContent(
    'New scores 7.00 % higher than Old (2.14 against 2.00): better (one run each: repeat to be sure).',
  );
  expect(
    screen.getByText(/^95 % interval \+6\.\d+ % to \+7\.\d+ %; a difference of/),
  ).toBeVisible();
  const differs = screen.getByRole('region', { name: 'What differs' });
  expect(differs).toHaveTextContent(/Host: ESXi build24022510→24585383/);
  expect(differs).toHaveTextContent(/Nothing else of \d+ settings differs\.$/);
  await unfold(user, /^Set-up that differs/);
  expect(
    screen.getByRole('row', { name: /^Build Host: ESXi build.* 24022510 24585383 strong/ }),
  ).toBeVisible();
  await unfold(user, /^All metrics/);
  expect(rowText('Database, throughput, mean of the tiles')).toMatch(
    /tpshigher812\.\d869\.\d\+7\.00 %better\+6\.\d+ % to \+7\.\d+ %0\.\d+ %< 0\.001$/,
  );
  expect(rowText('Database, 95th percentile latency, mean of the tiles')).toMatch(
    /−20\.0 %better−20\.\d % to −19\.\d %/,
  );
  expect(rowText('Standby, throughput, mean of the tiles')).toMatch(/\+7\.00 %higher\+/);
  expect(screen.queryByRole('alert')).toBeNull();
});

test('what is real: interval, what would have been found, and how many were tested', async () => {
  const { user } = renderScreen('/compare?base=a&ids=b', runs);
  await unfold(user, /^All metrics/);
  expect(rowText('Score, sum over the tiles')).toMatch(
    /better\+6\.\d+ % to \+7\.\d+ %0\.\d+ %< 0\.001$/,
  );
  expect(rowText('Score per kilowatt')).toContain("can't tell");
  await unfold(user, /^Method/);
  expect(
    screen.getByText(/\d+ metrics were tested\. The score is tested by itself at 5 %; .*\(Holm\)/),
  ).toBeVisible();
});

test('where it comes from: a row for each workload, arrows step, and the chart and the grid follow', async () => {
  const { user } = renderScreen('/compare?base=a&ids=b', [
    demoRun({ id: 'a', name: 'Old', latency: 0.4 }),
    demoRun({ id: 'b', name: 'New', speed: 0.8, latency: 1.2, planHash: 'h2' }),
  ]);
  const forest = await screen.findByRole('radiogroup', { name: 'Change of each workload' });
  const rows = within(forest).getAllByRole('radio');
  expect(rows.map((row) => row.tabIndex)).toEqual([0, -1, -1, -1]);
  expect(within(forest).getByRole('radio', { name: /^Database/ })).toHaveAccessibleName(
    /^Database: throughput −20\.\d %, worse, 95 % interval −20\.\d+ % to −19\.\d+ %; 95th percentile latency 3\.00×, worse$/,
  );
  await user.click(rows[0]!);
  await user.keyboard('{ArrowDown}');
  expect(rows[1]).toHaveFocus();
  expect(rows[1]).toBeChecked();
  const workload = rows[1]!.getAttribute('aria-label')!.split(':')[0]!;
  expect(
    await screen.findByRole('region', { name: new RegExp(`^Throughput, Tile \\d ${workload}`) }),
  ).toBeVisible();
  expect(screen.getByRole('gridcell', { selected: true })).toHaveAccessibleName(
    new RegExp(`^Tile \\d ${workload}`),
  );
  await user.keyboard('{End}{Home}');
  expect(rows[0]).toBeChecked();
});

test('tile by tile: one stop of the Tab key, arrows inside, each cell in words', async () => {
  const { user } = renderScreen('/compare?base=a&ids=b', runs);
  const grid = await screen.findByRole('grid', { name: 'Throughput, New against Old' });
  const cells = within(grid).getAllByRole('gridcell');
  expect(cells.filter((c) => c.tabIndex === 0)).toHaveLength(1);
  await user.click(cells[0]!);
  await user.keyboard('{ArrowRight}{ArrowDown}');
  expect(document.activeElement).toHaveAccessibleName(
    /^Tile 2 File server: \+7\.\d+ %, better\. Old 24\.\d+, New 2\d\.\d+ MB\/s\.$/,
  );
  await user.click(
    within(screen.getByRole('radiogroup', { name: 'Measure of the matrix' })).getByRole('radio', {
      name: '95th percentile latency',
    }),
  );
  expect(within(screen.getByRole('grid')).getAllByRole('gridcell')[0]).toHaveTextContent('▲ −20');
});

test('distributions: three figures with a text each, and their quantiles', async () => {
  const { user } = renderScreen('/compare?base=a&ids=b', runs);
  await user.click(await screen.findByRole('tab', { name: 'Distributions' }));
  expect(
    await screen.findByRole('img', {
      name: /^Share at or below\. Old: median 24\.\d\d; New: median 2\d\.\d\d$/,
    }),
  ).toBeVisible();
  expect(
    screen.getByRole('img', { name: /^Histogram, \d+ bins\. Old: fullest bin/ }),
  ).toBeVisible();
  expect(
    screen.getByRole('img', { name: /^Boxes by measurement period, MB\/s\. Old: medians / }),
  ).toBeVisible();
  await user.selectOptions(
    screen.getByRole('combobox', { name: 'Metric of the distributions' }),
    'Mean power',
  );
  expect(
    await screen.findByRole('table', { name: 'Distribution of Mean power' }),
  ).toHaveTextContent('180');
});

test('nine runs: small charts, each beside the baseline', async () => {
  const nine = 'abcdefghi'.split('').map((id) => demoRun({ id, name: `Run ${id}`, planHash: id }));
  const { user } = renderScreen(`/compare?base=a&ids=${'bcdefghi'.split('').join(',')}`, nine);
  await unfold(user, /^All charts/);
  expect(await screen.findByRole('combobox', { name: 'Series of the small charts' })).toBeVisible();
  expect(
    screen.getAllByRole('region', { name: /^Run \w, Throughput, Tile 1 Database/ }),
  ).toHaveLength(8);
});

test('no metric in common, a run without steady state: each said, none guessed', async () => {
  const { user } = renderScreen('/compare?base=a&ids=u', [
    runs[0]!,
    demoRun({ id: 'u', name: 'Ramping', state: 'rampUp', planHash: 'h9' }),
  ]);
  expect(await screen.findByRole('alert')).toHaveTextContent('Ramping is not finished (Ramp-up).');
  await unfold(user, /^All metrics/);
  expect(screen.queryByRole('columnheader', { name: '95 % interval' })).toBeNull();
  expect(rowText('Database, throughput, mean of the tiles')).toMatch(/812\.\d––$/);
});

test('scores without a common unit: a button gives all one reference, a line says so, and back', async () => {
  const unscored = runs.slice(0, 2).map((run) => ({
    ...run,
    record: {
      ...run.record,
      profile: {
        ...run.record.profile,
        workloads: run.record.profile.workloads.map((w) => ({ ...w, reference: null })),
      },
      overview: {
        ...run.record.overview,
        score: { ...run.record.overview.score!, total: null, reference: 'none' as const },
      },
    },
  }));
  const { user, calls, path } = renderScreen('/compare?base=a&ids=b', unscored, {
    answers: {
      'run.compare': ({ baselineId, ids, referenceId }) => {
        const all = referenceId === undefined ? unscored : runs;
        const of = demoComparison(
          baselineId,
          [baselineId, ...ids].map((id) => all.find((r) => r.summary.id === id)!),
        );
        return referenceId === undefined ? of : { ...of, scoredAgainst: { id: 'a', name: 'Old' } };
      },
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Score both against Old' }));
  expect(await screen.findByText(/^Both scored against Old\./)).toBeVisible();
  expect(path()).toBe('/compare?base=a&ids=b&reference=a');
  expect(calls.findLast((c) => c.method === 'run.compare')?.input).toEqual({
    baselineId: 'a',
    ids: ['b'],
    referenceId: 'a',
  });
  await user.click(screen.getByRole('button', { name: 'As each was scored' }));
  expect(await screen.findByRole('button', { name: 'Score both against Old' })).toBeVisible();
});

test('runs that must not be compared: a line for each with the reasons, and no verdict in figures', async () => {
  renderScreen('/compare?base=a&ids=c', runs);
  const banner = await screen.findByRole('alert');
  expect(within(banner).getByRole('list')).toHaveAccessibleName('These runs must not be compared');
  expect(banner).toHaveTextContent('Broken is not compliant:');
  expect(screen.getByTestId('verdict')).toHaveTextContent('Not comparable, for 1 reason.');
});

test('b swaps the baseline; the button does the same; the address says it', async () => {
  const { user, path } = renderScreen('/compare?base=a&ids=b', runs);
  await screen.findByTestId('verdict');
  await user.keyboard('b');
  expect(path()).toBe('/compare?base=b&ids=a');
  expect(await screen.findByText(/^Old scores 6\.54 % lower than New/)).toBeVisible();
  await user.click(screen.getByRole('button', { name: /Swap baseline/ }));
  expect(path()).toBe('/compare?base=a&ids=b');
});

test('a measure that one run lacks: an en dash in the table, named missing on the chart', async () => {
  const { user } = renderScreen('/compare?base=a&ids=d', runs);
  await screen.findByTestId('verdict');
  await unfold(user, /^All metrics/);
  expect(rowText('Mean power')).toMatch(/Wlower4\d\d\.\d–––––$/);
  await unfold(user, /^All charts/);
  await user.click(await screen.findByRole('radio', { name: 'Power' }));
  expect(await screen.findByText('Partial: no No power')).toBeVisible();
});

test('overlays: a chart for each workload of each tile, both runs in the legend', async () => {
  const { user } = renderScreen('/compare?base=a&ids=b', runs);
  await unfold(user, /^All charts/);
  const charts = screen.getByRole('region', { name: 'All charts' });
  const chart = await within(charts).findByRole('region', { name: /Throughput, Tile 1 Database/ });
  expect(await within(chart).findByText('Old (baseline)')).toBeVisible();
  expect(within(chart).getByText('New')).toBeVisible();
  expect(within(charts).getAllByRole('region', { name: /^Throughput, Tile/ })).toHaveLength(8);
});

test('copy gives plain numbers, tab by tab', async () => {
  const { user } = renderScreen('/compare?base=a&ids=b', runs);
  await user.click(await screen.findByRole('button', { name: 'Copy table' }));
  expect(await screen.findByText('Copied')).toBeVisible();
  const lines = (await navigator.clipboard.readText()).split('\n').map((line) => line.split('\t'));
  const score = lines.find(([label]) => label === 'Score, sum over the tiles')!;
  expect(Number(score[3])).toBe(runs[0]!.summary.score);
  expect(Number(score[5])).toBeCloseTo(7, 1);
});

test('without runs it asks which; the first chosen is the baseline', async () => {
  const { user, path } = renderScreen('/compare', runs);
  const compare = await screen.findByRole('button', { name: 'Compare' });
  expect(compare).toBeDisabled();
  await user.click(screen.getByRole('checkbox', { name: 'Compare New' }));
  await user.click(screen.getByRole('checkbox', { name: 'Compare Old' }));
  expect(screen.getByText('Baseline: New. 1 to compare with it.')).toBeVisible();
  await user.click(compare);
  expect(path()).toBe('/compare?base=b&ids=a');
});

test('no runs, and a run that is gone', async () => {
  renderScreen('/compare', []);
  expect(
    await screen.findByText('No runs yet. Two finished runs can be compared here.'),
  ).toBeVisible();
});
test('a refused comparison says why', async () => {
  renderScreen('/compare?base=a&ids=z', runs, {
    answers: {
      'run.compare': () => {
        throw fail('notFound', 'The run z does not exist.', 'Choose other runs.');
      },
    },
  });
  expect(await screen.findByRole('alert')).toHaveTextContent(
    'The runs cannot be comparedThe run z does not exist.Choose other runs.Try again',
  );
});
