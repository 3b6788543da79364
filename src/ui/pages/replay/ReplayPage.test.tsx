import { fireEvent, screen, waitFor, within } from '@testing-library/react';

import { fail } from '../../../core/base/errors.ts';
import { installChartDom } from '../../charts/testing/page.tsx';
import { demoRun, samplesOf } from '../runs/testing/records.ts';
import { renderScreen, type Screen } from '../runs/testing/renderScreen.tsx';

// A ramp-up of 60 s, 180 s of steady state in three periods, 20 s of ramp-down; the second tile
// starts at 10 s, a note lies at 80 s.
const run = demoRun({ origin: 'simulated' });
beforeAll(() => {
  installChartDom();
});
const open = (query: string): Screen =>
  renderScreen(`/runs/${run.summary.id}/replay${query}`, [run]);
const position = (): HTMLElement => screen.getByRole('slider', { name: 'Position' });
const figure = (label: string): HTMLElement =>
  screen.getByText(label, { selector: 'dt' }).parentElement!;

test('the board stands as it stood at the moment of the address, its marks once', async () => {
  open('?at=90&paused=1');
  expect(await screen.findByRole('heading', { name: 'Baseline, 2 tiles', level: 1 })).toBeVisible();
  expect(screen.getByRole('status', { name: 'State of the run' })).toHaveTextContent(
    'Steady state',
  );
  // The top bar says REPLAY, once for the window.
  expect(screen.queryByText('REPLAY')).toBeNull();
  expect(screen.getByRole('button', { name: 'SIMULATED' })).toBeVisible();
  expect(screen.queryByText('SIMULATED, REPLAY')).toBeNull();
  expect(position()).toHaveAttribute('aria-valuetext', '1:30 of 4:20, Steady state');
  // Nothing of what came later: no score, no verdict, the event of the note but not of the end.
  expect(figure('Throughput')).not.toHaveTextContent(/score/);
  expect(screen.queryByText(/Not compliant/)).toBeNull();
  expect(screen.getByRole('tab', { name: 'Events (5)' })).toBeInTheDocument();
});

test('a chart shows what was measured up to the moment, and nothing after', async () => {
  open('?at=90&paused=1');
  const chart = await screen.findByRole('region', { name: 'Database throughput tps' });
  const data = samplesOf(run, [0])[0]!;
  const last = data.value[data.tMs.findIndex((t) => t > run.spec.startedAtMs + 90_000) - 1]!;
  await waitFor(() => {
    expect(within(chart).getByRole('button', { name: /Tile 1/ })).toHaveTextContent(
      last.toFixed(0),
    );
  });
});

test('keys move the position: arrows, Page, Home, End; at the end the stored result is there', async () => {
  const { user } = open('?at=90&paused=1');
  await screen.findByRole('slider', { name: 'Position' });
  const press = (key: string, shiftKey = false): void => {
    fireEvent.keyDown(position(), { key, shiftKey });
  };
  press('ArrowRight');
  expect(position()).toHaveAttribute('aria-valuetext', '1:40 of 4:20, Steady state');
  press('ArrowLeft', true);
  expect(position()).toHaveAttribute('aria-valuetext', '1:39 of 4:20, Steady state');
  press('PageUp');
  expect(position()).toHaveAttribute('aria-valuetext', '2:05 of 4:20, Steady state');
  await waitFor(() => {
    expect(figure('Throughput')).toHaveTextContent(/score so far 2\.0/);
  });
  press('Home');
  expect(screen.getByRole('status', { name: 'State of the run' })).toHaveTextContent('Ramp-up');
  press('End');
  expect(screen.getByRole('status', { name: 'State of the run' })).toHaveTextContent('Passed');
  expect(screen.getByRole('button', { name: 'Play again' })).toBeVisible();
  await user.click(screen.getByRole('tab', { name: 'Workloads' }));
  expect(screen.getAllByText('Ended').length).toBeGreaterThan(0);
});

test('Space pauses and plays, plus and minus change the speed, the address keeps up', async () => {
  const { user, path } = open('?at=30&speed=1&paused=1');
  expect(await screen.findByRole('button', { name: 'Play' })).toBeVisible();
  await user.keyboard(' ');
  expect(screen.getByRole('button', { name: 'Pause' })).toBeVisible();
  await user.keyboard('+');
  expect(screen.getByRole('combobox', { name: 'Speed' })).toHaveValue('2');
  await user.keyboard('-');
  await user.keyboard(' ');
  expect(screen.getByRole('button', { name: 'Play' })).toBeVisible();
  fireEvent.keyDown(position(), { key: 'Home' });
  fireEvent.keyDown(position(), { key: 'ArrowRight' });
  await waitFor(() => {
    expect(path()).toBe('/runs/run-a/replay?at=10&speed=1&paused=1');
  });
});

test('samples that cannot be read are said, and read again on request', async () => {
  let refuse = true;
  const { user } = renderScreen('/runs/run-a/replay?paused=1', [run], {
    answers: {
      'run.samples': ({ seriesIds }) => {
        if (refuse) throw fail('internal', 'The database is gone.', 'Check the disk.');
        return samplesOf(run, seriesIds);
      },
    },
  });
  expect(await screen.findByRole('alert')).toHaveTextContent('The database is gone.');
  refuse = false;
  await user.click(within(screen.getByRole('alert')).getByRole('button', { name: 'Try again' }));
  await waitFor(() => {
    expect(screen.queryByRole('alert')).toBeNull();
  });
});

test('a run that never started says so', async () => {
  const ready = demoRun({ state: 'ready' });
  renderScreen('/runs/run-a/replay', [ready]);
  expect(await screen.findByText(/never started: there is nothing to replay/)).toBeVisible();
});
