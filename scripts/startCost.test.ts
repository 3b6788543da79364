import { execFileSync } from 'node:child_process';

/**
 * The packages that a program reads before it does anything: those its first file reaches by imports
 * that are not awaited. Bundled in a process of its own, as the build does it.
 */
function readAtStart(entry: string): string[] {
  const script = `
    const { build } = await import('esbuild');
    const { metafile } = await build({
      entryPoints: [process.argv[1]], bundle: true, write: false, metafile: true, outdir: 'out',
      format: 'esm', platform: 'node', packages: 'external', jsx: 'automatic', logLevel: 'silent',
      loader: { '.css': 'empty', '.svg': 'empty', '.module.css': 'empty' },
    });
    const packages = new Set(), seen = new Set(), open = [process.argv[1]];
    while (open.length > 0) {
      const path = open.pop();
      if (seen.has(path)) continue;
      seen.add(path);
      for (const { path: to, kind, external } of metafile.inputs[path]?.imports ?? []) {
        if (kind === 'dynamic-import') continue;
        if (!external) open.push(to);
        else if (!to.startsWith('node:'))
          packages.add(to.split('/').slice(0, to.startsWith('@') ? 2 : 1).join('/'));
      }
    }
    process.stdout.write(JSON.stringify([...packages].sort()));`;
  return JSON.parse(
    execFileSync(process.execPath, ['--input-type=module', '--eval', script, entry], {
      encoding: 'utf8',
    }),
  ) as string[];
}

describe('what a start reads', () => {
  // Fonts, pages and slides of reports took a sixth of it, and 10 MB.
  test('an engine: what every engine needs; a package that one export needs is loaded by it', () => {
    expect(readAtStart('workers/engineProcess.ts')).toEqual([
      '@msgpack/msgpack',
      'better-sqlite3',
      'hyparquet-writer',
      'jsonc-parser',
      're2js',
      'saxes',
      'yauzl',
      'yazl',
      'zod',
    ]);
  });

  // They were read before there was a window, one after the other on one core.
  test('the process of the window: nothing but Electron; schemas and messages come behind it', () => {
    expect(readAtStart('electron/main.ts')).toEqual(['electron']);
  });

  // Schemas were half of what a window evaluates before it shows anything.
  test('a window: no schemas, no charts; they come with the pages behind it', () => {
    const read = readAtStart('src/ui/main.tsx');
    expect(read).toContain('@mantine/core');
    expect(read.filter((name) => /^(zod|recharts|jsonc-parser|marked|d3-.*)$/.test(name))).toEqual(
      [],
    );
  });
});
