import { globSync, readFileSync } from 'node:fs';

/**
 * A value that only its own file uses is no part of what that file gives: a reader must not look
 * for who else needs it.
 */
test('every exported function and constant is used by another file', () => {
  const files = ['src', 'workers', 'electron', 'scripts', 'bench', 'e2e', 'bin'].flatMap((folder) =>
    globSync(`${folder}/**/*.{ts,tsx,mjs,js}`),
  );
  const text = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]));
  const users = new Map<string, number>();
  for (const one of text.values())
    for (const word of new Set(one.match(/\w+/g))) users.set(word, (users.get(word) ?? 0) + 1);
  const alone = [...text].flatMap(([file, one]) =>
    /\.(mjs|js)$|\.config\.ts$/.test(file)
      ? []
      : [...one.matchAll(/^export (?:async )?(?:const|function) (\w+)/gm)]
          .filter(([, name]) => users.get(name!) === 1)
          .map(([, name]) => `${file}: ${name}`),
  );
  expect(alone).toEqual([]);
});
