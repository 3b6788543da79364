import { handedOver } from './handedOver.ts';

test.each([
  [['/home/me/a run.tilebench'], { bundle: '/home/me/a run.tilebench' }],
  [['--no-sandbox', 'A.TILEBENCH'], { bundle: 'A.TILEBENCH' }],
  [['file:///home/me/a%20run.tilebench'], { bundle: '/home/me/a run.tilebench' }],
  [['file://elsewhere/a.tilebench'], {}],
  [['file:///a%2Fb.tilebench'], {}],
  [['--load=x.tilebench'], {}],
  [['plan.json'], {}],
  [['tilebench:runs/r-1'], { page: '/runs/r-1' }],
  [['tilebench://studies/abc_2/'], { page: '/studies/abc_2' }],
  [['tilebench:runs/../settings'], {}],
  [['tilebench:runs/a?b=c'], {}],
  [['tilebench:settings/x'], {}],
  [['tilebench:runs/a#x.tilebench'], {}],
  [[], {}],
])('%j hands over %j', (args, expected) => {
  expect(handedOver(['tilebench-console', ...args])).toEqual(expected);
});
