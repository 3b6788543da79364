import { screen, waitFor, within } from '@testing-library/react';
import { fail } from '../../shared/errors.ts';
import { demoRun, manySummaries } from '../runs/testing/records.ts';
import { renderScreen } from '../runs/testing/renderScreen.tsx';

beforeEach(() => localStorage.clear());
const at = Date.UTC(2026, 10, 20, 9, 0, 0);
const runs = [
  demoRun({ id: 'a', name: 'Baseline' }), demoRun({ id: 'b', name: 'New firmware', speed: 1.5, startedAtMs: at + 3_600_000 }),
  demoRun({ id: 'c', name: 'Cut short', state: 'aborted', startedAtMs: at - 3_600_000 }), demoRun({ id: 'd', name: 'Model', origin: 'simulated', startedAtMs: at - 7_200_000 }),
];
const rowNames = (): string[] => within(screen.getByRole('grid', { name: 'Runs' })).getAllByRole('checkbox', { name: /^Select (?!all)/ }).map((box) => box.getAttribute('aria-label')!.replace('Select ', ''));

test('the newest run comes first; a click on a head sorts, a second one the other way', async () => {
  const { user } = renderScreen('/history', runs);
  await screen.findByRole('grid');
  expect(rowNames()).toEqual(['New firmware', 'Baseline', 'Cut short', 'Model']);
  await user.click(screen.getByRole('button', { name: 'Name' }));
  expect(rowNames()).toEqual(['Baseline', 'Cut short', 'Model', 'New firmware']);
  expect(screen.getByRole('columnheader', { name: 'Name' })).toHaveAttribute('aria-sort', 'ascending');
  await user.click(screen.getByRole('button', { name: 'Score' }));
  expect(rowNames().slice(0, 1)).toEqual(['New firmware']);
  await user.click(screen.getByRole('button', { name: 'Score' }));
  expect(rowNames().at(-1)).toBe('Cut short');
});

test('a run that is not real wears its mark in the name, whatever columns are shown', async () => {
  renderScreen('/history', runs);
  expect(within((await screen.findByRole('checkbox', { name: 'Select Model' })).closest('[role=row]')!).getByText('SIMULATED')).toBeVisible();
});

test('search and the address say the same', async () => {
  const { user, path } = renderScreen('/history', runs);
  await user.type(await screen.findByRole('searchbox', { name: 'Search runs' }), 'firm');
  expect(rowNames()).toEqual(['New firmware']);
  expect(screen.getByRole('status')).toHaveTextContent('1 of 4 runs');
  expect(path()).toBe('/history?q=firm');
  await user.click(screen.getByRole('button', { name: 'Clear filters' }));
  expect(rowNames()).toHaveLength(4);
});

test('an address with a filter opens filtered; nothing found is said', async () => {
  const { user } = renderScreen('/history?state=aborted', runs);
  await screen.findByRole('grid');
  expect(rowNames()).toEqual(['Cut short']);
  await user.type(screen.getByRole('searchbox', { name: 'Search runs' }), 'zzz');
  expect(screen.getByText('No run matches the filters.')).toBeVisible();
});

test('arrows move, the preview follows, Space selects, Enter opens', async () => {
  const { user, path } = renderScreen('/history', runs);
  const grid = await screen.findByRole('grid');
  grid.focus();
  await user.keyboard('{ArrowDown}{ArrowDown}');
  const preview = screen.getByRole('region', { name: 'Preview' });
  expect(await within(preview).findByText('Scaling study result 2.00 with 2 tiles; every QoS limit held.')).toBeVisible();
  await user.keyboard(' ');
  expect(screen.getByRole('checkbox', { name: 'Select Baseline' })).toBeChecked();
  await user.keyboard('{Enter}');
  expect(path()).toBe('/runs/a');
});

test('the first selected run is the baseline of the comparison', async () => {
  const { user, path } = renderScreen('/history', runs);
  await user.click(await screen.findByRole('checkbox', { name: 'Select Baseline' }));
  expect(screen.getByRole('button', { name: 'Compare' })).toBeDisabled();
  await user.click(screen.getByRole('checkbox', { name: 'Select New firmware' }));
  expect(within(screen.getByRole('region', { name: 'Selected runs' })).getByText('Baseline (baseline)')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Compare' }));
  expect(path()).toBe('/compare?base=a&ids=b');
});

test('removing says exactly what goes, keeps active runs, and a refusal is shown', async () => {
  const live = demoRun({ id: 'e', name: 'Running now', state: 'steady', startedAtMs: at + 9e6 });
  const { user, calls } = renderScreen('/history', [...runs, live], { answers: { 'run.remove': ({ id }) => { if (id === 'c') throw fail('conflict', 'The run is the reference of a plan.', 'Choose another reference first.'); return {}; } } });
  for (const name of ['Select Baseline', 'Select Cut short', 'Select Running now']) await user.click(await screen.findByRole('checkbox', { name }));
  await user.click(screen.getByRole('button', { name: 'Remove' }));
  const dialog = await screen.findByRole('dialog', { name: 'Remove 2 runs' });
  expect(dialog).toHaveTextContent(/Gone for good: .* samples, the score, events, notes, logs and the recorded set-up ofBaselineCut short/);
  expect(dialog).toHaveTextContent('1 active run not removed: abort first.');
  await user.click(within(dialog).getByRole('button', { name: 'Remove 2 runs' }));
  expect(await within(dialog).findByRole('alert')).toHaveTextContent('The run is the reference of a plan. Choose another reference first.');
  expect(calls.filter((c) => c.method === 'run.remove').map((c) => c.input)).toEqual([{ id: 'a' }, { id: 'c' }]);
});

test('columns are chosen and remembered', async () => {
  const { user } = renderScreen('/history', runs);
  await user.click(await screen.findByRole('button', { name: 'Columns' }));
  await user.click(await screen.findByRole('menuitemcheckbox', { name: 'Testbed' }));
  expect(screen.getByRole('columnheader', { name: 'Testbed', hidden: true })).toBeInTheDocument();
  expect(JSON.parse(localStorage.getItem('history.columns')!)).toContain('testbed');
});

test('of 1,000 runs only those in view are drawn, all are counted, and the last can be reached', async () => {
  const list = manySummaries(1_000);
  const { user } = renderScreen('/history', [], { list });
  const grid = await screen.findByRole('grid');
  expect(grid).toHaveAttribute('aria-rowcount', '1001');
  expect(within(grid).getAllByRole('row').length).toBeLessThan(60);
  grid.focus();
  await user.keyboard('{End}');
  expect(await within(screen.getByRole('region', { name: 'Preview' })).findByRole('heading', { name: 'Run 1000' })).toBeVisible();
});

test('an empty history says what will be here and offers the way', async () => {
  renderScreen('/history', []);
  expect(await screen.findByText(/^No runs yet\. Every run that starts is kept here/)).toBeVisible();
  expect(screen.getByRole('button', { name: 'Choose a plan' })).toBeVisible();
});

test('an unreadable history says why and can be asked again', async () => {
  let broken = true;
  const { user } = renderScreen('/history', runs, { answers: { 'run.list': () => { if (broken) throw fail('internal', 'The database is locked.', 'Close the other console.'); return runs.map((r) => r.summary); } } });
  expect(await screen.findByRole('alert')).toHaveTextContent('The history cannot be readThe database is locked.Close the other console.');
  broken = false;
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(screen.getByRole('grid')).toBeVisible());
});
