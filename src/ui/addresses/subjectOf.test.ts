import { subjectOf } from './subjectOf.ts';

test.each([
  ['/runs/run-1', '', { kind: 'run', id: 'run-1' }],
  ['/runs/run-1/replay', '', { kind: 'run', id: 'run-1' }],
  ['/studies/e01-study', '', { kind: 'study', id: 'e01-study' }],
  ['/compare', '?base=a&ids=b,c', { kind: 'compare', baselineId: 'a', ids: ['b', 'c'] }],
  ['/compare', '?base=a', { kind: 'run', id: 'a' }],
  ['/detached/run/run-1/chart:x', '', { kind: 'run', id: 'run-1' }],
  ['/detached/replay/run-1', '', { kind: 'run', id: 'run-1' }],
  ['/present/run/run%201', '', { kind: 'run', id: 'run 1' }],
  ['/present/study/s', '', { kind: 'study', id: 's' }],
  ['/studies/new', '', null],
  ['/runs', '', null],
  ['/compare', '', null],
  ['/compare/studies', '?ids=a,b', null],
  ['/', '', null],
])('the page at %s%s', (pathname, search, subject) => {
  expect(subjectOf(pathname, search)).toEqual(subject);
});
