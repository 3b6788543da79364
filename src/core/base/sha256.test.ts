import { createHash } from 'node:crypto';

import { sha256 } from './sha256.ts';

test('equals the standard implementation, at every length around a block', () => {
  for (const text of [
    '',
    'abc',
    'Größe ☃ 𝄞',
    ...Array.from({ length: 140 }, (_, n) => 'x'.repeat(n)),
    'y'.repeat(100_000),
  ]) {
    expect(sha256(text)).toBe(createHash('sha256').update(text).digest('hex'));
  }
});
