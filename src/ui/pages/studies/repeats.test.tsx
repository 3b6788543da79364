import { screen } from '@testing-library/react';

import { repeatSpec } from '../../../core/study/repeatBoth.ts';
import { renderRoute } from '../../testing/renderRoute.tsx';
import { demoStatus, demoStudy } from './testing/overviews.ts';

/** Two runs, each run again twice, in turns. */
function repeats() {
  const { axes, order, name } = repeatSpec(
    's1',
    [
      { id: 'run-a', name: 'By hand', planId: 'p1' },
      { id: 'run-b', name: 'DRS', planId: 'p1' },
    ],
    { ofEach: 2 },
  );
  const study = demoStudy({}, { axes, order, name, repeats: 2, galleryId: null });
  const points = ['run-a', 'run-b', 'run-a', 'run-b'].map((run, i) => ({
    ...study.points[i]!,
    key: `run=${run};repeat=${i < 2 ? 1 : 2}`,
    values: { run },
    repeat: i < 2 ? 1 : 2,
    runId: `repeat-${i}`,
  }));
  return { ...study, points };
}

test('a study of repeats leads to their comparison; it does not scale, and nothing of it is varied', async () => {
  renderRoute(
    '/studies/s1',
    { 'lab.status': () => demoStatus(), 'study.overview': repeats },
    null,
    'simulated',
  );
  expect(await screen.findByRole('link', { name: 'Compare the repeats' })).toBeVisible();
  expect(screen.queryByRole('link', { name: 'What if…' })).toBeNull();
  expect(screen.queryByText(/Why did it stop scaling/)).toBeNull();
});
