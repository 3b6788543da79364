import { screen, within } from '@testing-library/react';

import { compareStudies } from '../../../core/study/compareStudies.ts';
import { renderRoute } from '../../testing/renderRoute.tsx';
import { demoPair } from '../studies/testing/overviews.ts';

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
    length: 'full',
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

test('a redacted report waits until its doubtful words were looked at, and leaves with what was decided', async () => {
  const { user, calls } = renderRoute(
    '/compare/studies?ids=s1&base=s1%2Farray%3Dnew',
    {
      'study.compare': ({ baseline }) =>
        compareStudies([{ overview: demoPair(), recordOf: () => null, workloads: {} }], baseline),
      'report.preview': () => ({
        replacements: [],
        doubts: [
          { text: 'Nordhaus', to: 'word-1', count: 2, why: 'unknown' as const },
          { text: 'Frank', to: 'Frank', count: 1, why: 'plainWord' as const },
        ],
      }),
      'report.studies': () => ({ fileName: 'curves.html', bytes: new Uint8Array(4) }),
    },
    null,
    'simulated',
  );
  await screen.findByTestId('verdict');
  await user.click(screen.getByRole('button', { name: 'Export report' }));
  const choices = within(await screen.findByRole('dialog', { name: 'Export report' }));
  await user.click(choices.getByRole('radio', { name: 'Summary (two pages)' }));
  expect(choices.getByText(/^The verdict, three numbers, the worst chart/)).toBeVisible();
  await user.click(choices.getByRole('checkbox', { name: 'Replace names and addresses' }));
  await user.click(choices.getByRole('button', { name: 'Export' }));
  const asked = within(await screen.findByRole('dialog', { name: 'Redacted report: what leaves' }));
  expect(asked.getByRole('button', { name: 'Write redacted report' })).toBeDisabled();
  expect(calls.some((c) => c.method === 'report.studies')).toBe(false);
  await user.click(asked.getByRole('checkbox', { name: 'Keep Nordhaus' }));
  await user.click(asked.getByRole('checkbox', { name: /^Looked at: these 2 words/ }));
  await user.click(asked.getByRole('button', { name: 'Write redacted report' }));
  expect(await screen.findByText('Written: curves.html')).toBeVisible();
  expect(calls.find((c) => c.method === 'report.studies')!.input).toMatchObject({
    length: 'summary',
    redact: true,
    keep: ['Nordhaus'],
    confirmed: ['Nordhaus', 'Frank'],
  });
});
