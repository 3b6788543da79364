import { screen, waitFor, within } from '@testing-library/react';

import type { StudySpec } from '../../../core/study/study.ts';
import { demoRun } from '../runs/testing/records.ts';
import { type Answers, renderScreen } from '../runs/testing/renderScreen.tsx';

const runs = [
  demoRun({ id: 'a', name: 'Old' }),
  demoRun({ id: 'b', name: 'New', speed: 1.07, planHash: 'h2' }),
  demoRun({ id: 'c', name: 'Third', planHash: 'h3' }),
];
const answers = (more: Answers = {}): Answers => ({
  'plan.list': () => [runs[0]!.record.plan],
  'study.save': (spec) => spec as StudySpec,
  'study.start': () => ({}),
  ...more,
});
const open = async (shown: ReturnType<typeof renderScreen>): Promise<HTMLElement> => {
  await shown.user.click(await screen.findByRole('button', { name: 'Repeat both…' }));
  return screen.findByRole('dialog', { name: 'Repeat both' });
};

test('one run against one: how many, how long, and one button that starts them in turns', async () => {
  const shown = renderScreen('/compare?base=a&ids=b', runs, { answers: answers() });
  const dialog = within(await open(shown));
  expect(await dialog.findByText(/^6 runs in turns, \d+:\d\d.* of load$/)).toBeVisible();
  const field = dialog.getByRole('textbox', { name: 'Runs of each' });
  await shown.user.clear(field);
  await shown.user.type(field, '2');
  expect(dialog.getByText(/^4 runs in turns/)).toBeVisible();
  await shown.user.click(dialog.getByRole('button', { name: 'Start the runs' }));
  await waitFor(() => expect(shown.path()).toMatch(/^\/studies\/repeat-/));
  const spec = shown.calls.find(({ method }) => method === 'study.save')!.input as StudySpec;
  expect(spec).toMatchObject({ order: 'inTurns', repeats: 2, stopRule: 'firstFailedRun' });
  expect(spec.axes[0]).toMatchObject({ parameter: { kind: 'run' }, values: ['a', 'b'] });
  expect(shown.calls.find(({ method }) => method === 'study.start')!.input).toEqual({
    id: spec.id,
  });
});

test('more than four of each, or fewer than two, is not started', async () => {
  const shown = renderScreen('/compare?base=a&ids=b', runs, { answers: answers() });
  const dialog = within(await open(shown));
  const field = await dialog.findByRole('textbox', { name: 'Runs of each' });
  for (const count of ['5', '1']) {
    await shown.user.clear(field);
    await shown.user.type(field, count);
    expect(dialog.getByText('A whole number from 2 to 4.')).toBeVisible();
    expect(dialog.getByRole('button', { name: 'Start the runs' })).toBeDisabled();
  }
});

test('a plan that is gone is told before anything starts', async () => {
  const shown = renderScreen('/compare?base=a&ids=b', runs, {
    answers: answers({ 'plan.list': () => [] }),
  });
  const dialog = within(await open(shown));
  expect(await dialog.findByRole('alert')).toHaveTextContent(
    'The plan of Old does not exist any more.',
  );
  expect(dialog.getByRole('button', { name: 'Start the runs' })).toBeDisabled();
});

test('three runs are not repeated', async () => {
  renderScreen('/compare?base=a&ids=b,c', runs, { answers: answers() });
  expect(await screen.findByTestId('verdict')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Repeat both…' })).toBeNull();
});

test('a pause between the runs counts in what is told, and goes into the study', async () => {
  const shown = renderScreen('/compare?base=a&ids=b', runs, { answers: answers() });
  const dialog = within(await open(shown));
  const pause = await dialog.findByRole('textbox', { name: 'Pause between runs' });
  expect(pause).toHaveValue('0 s');
  await shown.user.clear(pause);
  await shown.user.type(pause, '2h');
  expect(dialog.getByText('Whole seconds, at most 1:00:00.')).toBeVisible();
  expect(dialog.getByRole('button', { name: 'Start the runs' })).toBeDisabled();
  await shown.user.clear(pause);
  await shown.user.type(pause, '90 s');
  // Five pauses lie between six runs.
  expect(dialog.getByText(/ of load and 7:30 of pauses$/)).toBeVisible();
  await shown.user.click(dialog.getByRole('button', { name: 'Start the runs' }));
  await waitFor(() => expect(shown.path()).toMatch(/^\/studies\/repeat-/));
  const spec = shown.calls.find(({ method }) => method === 'study.save')!.input as StudySpec;
  expect(spec.pauseS).toBe(90);
});
