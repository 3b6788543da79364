import { screen, waitFor, within } from '@testing-library/react';

import type { LabSpec } from '../../../core/lab/lab.ts';
import { fourServers } from '../../../core/lab/testing/fourServers.ts';
import { whatIfStudy } from '../../../core/study/whatIf.ts';
import type { Output } from '../../../wire/contract.ts';
import { type Answers, renderRoute } from '../../testing/renderRoute.tsx';
import { demoStatus, demoStudy } from './testing/overviews.ts';

/** Each of another model, all on one LUN, without VMs. */
const lab: LabSpec = {
  ...fourServers,
  hosts: fourServers.hosts.map((host, i) => ({ ...host, model: `Server ${i + 1}` })),
  luns: [{ ...fourServers.luns[0]!, disks: 28 }],
  datastores: [fourServers.datastores[0]!],
  vms: [],
  faults: [],
};
const labOf: Output<'study.lab'> = {
  lab,
  base: null,
  bases: [],
  tiles: 6,
  disks: [
    { name: 'FC 10k', rpm: 10_000, seekMs: 4.7, diskMbps: 50 },
    { name: 'SSD', rpm: 600_000, seekMs: 0.05, diskMbps: 250 },
  ],
};
const demo = (answers: Answers = {}): Answers => ({
  'lab.status': () => demoStatus(),
  'study.overview': () => demoStudy(),
  'study.lab': () => labOf,
  'study.whatIf': () => ({ id: 's2' }),
  'study.start': () => ({}),
  ...answers,
});

beforeEach(() => {
  localStorage.clear();
});

test('changes that were not run are there again after the page was left; reset, they are gone', async () => {
  const { user } = renderRoute('/studies/s1/what-if', demo(), null, 'simulated');
  const drs = await screen.findByRole('combobox', { name: 'DRS' });
  const other =
    (drs as HTMLSelectElement).value === 'off' ? '1 star' : 'Off: VMs stay where they start';
  await user.selectOptions(drs, other);
  expect(screen.getByRole('region', { name: 'Changes' })).toHaveTextContent(/instead of/);
  await user.click(screen.getAllByRole('link', { name: 'Lab' })[0]!);
  await screen.findByRole('heading', { name: 'Demo lab', level: 1 });
  document.body.innerHTML = '';
  const again = renderRoute('/studies/s1/what-if', demo(), null, 'simulated');
  const changes = await screen.findByRole('region', { name: 'Changes' });
  expect(changes).toHaveTextContent(/instead of/);
  await again.user.click(within(changes).getByRole('button', { name: /^Undo/ }));
  expect(screen.getByRole('region', { name: 'Changes' })).toHaveTextContent('No change yet');
});

test('W changes the lab before a room: keys stay in the panel, the curve beside it is shown, Esc leads back', async () => {
  const { user, calls, path } = renderRoute('/present/study/s1', demo(), null, 'simulated');
  await screen.findByRole('heading', { level: 1, name: /Scaling/ });
  await user.keyboard('w');
  const panel = await screen.findByRole('dialog', { name: 'What if' });
  await user.click(await within(panel).findByRole('button', { name: 'One host less' }));
  expect(panel).toHaveTextContent('3 hosts instead of 4');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await user.keyboard('w');
  await user.click(await screen.findByRole('button', { name: 'One host less' }));
  await user.click(screen.getByRole('button', { name: 'Run it beside the lab as it is' }));
  await waitFor(() => expect(path()).toBe('/present/study/s2'));
  expect(calls.find(({ method }) => method === 'study.whatIf')?.input).toMatchObject({
    id: 's1',
    edits: [{ kind: 'removeHost', id: 'esx4' }],
  });
  await user.keyboard('{Escape}');
  await waitFor(() => expect(path()).toBe('/present/study/s1'));
});

test('a host is removed and disks are halved on the drawing, one is undone, and the rest runs as a variant', async () => {
  const { user, calls, path } = renderRoute('/studies/s1/what-if', demo(), null, 'simulated');
  const run = await screen.findByRole('button', { name: 'Run as a variant' });
  expect(run).toBeDisabled();
  screen.getByRole('button', { name: /^Server 4, 2 × Xeon/ }).focus();
  await user.keyboard('{Enter}');
  await user.click(screen.getByRole('button', { name: 'Remove host' }));
  await user.click(screen.getByRole('button', { name: /^CX3-20, 28 disks/ }));
  const disks = screen.getByRole('textbox', { name: 'Disks' });
  await user.clear(disks);
  await user.type(disks, '14{Enter}');
  const list = within(screen.getByRole('region', { name: 'Changes' }));
  expect(list.getAllByRole('listitem').map((one) => one.textContent)).toEqual([
    '3 hosts instead of 4: esx4 (Server 4) removedUndo',
    'cx1: 14 disks instead of 28Undo',
  ]);
  expect(screen.getByRole('button', { name: /^CX3-20, 14 disks/ })).toBeVisible();
  expect(screen.queryByRole('button', { name: /^Server 4/ })).toBeNull();
  await user.click(list.getByRole('button', { name: /^Undo: cx1/ }));
  expect(screen.getByText('VMs of a removed host start where most memory is left.')).toBeVisible();
  const tiles = screen.getByRole('textbox', { name: 'Tiles to run' });
  await user.clear(tiles);
  await user.type(tiles, '1, 7');
  expect(screen.getByText('Whole numbers from 1 to 6: the testbed has 6 tiles.')).toBeVisible();
  expect(run).toBeDisabled();
  await user.clear(tiles);
  await user.type(tiles, '1, 6');
  await user.click(run);
  await waitFor(() => expect(path()).toBe('/studies/s2'));
  expect(
    calls
      .filter((c) => c.method === 'study.whatIf' || c.method === 'study.start')
      .map((c) => c.input),
  ).toEqual([
    { id: 's1', values: [1, 6], edits: [{ kind: 'removeHost', id: 'esx4' }] },
    { id: 's2' },
  ]);
});

test('a value that the lab cannot have is refused beside its field, and changes nothing', async () => {
  const { user } = renderRoute('/studies/s1/what-if', demo(), null, 'simulated');
  await user.click(await screen.findByRole('button', { name: /^Server 1,/ }));
  const memory = screen.getByRole('textbox', { name: 'Memory (GB)' });
  await user.clear(memory);
  await user.type(memory, '1{Enter}');
  expect(screen.getByText(/^Memory: 1 is no number from 2 to 24576\./)).toBeVisible();
  expect(screen.getByRole('heading', { name: 'No change yet' })).toBeVisible();
});

test('the study of a changed lab says what the changes do, or that it is not measured yet', async () => {
  const base = demoStudy();
  const spec = whatIfStudy(base.spec, lab, {
    id: 's2',
    base: null,
    values: [1, 2, 3, 4, 5, 6],
    edits: [{ kind: 'removeHost', id: 'esx4' }],
  });
  const points = ['given', 'whatIf'].flatMap((value, less) =>
    base.points.map((p, i) => ({
      ...p,
      key: `tiles=${i + 1};lab=${value};repeat=1`,
      values: { ...p.values, lab: value },
      measures: { score: Math.min((p.measures['score'] ?? 0) * 1, less === 1 ? 3.3 : 4.4) },
    })),
  );
  const saturated = (at: number) => [
    {
      method: 'saturation: within 2 % of the highest',
      low: at - 1,
      high: at,
      estimate: at,
      note: 'between the two measured values',
    },
  ];
  const overview = {
    ...base,
    spec,
    points,
    published: [],
    expectations: [],
    knees: [
      { measure: 'score', series: 'lab=given', results: saturated(4) },
      { measure: 'score', series: 'lab=whatIf', results: saturated(3) },
    ],
  };
  renderRoute('/studies/s2', demo({ 'study.overview': () => overview }), null, 'simulated');
  const region = await screen.findByRole('region', { name: 'What the changes do' });
  expect(within(region).getByRole('status')).toHaveTextContent(
    'Saturates at 3 instead of 4 tiles. Highest score: 25 % less.',
  );
  expect(region).toHaveTextContent(
    /Changed: 3 hosts instead of 4: esx4 \(Server 4\) removed\.\s*Simulated\. Not calibrated: the model/,
  );
});
