import { expandBraces, patternLimit } from './bracePattern.ts';

test.each([
  ['client', ['client']],
  ['', ['']],
  ['client{1..3}', ['client1', 'client2', 'client3']],
  ['c{08..11}.lab', ['c08.lab', 'c09.lab', 'c10.lab', 'c11.lab']],
  ['c{01..2}', ['c01', 'c02']],
  ['10.0.0.{11..13}', ['10.0.0.11', '10.0.0.12', '10.0.0.13']],
  ['{0..1}', ['0', '1']],
  ['lab{a, b}', ['laba', 'labb']],
  ['10.0.{1..2}.{8,9}', ['10.0.1.8', '10.0.1.9', '10.0.2.8', '10.0.2.9']],
  // What replaces is no pattern of replacement.
  ['{$&,$1}x', ['$&x', '$1x']],
])('%s', (pattern, values) => expect(expandBraces(pattern)).toEqual({ values }));

test.each([
  ['c{1..x}', /neither a range.*nor a list/],
  ['c{}', /neither/],
  ['c{1}', /neither/],
  ['c{a,}', /neither/],
  ['c{3..1}', /counts down/],
  ['c{1..401}', /More than 400/],
  ['c{1..999999999}', /More than 400/],
  ['c{1..9999999999}', /neither/],
  ['{1..100}{1..100}', /More than 400/],
  ['{0,1}'.repeat(2_000), /More than 400/],
  ['client{1..3', /no partner/],
  ['client1}', /no partner/],
  ['{{1..2}', /no partner/],
])('%s is refused in words', (pattern, problem) =>
  expect(expandBraces(pattern)).toEqual({ problem: expect.stringMatching(problem) }),
);

test('as many as a testbed has tiles', () =>
  expect(expandBraces(`c{1..${patternLimit}}`)).toMatchObject({
    values: { length: patternLimit },
  }));
