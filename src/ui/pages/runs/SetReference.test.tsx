import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';

import type { Plan } from '../../../core/plan/plan.ts';
import { type Answers, renderPart } from '../../testing/renderRoute.tsx';
import { SetReference } from './SetReference.tsx';
import { demoRun } from './testing/records.ts';

const { record, summary } = demoRun();
const better = demoRun({ id: 'run-b', name: 'Better' }).summary;
const answersWith = (plans: Plan[], saved: unknown[]): Answers => ({
  'run.list': () => [summary, better],
  'plan.list': () => plans,
  'plan.save': (plan) => {
    saved.push(plan);
    return plan as Plan;
  },
});
const open = async (): Promise<void> =>
  userEvent.click(screen.getByRole('button', { name: 'Set a reference…' }));
const use = async (): Promise<void> =>
  userEvent.click(await screen.findByRole('button', { name: 'Use as reference' }));

test('the run becomes the reference of its plan and of plans of its profile that have none; others keep theirs', async () => {
  const saved: unknown[] = [];
  const plans = [
    record.plan,
    { ...record.plan, id: 'same', name: 'Same profile', referenceRunId: null },
    { ...record.plan, id: 'has', name: 'Has one', referenceRunId: 'run-x' },
    { ...record.plan, id: 'else', name: 'Else', profileId: 'other', referenceRunId: null },
  ];
  renderPart(<SetReference record={record} />, answersWith(plans, saved));
  await open();
  await use();
  expect(await screen.findByRole('status')).toHaveTextContent(
    `This run scores 1.0 per tile in the next runs of ${record.plan.name}, Same profile.`,
  );
  expect(saved).toEqual([
    expect.objectContaining({ id: record.plan.id, referenceRunId: record.overview.id }),
    expect.objectContaining({ id: 'same', referenceRunId: record.overview.id }),
  ]);
  expect(screen.getByRole('button', { name: 'Use as reference' })).toBeDisabled();
});

test('another run of the profile can be it', async () => {
  const saved: unknown[] = [];
  renderPart(<SetReference record={record} />, answersWith([record.plan], saved));
  await open();
  await userEvent.selectOptions(await screen.findByRole('combobox', { name: 'Run' }), 'Better');
  await use();
  expect(await screen.findByRole('status')).toHaveTextContent(/^It scores 1\.0 per tile/);
  expect(saved).toEqual([expect.objectContaining({ referenceRunId: 'run-b' })]);
});

test('a plan that is gone is said, and nothing is changed', async () => {
  const saved: unknown[] = [];
  renderPart(<SetReference record={record} />, answersWith([], saved));
  await open();
  await use();
  expect(await screen.findByRole('alert')).toHaveTextContent(
    'The plan of this run does not exist any more. Choose the run as reference in another plan.',
  );
  expect(saved).toEqual([]);
  expect(screen.getByRole('button', { name: 'Use as reference' })).toBeEnabled();
});
