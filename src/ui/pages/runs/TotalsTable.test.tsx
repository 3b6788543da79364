import { MantineProvider } from '@mantine/core';
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';

import type { Plan } from '../../../core/plan/plan.ts';
import type { Score } from '../../../core/run/scoreTypes.ts';
import { type Answers, renderPart } from '../../testing/renderRoute.tsx';
import { demoRun } from './testing/records.ts';
import { TotalsTable } from './TotalsTable.tsx';
import { UseAsReference } from './UseAsReference.tsx';

const shown = (node: React.ReactNode) =>
  render(<MantineProvider env="test">{node}</MantineProvider>);
const scoreOf = (tiles: number): Score => demoRun({ tiles }).record.overview.score!;
const heads = (): (string | null)[] =>
  screen.getAllByRole('columnheader').map((cell) => cell.textContent);

/** `1.63k tps` → 1630. */
const shownNumber = (text: string): number => {
  const [, digits, k] = /([\d.]+)\s?(k)?/.exec(text)!;
  return Number(digits) * (k === undefined ? 1 : 1_000);
};

describe('totals', () => {
  test('of several tiles: the sum, the least, the most and the balance between them', () => {
    shown(<TotalsTable score={scoreOf(2)} />);
    expect(heads()).toEqual([
      'Workload',
      'Sum of the tiles',
      'Least tile',
      'Most tile',
      'Balance between tiles',
    ]);
    const row = screen.getByRole('row', { name: /^Database / });
    const [sum, least, most, balance] = within(row)
      .getAllByRole('cell')
      .slice(1)
      .map((cell) => shownNumber(cell.textContent));
    expect(sum).toBeGreaterThan(most!);
    expect(least!).toBeLessThanOrEqual(most!);
    expect(balance).toBeCloseTo((100 * least!) / most!, 0);
  });

  test('of one tile: its throughput, and nothing to balance', () => {
    shown(<TotalsTable score={scoreOf(1)} />);
    expect(heads()).toEqual(['Workload', 'Throughput']);
  });

  test('of a run that reached no period: words', () => {
    shown(<TotalsTable score={{ ...scoreOf(1), periods: [] }} />);
    expect(screen.getByText('No measurement period was reached.')).toBeVisible();
    expect(screen.queryByRole('table')).toBeNull();
  });
});

describe('use as reference', () => {
  const { record } = demoRun();
  const answersWith = (plans: Plan[], saved: unknown[]): Answers => ({
    'plan.list': () => plans,
    'plan.save': (plan) => {
      saved.push(plan);
      return plan as Plan;
    },
  });

  test('it becomes the reference of its plan and of plans of its profile that have none; others keep theirs', async () => {
    const saved: unknown[] = [];
    const plans = [
      record.plan,
      { ...record.plan, id: 'same', name: 'Same profile', referenceRunId: null },
      { ...record.plan, id: 'has', name: 'Has one', referenceRunId: 'run-x' },
      { ...record.plan, id: 'else', name: 'Else', profileId: 'other', referenceRunId: null },
    ];
    renderPart(<UseAsReference record={record} />, answersWith(plans, saved));
    await userEvent.click(screen.getByRole('button', { name: 'Use as reference' }));
    expect(await screen.findByRole('status')).toHaveTextContent(
      `This run scores 1.0 a tile in the next runs of ${record.plan.name}, Same profile.`,
    );
    expect(saved).toEqual([
      expect.objectContaining({ id: record.plan.id, referenceRunId: record.overview.id }),
      expect.objectContaining({ id: 'same', referenceRunId: record.overview.id }),
    ]);
    expect(screen.getByRole('button', { name: 'Use as reference' })).toBeDisabled();
  });

  test('a plan that is gone is said, and nothing is changed', async () => {
    const saved: unknown[] = [];
    renderPart(<UseAsReference record={record} />, answersWith([], saved));
    await userEvent.click(screen.getByRole('button', { name: 'Use as reference' }));
    expect(await screen.findByRole('alert')).toHaveTextContent(
      'The plan of this run does not exist any more. Choose the run as reference in another plan.',
    );
    expect(saved).toEqual([]);
    expect(screen.getByRole('button', { name: 'Use as reference' })).toBeEnabled();
  });
});
