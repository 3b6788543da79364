import { MantineProvider } from '@mantine/core';
import { render, screen } from '@testing-library/react';

import type { StudyBasis } from '../../../core/study/study.ts';
import { BasisTable } from './BasisTable.tsx';

const row = (kind: StudyBasis['kind'], what: string, serves: number): StudyBasis => ({
  kind,
  what,
  figure: '1',
  source: `source of ${what}`,
  serves,
});

test('what it rests on: published, sourced, chosen, and last the constants that are the result; what serves most first', () => {
  render(
    <MantineProvider env="test">
      <BasisTable
        basis={[
          row('result', 'ESX 4.1', 8),
          row('chosen', 'Disk FC 10k', 3),
          row('sourced', 'Xeon X5680', 8),
          row('chosen', 'Disk FC 15k', 30),
          row('published', 'Web', 1),
        ]}
      />
    </MantineProvider>,
  );
  expect(
    screen
      .getAllByRole('row')
      .slice(1)
      .map((one) => [...one.children].map((cell) => cell.textContent)),
  ).toEqual([
    ['Published', 'Web', '1', '1 line', 'source of Web'],
    ['Sourced', 'Xeon X5680', '1', '8 lines', 'source of Xeon X5680'],
    ['Chosen to match', 'Disk FC 15k', '1', '30 lines', 'source of Disk FC 15k'],
    ['Chosen to match', 'Disk FC 10k', '1', '3 lines', 'source of Disk FC 10k'],
    ['Chosen, and the result', 'ESX 4.1', '1', '8 lines', 'source of ESX 4.1'],
  ]);
});
