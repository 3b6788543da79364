import { screen, within } from '@testing-library/react';

import type { RunRecord } from '../../../core/run/run.ts';
import { detachedPath } from '../../../wire/detached.ts';
import { detachTarget } from '../../addresses/detachTarget.ts';
import { type Answers, renderRoute } from '../../testing/renderRoute.tsx';
import { demoRun } from '../runs/testing/records.ts';

const { record } = demoRun({ state: 'steady' });
const { overview } = record;
const answers: Answers = {
  'run.overview': () => overview,
  'run.record': () => record,
  'run.samples': () => [],
  'run.list': () => [],
};
const chartTitle = /throughput$/;

test('a panel alone in its window: title, state, and no rail around it', async () => {
  renderRoute(detachedPath(overview.id, 'events'), answers);
  expect(
    await screen.findByRole('heading', { level: 1, name: `${overview.name}: Events` }),
  ).toBeVisible();
  expect(screen.getByRole('status', { name: 'State of the run' })).toHaveTextContent('Steady');
  expect(screen.getByRole('table', { name: 'Events' })).toBeVisible();
  expect(screen.queryByRole('navigation')).toBeNull();
  expect(screen.queryByText('SIMULATED')).toBeNull();
  expect(document.title).toBe(`${overview.name}: Events – Tilebench`);
});

test('the simulated workspace marks the window and its title', async () => {
  renderRoute(
    detachedPath(overview.id, 'numbers'),
    {
      ...answers,
      'lab.status': () => ({ nowMs: overview.nowMs, paused: false, speed: 60, labs: [] }),
    },
    null,
    'simulated',
  );
  await screen.findByRole('heading', { level: 1, name: `${overview.name}: Big numbers` });
  expect(within(screen.getByRole('banner')).getByText('SIMULATED')).toBeVisible();
  expect(document.title).toContain('– SIMULATED –');
});

test('a run that ends while it is watched says so and how, and the engine that goes away is told of', async () => {
  const ended: RunRecord['overview'] = {
    ...overview,
    rev: overview.rev + 1,
    state: 'passed',
    endedAtMs: overview.nowMs,
    verdict: { outcome: 'passed', compliant: true, sentence: 'Passed: 2.00 @ 2 tiles.' },
  };
  let now = overview;
  const { link } = renderRoute(detachedPath(overview.id, 'events'), {
    ...answers,
    'run.overview': () => now,
  });
  await screen.findByRole('heading', { level: 1, name: `${overview.name}: Events` });
  link('closed');
  expect(await screen.findByText('Engine not connected, trying again')).toBeVisible();
  now = ended;
  link('open');
  expect(await screen.findByText('This run is over')).toBeVisible();
  expect(screen.getByText('Passed: 2.00 @ 2 tiles.')).toBeVisible();
  expect(screen.queryByText('Engine not connected, trying again')).toBeNull();
});

test('an engine that was away for less than a drawing of the page is asked again all the same', async () => {
  let now = overview;
  const { link } = renderRoute(detachedPath(overview.id, 'events'), {
    ...answers,
    'run.overview': () => now,
  });
  await screen.findByRole('heading', { level: 1, name: `${overview.name}: Events` });
  now = { ...overview, rev: overview.rev + 1, state: 'failed', endedAtMs: overview.nowMs };
  link('closed', 'open');
  expect(await screen.findByText('This run is over')).toBeVisible();
});

test.each([
  ['nothing', 'The board has no such panel.'],
  ['chart:nothing', 'This chart has no series yet. It appears when its source reports.'],
])('panel %s says that it is not there', async (panel, text) => {
  renderRoute(`/detached/run/${overview.id}/${panel}`, answers);
  expect(await screen.findByText(text)).toBeVisible();
});

test('the menu of a run offers the board, its panels and each of its charts', async () => {
  const { user, opened } = renderRoute(`/runs/${overview.id}`, answers);
  await user.click(await screen.findByRole('button', { name: 'More actions' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Live board' }));
  expect(opened).toEqual([`window ${detachedPath(overview.id)}`]);
  await user.click(screen.getByRole('button', { name: 'More actions' }));
  const [chart] = await screen.findAllByRole('menuitem', { name: chartTitle });
  await user.click(chart!);
  expect(opened[1]).toMatch(/^window \/detached\/run\/.*chart%3A/);
});

test.each([
  ['/runs/r1', null, '/detached/run/r1/board'],
  ['/runs/r1/replay', 'r2', '/detached/replay/r1'],
  ['/history', 'r2', '/detached/run/r2/board'],
  ['/history', null, null],
])('the command on %s, with %s going on, opens %s', (pathname, active, route) =>
  expect(detachTarget(pathname, active)).toBe(route),
);
