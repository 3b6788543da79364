import * as z from 'zod';

import { schemaFaults } from './schemaFaults.ts';

const secret = z.union([
  z.object({ keychain: z.string() }),
  z.object({ env: z.string() }),
  z.object({ file: z.string() }),
]);
const connectionSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('client'),
    auth: z.union([
      z.object({ method: z.literal('key'), path: z.string() }),
      z.object({ method: z.literal('agent') }),
      z.object({ method: z.literal('password'), password: secret }),
    ]),
  }),
  z.object({
    kind: z.literal('power'),
    source: z.union([
      z.object({ type: z.literal('nut'), host: z.string() }),
      z.object({ type: z.literal('file'), path: z.string() }),
    ]),
  }),
]);

const client = { kind: 'client', auth: { method: 'agent' } };
const meter = { kind: 'power' };

test.each<[string, unknown, string[]]>([
  [
    'the form that its word names is the one that was meant',
    { ...client, auth: { method: 'password', secret: { env: 'A' } } },
    ['auth.password: Invalid input: expected object, received undefined'],
  ],
  [
    'forms without a word of their own, by what each needs',
    { ...client, auth: { method: 'password', password: {} } },
    ['auth.password: needs keychain, env or file'],
  ],
  [
    'a word that no form has',
    { ...client, auth: { method: 'pin' } },
    ['auth.method: must be "key", "agent" or "password"'],
  ],
  ['no word', { ...client, auth: {} }, ['auth.method: must be "key", "agent" or "password"']],
  ['another kind', { ...client, kind: 'tape' }, ['kind: not one that is known']],
  [
    'nothing like it',
    { ...client, auth: 7 },
    ['auth: Invalid input: expected object, received number'],
  ],
])('%s', (_, value, said) => {
  const { error } = connectionSchema.safeParse(value);
  expect(schemaFaults(error!).map(({ path, message }) => `${path.join('.')}: ${message}`)).toEqual(
    said,
  );
});

test('a source of power is told by its type, and what its form lacks by its place', () => {
  const faults = (source: unknown): string =>
    schemaFaults(connectionSchema.safeParse({ ...meter, source }).error!)
      .map(({ path, message }) => `${path.join('.')}: ${message}`)
      .join('\n');
  expect(faults({ type: 'steam' })).toBe('source.type: must be "nut" or "file"');
  expect(faults({ type: 'nut' })).toMatch(/^source\.host: /);
});

test('other faults are said as the schema says them', () => {
  const { error } = z.object({ a: z.number('a number') }).safeParse({ a: 'b' });
  expect(schemaFaults(error!)).toEqual([{ path: ['a'], message: 'a number' }]);
});
