import * as z from 'zod';

import { field } from './field.ts';
import { overlong } from './overlong.ts';

const schema = z.object({
  few: z.array(z.object({ names: field.list(field.name('vm'), 3).default([]) })).max(2),
  table: field.record(field.word(), field.figure(), 2).optional(),
  either: z.union([z.array(z.number()).max(1), z.string()]).optional(),
});

test.each([
  ['within', { few: [{ names: ['a', 'b', 'c'] }], table: { a: 1 } }, null],
  ['a list', { few: [{}, {}, {}] }, { path: ['few'], message: 'at most 2 entries' }],
  [
    'a list in a list',
    { few: [{}, { names: ['a', 'b', 'c', 'd'] }] },
    { path: ['few', 1, 'names'], message: 'at most 3 entries' },
  ],
  [
    'a record',
    { few: [], table: { a: 1, b: 2, c: 3 } },
    { path: ['table'], message: 'at most 2 entries' },
  ],
  [
    'of another type',
    { few: { length: 9 }, table: [1, 2, 3] },
    { path: ['table'], message: 'at most 2 entries' },
  ],
  ['a choice is left to the schema', { few: [], either: [1, 2, 3] }, null],
  ['nothing', null, null],
])('%s', (_what, value, found) => expect(overlong(schema, value)).toEqual(found));

test('what is too long is told before any member is looked at', () => {
  let looked = 0;
  const watched = z.object({
    many: z
      .array(
        z.unknown().refine(() => {
          looked += 1;
          return true;
        }),
      )
      .max(10, { error: 'at most ten' }),
  });
  const value = { many: Array.from({ length: 1_000 }, () => 1) };
  expect(overlong(watched, value)).toEqual({ path: ['many'], message: 'at most ten' });
  expect(looked).toBe(0);
});
