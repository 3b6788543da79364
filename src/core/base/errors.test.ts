import { AppError, errorKinds, fail, readErrorShape, toAppError } from './errors.ts';
import { appErrorSchema } from './errorSchema.ts';

test('a failure crosses the wire with kind, message, hint and details', () => {
  const error = fail('untrusted', 'The host key of c1 changed.', 'Compare both fingerprints.', {
    expected: 'a',
    presented: 'b',
  });
  expect(appErrorSchema.parse(JSON.parse(JSON.stringify(error.toShape())))).toEqual({
    kind: 'untrusted',
    message: 'The host key of c1 changed.',
    hint: 'Compare both fingerprints.',
    details: { expected: 'a', presented: 'b' },
  });
});

test.each(errorKinds)('kind %s keeps its shape without a hint', (kind) => {
  expect(fail(kind, 'x').toShape()).toEqual({ kind, message: 'x' });
});

test.each([
  ['an abort', new DOMException('stop', 'AbortError'), 'aborted', 'The operation was cancelled.'],
  [
    'a time limit',
    new DOMException('late', 'TimeoutError'),
    'timedOut',
    'The operation took longer than its time limit.',
  ],
  ['an error', new TypeError('x is undefined'), 'internal', 'x is undefined'],
  ['a string', 'boom', 'internal', 'boom'],
  ['nothing', undefined, 'internal', 'undefined'],
])('%s becomes an AppError', (_, thrown, kind, message) => {
  const error = toAppError(thrown);
  expect(error).toMatchObject({ kind, message });
  expect(error.cause).toBe(thrown);
});

test('an AppError stays itself', () => {
  const error = new AppError({ kind: 'notFound', message: 'gone' });
  expect(toAppError(error)).toBe(error);
});

test('the stack stays at home', () =>
  expect(JSON.stringify(fail('internal', 'x').toShape())).not.toContain('stack'));

test.each<[string, unknown]>([
  ['all of it', { kind: 'conflict', message: 'm', hint: 'h', details: { a: 'b', n: 1, t: true } }],
  ['no hint', { kind: 'notFound', message: 'm' }],
  ['a fact that is not known', { kind: 'notFound', message: 'm', details: { at: null } }],
  ['no object', 'notFound'],
  ['nothing', null],
  ['a kind of another version', { kind: 'melted', message: 'm' }],
  ['no message', { kind: 'internal' }],
  ['a hint that is no text', { kind: 'internal', message: 'm', hint: 4 }],
  ['details that are a list', { kind: 'internal', message: 'm', details: ['a'] }],
  ['a detail that is an object', { kind: 'internal', message: 'm', details: { a: {} } }],
])('what another process says of a failure is read as its schema reads it: %s', (_, said) => {
  const read = readErrorShape(said);
  expect(read !== null).toBe(appErrorSchema.safeParse(said).success);
  if (read !== null) expect(JSON.parse(JSON.stringify(read))).toEqual(appErrorSchema.parse(said));
});
