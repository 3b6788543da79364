import { type OpenParameters, parameterSearch,parametersOf } from './parameterAddress.ts';

test.each<OpenParameters>([
  { tile: 0, workloadId: 'database', parameter: 'port', planId: 'p1' },
  { tile: 19, workloadId: 'mail server', parameter: null, planId: null },
])('%o comes back from its address', (open) => {
  expect(parametersOf(new URLSearchParams(parameterSearch(open)))).toEqual(open);
});

test.each(['', 'tile=0&workload=io', 'tile=x&workload=io', 'tile=1'])(
  'nothing is open at %p',
  (search) => {
    expect(parametersOf(new URLSearchParams(search))).toBeNull();
  },
);
