import { detachedKind, detachedPath, detachedReplayPath, isDetached, panelOf } from './detached.ts';

test.each([
  [detachedPath('run-1'), 'board'],
  [detachedPath('run-1', 'heat'), 'heat'],
  [detachedPath('run/1 ä', 'chart:throughput/db ü'), 'chart'],
  [detachedReplayPath('run-1'), 'replay'],
  ['/detached/run/run-1', 'board'],
])('%s shows %s', (route, kind) => {
  expect(detachedKind(route)).toBe(kind);
  expect(isDetached(`#${route}`)).toBe(true);
});

test.each([
  '/runs/1',
  '/detached/run/',
  '/detached/run/1/other',
  '/detached/run/1/board/more',
  '/detached/run/1/chart:',
  '/detached/replay/1/heat',
  '/detached/run/1?x=1',
  '/detached/run/1#x',
  '/detached/run/../../x',
  'https://example.org',
  '/detached/run/%zz/%zz',
  `/detached/run/${'a'.repeat(500)}`,
  7,
  null,
])('%j is no window of ours', (route) => expect(detachedKind(route)).toBeNull());

test('panels by their segment', () => {
  expect([panelOf('events'), panelOf('chart:a b'), panelOf('chart:'), panelOf('x')]).toEqual([
    'events',
    'chart:a b',
    null,
    null,
  ]);
});
