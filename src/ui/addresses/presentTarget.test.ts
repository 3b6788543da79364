import type { RunSummary } from '../../core/run/run.ts';
import { presentTarget, replayTarget } from './presentTarget.ts';

const run = (id: string, state: RunSummary['state'], startedAtMs: number | null): RunSummary =>
  ({ id, state, startedAtMs }) as RunSummary;
const runs = [
  run('old', 'passed', 10),
  run('new', 'failed', 30),
  run('now', 'steady', 40),
  run('never', 'aborted', null),
];

test.each([
  ['/history', runs, '/runs/new/replay'],
  ['/runs/old', runs, '/runs/old/replay'],
  ['/runs/old/replay', runs, '/runs/old/replay'],
  ['/runs/now', runs, '/runs/new/replay'],
  ['/runs/never', runs, '/runs/new/replay'],
  ['/', [], '/runs'],
])('Replay from %s', (pathname, list, to) => {
  expect(replayTarget(pathname, list)).toBe(to);
});

test.each([
  ['/runs/a', null, '/present/run/a'],
  ['/runs/a/replay', 'b', '/present/replay/a'],
  ['/studies/s', 'b', '/present/study/s'],
  ['/studies/new', null, '/present'],
  ['/history', 'b', '/present/run/b'],
  ['/history', null, '/present'],
  ['/runs', null, '/present'],
])('Presenter view from %s with %s active', (pathname, active, to) => {
  expect(presentTarget(pathname, active)).toBe(to);
});
