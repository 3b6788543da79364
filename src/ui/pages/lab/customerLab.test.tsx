import { act, screen, waitFor, within } from '@testing-library/react';

import { fail } from '../../../core/base/errors.ts';
import { kindOf, knownColumns } from '../../../core/customerLab/columns.ts';
import { readRows } from '../../../core/customerLab/rows.ts';
import type { Table } from '../../../core/customerLab/table.ts';
import { testParts } from '../../../core/customerLab/testing/parts.ts';
import { type Answers, renderRoute } from '../../testing/renderRoute.tsx';
import { demoGallery, demoStatus } from '../studies/testing/overviews.ts';

const hosts: Table = {
  file: 'hosts.csv',
  sheet: null,
  separator: ',',
  columns: ['Machine', 'CPU Model', 'Speed', '# CPU', 'Cores per CPU', '# Memory', 'Cluster'],
  rows: ['esx1', 'esx2', 'far'].map((name, i) => ({
    number: i + 2,
    cells: [name, 'Intel Xeon Gold 6248', '2500', '2', '20', '786432', i < 2 ? 'Berlin' : 'Bonn'],
  })),
};
const answers = (more: Answers = {}): Answers => ({
  'lab.status': () => demoStatus(),
  'customerLab.parts': () => testParts,
  'customerLab.tables': ({ choices }) => {
    const kind = kindOf(hosts);
    const choice = choices?.[0] ?? {
      kind,
      columns: kind === null ? {} : { ...knownColumns(kind, hosts.columns) },
    };
    const none = { hosts: [], datastores: [], vms: [] };
    let [rows, fault] = [none as ReturnType<typeof readRows>, ''];
    try {
      if (choice.kind !== null) rows = readRows(hosts, choice.kind, choice.columns);
    } catch (thrown) {
      fault = (thrown as Error).message;
    }
    return {
      sheets: [
        {
          file: hosts.file,
          sheet: null,
          columns: [...hosts.columns],
          sample: hosts.rows.map(({ cells }) => [...cells]),
          rows: hosts.rows.length,
          choice,
        },
      ],
      faults: fault === '' ? [] : [fault],
      rows,
    };
  },
  'customerLab.make': () => ({ studyId: 'own1-study' }),
  ...more,
});
beforeEach(() => {
  localStorage.clear();
});

test('a CSV is mapped by its columns; nothing is taken that nobody said; the lab is made of what is there', async () => {
  const { user, calls, path } = renderRoute(
    '/lab/new',
    answers(),
    { name: 'hosts.csv', text: 'x' },
    'simulated',
  );
  await user.click(await screen.findByRole('button', { name: 'Choose a file…' }));
  const file = await screen.findByRole('region', { name: 'hosts.csv' });
  await user.click(within(file).getByRole('button', { name: /^Columns/ }));
  await user.selectOptions(
    within(file).getByRole('combobox', { name: 'This table is of' }),
    'Hosts',
  );
  expect(await within(file).findByRole('alert')).toHaveTextContent('hosts.csv: no column is Host.');
  await user.selectOptions(
    within(file).getByRole('combobox', { name: 'Column of Host' }),
    'A: Machine',
  );
  const cluster = await screen.findByRole('combobox', { name: 'Cluster' });
  expect(cluster).toHaveDisplayValue('Berlin (2 hosts)');
  const group = screen.getByRole('region', { name: /^2 hosts/ });
  expect(group).toHaveTextContent(
    'Intel Xeon Gold 6248 is not in the library. Nearest: Nehalem, the newest of Intel in the library.',
  );
  expect(within(group).getByRole('textbox', { name: /^Clock of/ })).toHaveValue('2.5');
  const work = within(group).getByRole('textbox', { name: /^Work of a core per GHz of/ });
  expect(work).toHaveValue('');
  const make = screen.getByRole('button', { name: 'Make the lab' });
  expect(make).toBeDisabled();
  await user.type(work, '0.9');
  await user.click(screen.getByRole('button', { name: /^Use all that is offered/ }));
  expect(work).toHaveValue('0.9');
  expect(
    screen.getByText(/^Complete; \d+ figures as offered\. Simulated, not calibrated\.$/),
  ).toBeVisible();
  await user.click(make);
  await waitFor(() => expect(path()).toBe('/studies/own1-study'));
  expect(calls.find(({ method }) => method === 'customerLab.make')?.input).toMatchObject({
    name: 'Berlin',
    origin: 'hosts.csv',
    groups: [{ names: ['esx1', 'esx2'], workPerGhz: 0.9, sockets: 2 }],
  });
});

test('a refused file says where; what is typed by hand survives leaving the page', async () => {
  const refused = answers({
    'customerLab.tables': () => {
      throw Object.assign(new Error('lab.xlsx is encrypted.'), { kind: 'invalidInput' });
    },
  });
  const first = renderRoute('/lab/new', refused, { name: 'lab.xlsx', text: 'x' }, 'simulated');
  await first.user.click(await screen.findByRole('button', { name: 'Choose a file…' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('lab.xlsx is encrypted.');
  await first.user.click(screen.getByRole('button', { name: 'Add hosts' }));
  const group = await screen.findByRole('region', { name: /^4 hosts/ });
  await first.user.selectOptions(
    within(group).getByRole('combobox', { name: /^Server of/ }),
    'ProLiant DL380 G6',
  );
  await first.user.selectOptions(
    within(group).getByRole('combobox', { name: /^Processor of/ }),
    'Xeon X5570',
  );
  expect(within(group).getByRole('textbox', { name: /^Power when idle of/ })).toHaveValue('160');
  await first.user.click(screen.getAllByRole('link', { name: 'Lab' })[0]!);
  await first.user.click(await screen.findByRole('link', { name: 'Simulate a customer’s lab' }));
  expect(await screen.findByRole('region', { name: '4 hosts ProLiant DL380 G6' })).toBeVisible();
});

test('a made lab is removed after a question that names what goes and what stays; a refusal is told', async () => {
  const made = {
    id: 'own1',
    name: 'Berlin',
    hosts: 4,
    vms: 124,
    studyId: 'own1-study',
    connections: 22,
    testbeds: ['Berlin', 'Berlin copy'],
    plans: ['Scaling of Berlin'],
    studies: ['Scaling of Berlin'],
    run: 'Scaling of Berlin #3',
  };
  const refusal = fail('conflict', 'Run Scaling of Berlin #3 uses the lab Berlin.', 'Wait.');
  let isUsed = true;
  const { user, calls, emit } = renderRoute(
    '/lab?tab=made',
    answers({
      'gallery.list': () => demoGallery(),
      'customerLab.list': () => [{ ...made, run: isUsed ? made.run : null }],
      'customerLab.remove': () => {
        if (isUsed) throw refusal;
        return {};
      },
    }),
    null,
    'simulated',
  );
  const row = await screen.findByRole('row', { name: /^Berlin/ });
  expect(row).toHaveTextContent('By run Scaling of Berlin #3');
  await user.click(within(row).getByRole('button', { name: 'Remove lab Berlin' }));
  const dialog = await screen.findByRole('dialog', { name: 'Remove lab Berlin' });
  expect(
    within(within(dialog).getByRole('list', { name: 'What goes' }))
      .getAllByRole('listitem')
      .map((one) => one.textContent),
  ).toEqual([
    '22 connections',
    'Testbed Berlin',
    'Testbed Berlin copy',
    'Plan Scaling of Berlin',
    'Study Scaling of Berlin',
  ]);
  expect(dialog).toHaveTextContent('Its runs stay in Runs');
  await user.click(within(dialog).getByRole('button', { name: 'Remove the lab' }));
  expect(await screen.findByText(/uses the lab Berlin/)).toBeVisible();

  isUsed = false;
  act(() => emit('list.changed', { list: 'runs' }));
  expect(await screen.findByRole('cell', { name: 'No' })).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Remove lab Berlin' }));
  await user.click(await screen.findByRole('button', { name: 'Remove the lab' }));
  expect(await screen.findByText(/^Lab Berlin removed/)).toBeVisible();
  expect(calls.filter(({ method }) => method === 'customerLab.remove')).toHaveLength(2);
});
