import { toAppError } from './errors.ts';
import { sayCode } from './systemWords.ts';

test.each([
  [
    {
      code: 'ENOENT',
      path: '/data/x',
      message: "ENOENT: no such file or directory, open '/data/x'",
    },
    '/data/x does not exist.',
  ],
  [
    { code: 'ECONNREFUSED', address: '10.0.0.5', message: 'connect ECONNREFUSED 10.0.0.5:22' },
    '10.0.0.5 refuses connections.',
  ],
  [
    { code: 'DEPTH_ZERO_SELF_SIGNED_CERT', message: 'self-signed certificate' },
    'What was asked for has a self-signed certificate.',
  ],
])('a failure of the system is said in words, its own text stands behind: %#', (thrown, text) => {
  const { message, details, kind } = toAppError(Object.assign(new Error(thrown.message), thrown));
  expect([message, kind]).toEqual([text, 'internal']);
  expect(details?.['technical']).toContain(thrown.message);
});

test('no word of a code is a code', () => {
  for (const code of ['ENOENT', 'EIO', 'CERT_HAS_EXPIRED', 'EAI_AGAIN'])
    expect(sayCode(code)).not.toMatch(/[A-Z_]{4,}/);
  expect(sayCode('constructor')).toBeNull();
  expect(toAppError(new Error('plain')).message).toBe('plain');
});
