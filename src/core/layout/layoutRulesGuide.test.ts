import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { layoutRules } from './layoutRules.ts';

it('explains every rule in the guide, and no other', () => {
  const guide = readFileSync(join(__dirname, '../../../docs/guide/layout-rules.md'), 'utf8');
  const named = guide
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .flatMap((line) => line.split('|')[1]!.match(/[a-z]+\.[A-Za-z]+/g) ?? []);
  expect(named.sort()).toEqual(layoutRules.map(({ id }) => id).sort());
});
