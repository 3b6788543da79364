import { screen, within } from '@testing-library/react';

import { leftOfLimit, scoreHeadroom } from '../../../core/limits/index.ts';
import { renderPart } from '../../testing/renderRoute.tsx';
import { QosTable } from './QosTable.tsx';
import { demoRun } from './testing/records.ts';

test('what is left of a limit stands in the words of the cards: never 322× here and 320× there', () => {
  const { score } = demoRun().record.overview;
  const worst = scoreHeadroom(score!);
  expect(worst.length).toBeGreaterThan(0);
  renderPart(<QosTable score={score!} />, {});
  const table = screen.getByRole('table', { name: 'Quality of service' });
  const [, ...rows] = within(table).getAllByRole('row');
  expect(rows.map((row) => within(row).getAllByRole('cell')[5]!.textContent)).toEqual(
    worst.map((one) => {
      const left = leftOfLimit(one);
      return left === null ? '–' : `${left.figure} ${left.word}`;
    }),
  );
});
