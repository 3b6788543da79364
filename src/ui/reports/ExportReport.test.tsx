import { act, screen, waitFor } from '@testing-library/react';
import { fail } from '../../shared/errors.ts';
import { demoRun } from '../runs/testing/records.ts';
import { renderScreen } from '../runs/testing/renderScreen.tsx';

const runs = [demoRun({ id: 'a', name: 'Old' }), demoRun({ id: 'b', name: 'New', speed: 1.07, planHash: 'h2' })];
const bytes = new TextEncoder().encode('<!doctype html>');

test('a report is asked for in the chosen format, redacted where asked, and saved', async () => {
  const { user, calls, saved } = renderScreen('/compare?base=a&ids=b', runs, { answers: { 'report.compare': () => ({ fileName: 'New-against-Old.pdf', bytes }) } });
  await screen.findByTestId('verdict');
  await user.click(screen.getByRole('button', { name: 'Export report' }));
  await user.click(await screen.findByRole('radio', { name: 'PDF' }));
  await user.click(screen.getByRole('checkbox', { name: 'Replace names and addresses' }));
  await user.click(screen.getByRole('button', { name: 'Export' }));
  expect(await screen.findByText('Written: New-against-Old.pdf')).toBeVisible();
  expect(calls.find((c) => c.method === 'report.compare')!.input).toMatchObject({ baselineId: 'a', ids: ['b'], format: 'pdf', redact: true });
  expect(saved.map((f) => f.name)).toEqual(['New-against-Old.pdf']);
});

test('how far it is, and a way to stop it', async () => {
  let key = '';
  let answer: (file: { fileName: string; bytes: Uint8Array }) => void = () => undefined;
  const { user, emit, saved } = renderScreen('/compare?base=a&ids=b', runs, { answers: { 'report.compare': ({ progressKey }, signal) => { key = progressKey!; return new Promise((done, failed) => { answer = done; signal?.addEventListener('abort', () => failed(fail('aborted', 'The report was given up.'))); }); } } });
  await screen.findByTestId('verdict');
  await user.click(screen.getByRole('button', { name: 'Export report' }));
  await user.click(await screen.findByRole('button', { name: 'Export' }));
  await waitFor(() => expect(key).not.toBe(''));
  act(() => emit('report.progress', { key: 'another', step: 'Not this one', done: 1, total: 9 }));
  act(() => emit('report.progress', { key, step: 'Lines are drawn', done: 3, total: 6 }));
  expect(await screen.findByText('Lines are drawn, 3 of 6')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Cancel report' }));
  expect(await screen.findByText('Report cancelled. No file was kept.')).toBeVisible();
  answer({ fileName: 'late.html', bytes });
  expect(saved).toEqual([]);
});
