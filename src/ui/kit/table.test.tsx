import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';

import { Figure } from './Figure.tsx';
import { ChartMarkContext } from './mark.ts';
import { Table } from './Table.tsx';
import { tableMarkdown, tableTsv } from './tableText.ts';

const rows = [
  { name: 'Mail | in', value: 1_234.56789, unit: 'ms', count: '12 345' },
  { name: '=web', value: null, unit: 'ms', count: '−3' },
];
const shown = (units = ['ms', 'ms']) => (
  <MantineProvider env="test">
    <Notifications />
    <Table aria-label="Quality of service">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Workload</Table.Th>
          <Table.Th>Measured</Table.Th>
          <Table.Th>Count</Table.Th>
          <Table.Th aria-label="Actions" />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((row, i) => (
          <Table.Tr key={row.name}>
            <Table.Td>
              <div>{row.name}</div>
              <svg>
                <title>x</title>
              </svg>
            </Table.Td>
            <Table.Td>
              <Figure value={row.value} {...(units[i] === undefined ? {} : { unit: units[i] })} />
            </Table.Td>
            <Table.Td>{row.count}</Table.Td>
            <Table.Td>
              <button className="mantine-Button-root">Remove</button>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </MantineProvider>
);

test('by keyboard: numbers as measured, the unit in the head, columns of buttons left out, and it is said', async () => {
  const user = userEvent.setup();
  render(shown());
  await user.tab();
  expect(screen.getByRole('button', { name: 'Copy table Quality of service' })).toHaveFocus();
  await user.keyboard('{Enter}');
  await user.click(await screen.findByRole('menuitem', { name: 'Copy for a spreadsheet' }));
  expect(await navigator.clipboard.readText()).toBe(
    "Workload\tMeasured (ms)\tCount\nMail | in\t1234.56789\t12345\n'=web\t\t-3\n",
  );
  expect(await screen.findByText('Quality of service copied: 2 rows.')).toBeInTheDocument();
});

test('as Markdown, under the mark of what is not measured on real machines', async () => {
  const user = userEvent.setup();
  render(<ChartMarkContext value="SIMULATED">{shown()}</ChartMarkContext>);
  await user.click(screen.getByRole('button', { name: /^Copy table/ }));
  await user.click(await screen.findByRole('menuitem', { name: 'Copy as Markdown' }));
  expect(await navigator.clipboard.readText()).toBe(
    '**SIMULATED**\n\n| Workload | Measured (ms) | Count |\n| --- | ---: | ---: |\n| Mail \\| in | 1234.56789 | 12345 |\n| =web |  | -3 |\n',
  );
});

test('units that differ have a column of their own', async () => {
  const user = userEvent.setup();
  render(shown(['ms', '%']));
  await user.click(screen.getByRole('button', { name: /^Copy table/ }));
  await user.click(await screen.findByRole('menuitem', { name: 'Copy for a spreadsheet' }));
  expect((await navigator.clipboard.readText()).split('\n').slice(0, 2)).toEqual([
    'Workload\tMeasured\tMeasured unit\tCount',
    'Mail | in\t1234.56789\tms\t12345',
  ]);
});

test('a clipboard that is closed to the page is told', async () => {
  const user = userEvent.setup();
  render(shown());
  jest.spyOn(navigator.clipboard, 'writeText').mockRejectedValueOnce(new Error('Not allowed'));
  await user.click(screen.getByRole('button', { name: /^Copy table/ }));
  await user.click(await screen.findByRole('menuitem', { name: 'Copy for a spreadsheet' }));
  expect(
    await screen.findByText(/Quality of service not copied: Error: Not allowed/),
  ).toBeInTheDocument();
});

test('numbers keep every digit; line ends and tabs do not break a row', () => {
  const table = {
    title: 'T',
    columns: [{ label: 'A' }, { label: 'B (ms)', unit: 'ms' }],
    rows: [
      ['a\tb\nc', 0.1 + 0.2],
      ['-x', null],
    ],
  };
  expect(tableTsv(table)).toBe("A\tB (ms)\na b c\t0.30000000000000004\n'-x\t\n");
  expect(tableMarkdown({ ...table, rows: [['<b>', 1]] })).toBe(
    '| A | B (ms) |\n| --- | ---: |\n| &lt;b> | 1 |\n',
  );
});
