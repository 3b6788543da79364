import { lineOf, runsOf } from './document.ts';
import { readMapping } from './mapping.ts';
import { isDone } from './results.ts';
import type { RealResult, RealRun } from './runStudy.ts';

const study = readMapping().find(({ id }) => id === 'E12')!;
const run = (change: Partial<RealRun>): RealRun => ({
  runId: 'run-1',
  levels: '1 VM',
  state: 'passed',
  detail: '',
  figure: 12.345,
  ...change,
});
const result = (runs: RealRun[], change: Partial<RealResult> = {}): RealResult => ({
  id: 'E12',
  planId: 'real-e12-plan',
  studyId: 'real-e12-study',
  atMs: Date.UTC(2026, 10, 23, 23, 2),
  seconds: 90,
  state: 'done',
  detail: '',
  runs,
  ...change,
});

test.each<[string, Partial<RealRun>, string]>([
  ['completed', {}, '| 1 VM | `run-1` | 12.3 ms | completed |'],
  ['large', { figure: 52_656 }, '| 52,656 ms | completed |'],
  [
    'a missed limit',
    { state: 'qosFailed', detail: 'Mail 95th percentile 1200 ms, at most 1000 ms' },
    'completed, limit missed: Mail 95th percentile 1200 ms, at most 1000 ms',
  ],
  [
    'a broken rule',
    { detail: 'Finished, not compliant: 1.00 @ 1 tile (scaling study); rule broken: Clients.' },
    'completed, rule broken: Clients.',
  ],
  [
    'failed',
    { state: 'failed', runId: null, figure: null, detail: 'Not started. No server.' },
    '| – | not measured | failed: Not started. No server. |',
  ],
])('a run that is %s is told so', (_what, change, words) => {
  expect(runsOf(study, result([run(change)]))).toContain(words);
});

test('what is missing is told, and only runs that ended make a study done', () => {
  expect(runsOf(study, null)).toBe('Not run.');
  const broken = result([run({}), run({ state: 'failed' })], { detail: '1 of 2 runs failed.' });
  expect([isDone(broken), lineOf(broken)]).toEqual([
    false,
    'E12  1 of 2 runs completed, 90 s: 1 of 2 runs failed.',
  ]);
  expect(runsOf(study, broken)).toContain('UTC.\n\n1 of 2 runs failed.\n\n|');
  const never = result([], { state: 'notStarted', detail: 'The engine refused it.' });
  expect(runsOf(study, never)).toBe('Not run: The engine refused it.');
  expect([isDone(never), isDone(result([run({ state: 'qosFailed' })]))]).toEqual([false, true]);
});
