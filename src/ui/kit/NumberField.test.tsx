import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { MantineProvider } from '@mantine/core';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';

import { NumberField } from './NumberField.tsx';

const seen: number[] = [];
function Form({ start, within }: { start: number; within?: readonly [number, number] }) {
  const [tiles, setTiles] = useState(start);
  return (
    <MantineProvider env="test">
      <NumberField
        label="Tiles"
        value={tiles}
        {...(within ? { within } : {})}
        onChange={(next) => {
          seen.push(next);
          setTiles(next);
        }}
      />
    </MantineProvider>
  );
}
const field = () => screen.getByRole('textbox', { name: 'Tiles' });
beforeEach(() => {
  seen.length = 0;
});

test('an emptied field says that it wants a number, and is none for its form', async () => {
  const user = userEvent.setup();
  render(<Form start={12} />);
  await user.clear(field());
  expect(seen.at(-1)).toBeNaN();
  await user.tab();
  expect(field()).toHaveValue('');
  expect(screen.getByText('Write a number.')).toBeVisible();
  await user.type(field(), '7');
  expect(seen.at(-1)).toBe(7);
  expect(screen.queryByText('Write a number.')).toBeNull();
});

test('with bounds nothing beyond them is handed on, and the value from before comes back', async () => {
  const user = userEvent.setup();
  render(<Form start={12} within={[2, 400]} />);
  await user.clear(field());
  await user.type(field(), '1');
  expect(screen.getByText('At least 2')).toBeVisible();
  await user.type(field(), '00');
  expect(seen.at(-1)).toBe(100);
  await user.clear(field());
  await user.tab();
  expect(field()).toHaveValue('12');
  expect(seen.every((tiles) => tiles >= 2 && tiles <= 400)).toBe(true);
});

test('no number field of a form drops what was typed without a word', () => {
  const dropping = readdirSync('src/ui', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.tsx'))
    .filter((name) =>
      /<NumberInput\b(?:(?!\/>)[^])*?onChange=\{\((\w+)\) => \{\s*if \([^{]*?typeof \1 === 'number'/.test(
        readFileSync(join('src/ui', name), 'utf8'),
      ),
    );
  expect(dropping).toEqual([]);
});
