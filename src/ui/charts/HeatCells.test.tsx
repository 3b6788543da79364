/** @jest-environment jsdom */
import '@testing-library/jest-dom';

import { screen } from '@testing-library/react';

import { HeatStrip } from './HeatStrip.tsx';
import { installChartDom, renderPage } from './testing/page.tsx';

installChartDom();

const cellsOf = (values: readonly number[], share: boolean): (string | null)[] => {
  renderPage(
    <HeatStrip
      title="Tiles"
      of={share ? 'share' : 'headroom'}
      rows={[{ id: 'mail', label: 'Mail' }]}
      columns={values.map((_, at) => ({ id: String(at), label: `T${at + 1}` }))}
      cell={(_row, column) => ({
        pct: values[Number(column)]!,
        detail: '',
        ...(share ? { share: true as const } : {}),
      })}
    />,
  );
  return screen
    .getAllByRole('cell')
    .filter(({ dataset }) => dataset['row'] !== undefined)
    .map(({ textContent }) => textContent);
};

test('a share is a percentage however large: 101 % of the median is not twice of it', () => {
  expect(cellsOf([0.4, 85, 100, 101.4, 246], true)).toEqual([
    '0 %',
    '85 %',
    '100 %',
    '101 %',
    '246 %',
  ]);
});

test('what is left of a limit is a ratio to it beyond twice the limit', () => {
  expect(cellsOf([19.6, -101], false)).toEqual(['20 %', '▼ 2.01×']);
});
