import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = 'src/ui';
const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx$/.test(name) && !/\.test\.|(^|\/)testing\//.test(name))
  .map((name) => ({
    name: name.replaceAll('\\', '/'),
    text: readFileSync(join(root, name), 'utf8'),
  }));
/** Boards of chips with a clipboard of tiles of their own. */
const boards = new Set(['pages/designer/BoardGrid.tsx']);

test('every plain table is the one that copies itself', () => {
  const plain = sources.filter(
    ({ name, text }) =>
      name !== 'kit/Table.tsx' &&
      /import \{[^}]*\bTable\w*\b[^}]*\} from '@mantine\/core'/.test(text),
  );
  expect(plain.map(({ name }) => name)).toEqual([]);
  expect(sources.filter(({ text }) => /<Table\b/.test(text)).length).toBeGreaterThan(30);
});

test('every table made by hand (long ones, grids) has a copy of its data', () => {
  const own = sources.filter(
    ({ name, text }) =>
      name !== 'kit/Table.tsx' && /<table\b|(?<!\[)role="(?:table|grid|treegrid)"/.test(text),
  );
  expect(own.length).toBeGreaterThan(5);
  expect(
    own
      .filter(({ name, text }) => !boards.has(name) && !/<CopyTable\b/.test(text))
      .map(({ name }) => name),
  ).toEqual([]);
});
