import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { createShelf } from './shelf.ts';
import { smallEntry } from './testing/smallEntry.ts';

describe('the ready-made studies', () => {
  const signal = new AbortController().signal;

  test('are there before a method that reads them is called', async () => {
    const shelf = createShelf();
    expect(() => shelf.entries()).toThrow('read before they are made');
    const { 'study.remove': remove } = shelf.loadedFirst({
      'study.remove': async ({ id }: { id: string }, _signal: AbortSignal) => {
        expect(shelf.entries().some(({ item }) => item.id === id)).toBe(true);
        return {};
      },
    });
    await expect(remove({ id: 'E01' }, signal)).resolves.toEqual({});
  });

  test('stay unmade where a window lists what is stored', () => {
    const engine = readFileSync(resolve(import.meta.dirname, '../engine.ts'), 'utf8');
    const { groups } =
      /const \{ 'study\.list': list, \.\.\.(?<rest>\w+) \} = service\.methods;/.exec(engine)!;
    expect(engine).toContain(`shelf.loadedFirst(${groups!['rest']!})`);
  });

  test('are those that were given', async () => {
    expect(createShelf([smallEntry]).entries()).toEqual([smallEntry]);
  });

  test('cost no start anything: nothing but themselves names them in an import', () => {
    const root = resolve(import.meta.dirname, '../../..');
    const naming = globSync('{workers,electron}/**/*.ts', { cwd: root })
      .filter((path) => !/\.test\.ts$|\/testing\/|^workers\/engine\/gallery\//.test(path))
      .filter((path) =>
        /from '[^']*gallery\/(index|library|libraryParts|build|E\d\d)\.ts'/.test(
          readFileSync(join(root, path), 'utf8').replaceAll(/import type .*/g, ''),
        ),
      );
    // Itself read with the first lab that is made.
    expect(naming).toEqual(['workers/engine/customerLab/make.ts']);
    const methods = readFileSync(join(root, 'workers/engine/customerLab/methods.ts'), 'utf8');
    expect(methods).toContain("await import('./make.ts')");
    expect(methods).not.toContain("from './make.ts'");
  });
});
