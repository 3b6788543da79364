import * as z from 'zod';

import { strictly } from '../core/base/strictly.ts';
import { walkSchema } from '../core/testing/walkSchema.ts';
import { type MethodName, methods } from './contract.ts';
import { inputOf } from './contract/strict.ts';

/** Where an object inside takes keys that it does not know. */
const lax = (root: z.core.$ZodType): string[] =>
  [...walkSchema(root)].flatMap(({ path, schema }) => {
    const { def } = (schema as z.core.$ZodTypes)._zod;
    return def.type === 'object' && def.catchall?._zod.def.type !== 'never' ? [path] : [];
  });

test.each(Object.keys(methods) as MethodName[])(
  'the input of %s refuses a key that it does not know, wherever it stands',
  (name) => {
    expect(lax(inputOf(name))).toEqual([]);
    const refused = inputOf(name).safeParse({ keyThatIsNoKey: 1 });
    expect(refused.error?.issues.map((issue) => issue.message).join('; ')).toContain(
      'keyThatIsNoKey',
    );
  },
);

test('keys are refused in lists, records, unions, defaults and what is prepared before, with their path', () => {
  const inner = z.object({ a: z.number().optional() });
  const schema = strictly(
    z.object({
      list: z.array(inner).default([]),
      record: z.record(z.string(), inner).optional(),
      choice: z
        .discriminatedUnion('k', [
          z.object({ k: z.literal('x'), inner }),
          z.object({ k: z.literal('y') }),
        ])
        .nullable()
        .optional(),
      prepared: z.preprocess((value) => value, inner).optional(),
      open: z.looseObject({ a: z.number() }).optional(),
    }),
  );
  const pathsOf = (value: unknown): string[] =>
    schema.safeParse(value).error?.issues.map((i) => `${i.path.join('.')}: ${i.message}`) ?? [];
  expect(pathsOf({ list: [{}, { b: 1 }] })).toEqual(['list.1: Unrecognized key: "b"']);
  expect(pathsOf({ record: { r: { b: 1 } } })).toEqual(['record.r: Unrecognized key: "b"']);
  expect(pathsOf({ choice: { k: 'x', inner: { b: 1 } } })).toEqual([
    'choice.inner: Unrecognized key: "b"',
  ]);
  expect(pathsOf({ choice: { k: 'y', b: 1 } })).toEqual(['choice: Unrecognized key: "b"']);
  expect(pathsOf({ prepared: { b: 1 } })).toEqual(['prepared: Unrecognized key: "b"']);
  expect(pathsOf({ open: { a: 1, b: 2 } })).toEqual([]);
  expect(pathsOf({ c: 1 })).toEqual([': Unrecognized key: "c"']);
  expect(schema.parse({})).toEqual({ list: [] });
});

test('what a schema demands beside stays: checks, bounds and messages', () => {
  const schema = strictly(
    z.object({ from: z.number(), to: z.number().max(9) }).refine(({ from, to }) => from < to, {
      error: 'from is not before to',
    }),
  );
  expect(schema.parse({ from: 1, to: 2 })).toEqual({ from: 1, to: 2 });
  expect(schema.safeParse({ from: 3, to: 2 }).error?.issues[0]?.message).toBe(
    'from is not before to',
  );
  expect(schema.safeParse({ from: 3, to: 10 }).success).toBe(false);
});
