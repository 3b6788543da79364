import { earlyAbortOf } from './earlyAbortOption.ts';

test.each([
  ['off', null],
  ['certain', { when: 'certain', periods: 1, warnS: 60 }],
  ['forecast:3', { when: 'forecast', periods: 3, warnS: 60 }],
  ['certain:2,0', { when: 'certain', periods: 2, warnS: 0 }],
])('%s', (text, rule) => expect(earlyAbortOf(text)).toEqual(rule));

test.each([
  '',
  'on',
  'certain:0',
  'certain:101',
  'forecast:2,9999',
  'certain:-1',
  'certain:2,',
  'xcertain',
])('%j is refused', (text) => expect(() => earlyAbortOf(text)).toThrow('certain:N'));
