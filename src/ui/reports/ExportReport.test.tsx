import { screen, within } from '@testing-library/react';

import { compareStudies } from '../../shared/compareStudies.ts';
import { demoPair } from '../studies/testing/overviews.ts';
import { renderRoute } from '../testing/renderRoute.tsx';

jest.setTimeout(30_000);

test('a report of what is on the page is written with its baseline; progress is told, and focus comes back', async () => {
  let finish = (): void => undefined;
  const { user, calls, emit } = renderRoute(
    '/compare/studies?ids=s1&base=s1%2Farray%3Dnew',
    {
      'study.compare': ({ baseline }) =>
        compareStudies([{ overview: demoPair(), recordOf: () => null, workloads: {} }], baseline),
      'report.studies': () =>
        new Promise((resolve) => {
          finish = () => resolve({ fileName: 'curves.html', bytes: new Uint8Array(4) });
        }),
    },
    null,
    'simulated',
  );
  await screen.findByTestId('verdict');
  await user.click(screen.getByRole('button', { name: 'Export report' }));
  await user.click(
    within(await screen.findByRole('dialog', { name: 'Export report' })).getByRole('button', {
      name: 'Export',
    }),
  );
  const { progressKey, ...input } = calls.find((c) => c.method === 'report.studies')!.input as {
    progressKey: string;
  };
  expect(input).toEqual({
    ids: ['s1'],
    baseline: 's1/array=new',
    format: 'html',
    redact: false,
    keep: [],
    confirmed: [],
  });
  emit('report.progress', { key: progressKey, step: 'Lines are drawn', done: 1, total: 4 });
  expect(await screen.findByText('Lines are drawn, 1 of 4')).toBeVisible();
  finish();
  expect(await screen.findByText('Written: curves.html')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Export report' })).toHaveFocus();
});
