import { screen, waitFor, within } from '@testing-library/react';

import { fail } from '../../../core/base/errors.ts';
import { compareStudies } from '../../../core/study/compareStudies.ts';
import { type Answers, renderRoute } from '../../testing/renderRoute.tsx';
import { demoPair } from '../studies/testing/overviews.ts';

// Whole screens are drawn, on machines that others load.
const compared = (
  edit: (overview: ReturnType<typeof demoPair>) => void = () => undefined,
): Answers => ({
  'study.compare': ({ baseline }) => {
    const overview = demoPair();
    edit(overview);
    return compareStudies([{ overview, recordOf: () => null, workloads: {} }], baseline);
  },
});

test('the gap at each value in words, charts and a table; b makes the other curve the baseline, by name', async () => {
  const { user, calls } = renderRoute('/compare/studies?ids=s1', compared(), null, 'simulated');
  expect(await screen.findByTestId('verdict')).toHaveTextContent(
    'Scaling against Old array: New array from +10.0 % at 1 tile to +10.0 % at 1 tile.',
  );
  const gaps = screen.getByRole('table', { name: 'Gap at each value' });
  expect(
    within(gaps).getByRole('row', {
      name: /^2 2\.00 2\.20 \+0\.20 \+10\.0 % ahead Compare runs, Tiles 2$/,
    }),
  ).toBeVisible();
  expect(screen.getByRole('region', { name: /^Scaling, gap to Old array/ })).toBeVisible();
  expect(
    within(screen.getByRole('list', { name: 'Curves' }))
      .getAllByRole('listitem')
      .map((li) => li.textContent),
  ).toEqual(['Old arraybaseline', 'New array']);
  await user.keyboard('b');
  expect(
    await screen.findByText(/^Scaling against New array: Old array from −9\.09 %/),
  ).toBeVisible();
  expect(calls.findLast((c) => c.method === 'study.compare')?.input).toEqual({
    ids: ['s1'],
    baseline: 's1/array=new',
  });
});

test('where a curve misses its QoS limits is said, marked on the chart and in the table; a value leads to its runs', async () => {
  const { user, calls } = renderRoute(
    '/compare/studies?ids=s1',
    compared((o) => {
      const point = o.points.find((p) => p.key === 'tiles=3;array=old;repeat=1')!;
      point.state = 'qosFailed';
      point.detail = 'Mail latency 12 ms, at most 10 ms (tile 2)';
    }),
    null,
    'simulated',
  );
  const said = await screen.findByRole('list', { name: 'Quality of service' });
  expect(
    within(said)
      .getAllByRole('listitem')
      .map((li) => li.textContent),
  ).toEqual([
    'Old array keeps its QoS limits up to 2 tiles and misses them at 3 tiles: Mail latency 12 ms, at most 10 ms (tile 2).',
    'New array misses no QoS limit.',
  ]);
  const row = within(screen.getByRole('table', { name: 'Gap at each value' })).getByRole('row', {
    name: /^3 QoS failed/,
  });
  expect(row).toBeVisible();
  await user.click(within(row).getByRole('link', { name: 'Compare runs, Tiles 3' }));
  await waitFor(() =>
    expect(calls.find((c) => c.method === 'run.compare')?.input).toEqual({
      baselineId: 'run-old-3',
      ids: ['run-new-3'],
    }),
  );
});

test('a value that one curve lacks has no gap', async () => {
  renderRoute(
    '/compare/studies?ids=s1',
    compared((o) => {
      o.points = o.points.filter((p) => p.key !== 'tiles=3;array=new;repeat=1');
    }),
    null,
    'simulated',
  );
  const gaps = await screen.findByRole('table', { name: 'Gap at each value' });
  expect(within(gaps).getByRole('row', { name: /^3 3\.00 – – –$/ })).toBeVisible();
});

test('nothing measured yet; refused; nothing chosen', async () => {
  const first = renderRoute(
    '/compare/studies?ids=s1',
    compared((o) => {
      o.points = [];
    }),
    null,
    'simulated',
  );
  expect(await screen.findByText(/^None of these curves has a measured point yet/)).toBeVisible();
  expect(first.calls.filter((c) => c.method === 'study.compare')).toHaveLength(1);
});
test('a study that is gone says so', async () => {
  renderRoute('/compare/studies?ids=s9', {
    'study.compare': () => {
      throw fail('notFound', 'There is no study of that id.', 'Refresh the list of studies.');
    },
  });
  expect(await screen.findByRole('alert')).toHaveTextContent('There is no study of that id.');
});
test('studies are chosen in their list', async () => {
  const summary = (id: string) => ({
    id,
    name: `Study ${id}`,
    state: 'done' as const,
    origin: 'simulated' as const,
    axis: 'Tiles',
    done: 3,
    total: 3,
    startedAtMs: 1,
    galleryId: null,
  });
  const { user, path, calls } = renderRoute(
    '/studies',
    { 'study.list': () => [summary('a'), summary('b')], ...compared() },
    null,
    'simulated',
  );
  await user.click(await screen.findByRole('checkbox', { name: 'Compare Study a' }));
  await user.click(screen.getByRole('checkbox', { name: 'Compare Study b' }));
  await user.click(screen.getByRole('button', { name: 'Compare 2 studies' }));
  expect(path()).toBe('/compare/studies');
  await screen.findByTestId('verdict');
  expect(calls.findLast((c) => c.method === 'study.compare')?.input).toEqual({ ids: ['a', 'b'] });
});
