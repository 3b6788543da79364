import { newestFirst } from './newestFirst.ts';
import type { RunState } from './states.ts';

test('runs under way, then by start; what never started stands below every run that did', () => {
  const run = (name: string, state: RunState, startedAtMs: number | null) => ({
    name,
    state,
    startedAtMs,
  });
  const runs = [
    run('refused', 'failed', null),
    run('old', 'passed', 1),
    run('aborted before its load', 'aborted', null),
    run('starting', 'starting', null),
    run('new', 'failed', 2),
  ];
  expect(newestFirst(runs).map((r) => r.name)).toEqual([
    'starting',
    'new',
    'old',
    'refused',
    'aborted before its load',
  ]);
});
