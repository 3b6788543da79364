import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { bashCompletion, describedProgram, manualPage } from './commandTexts.ts';
import { isRuntimeFile } from './console.ts';
import { targetOfZip } from './electronZip.ts';
import { sortKinds } from './kinds.ts';
import { closureOf, readLock } from './lock.ts';
import { machineOf } from './machineOf.ts';
import { cycloneDx, licenceText, partsOf } from './parts.ts';
import type { Target } from './target.ts';

const root = resolve('.');
const linux: Target = { platform: 'linux', arch: 'x64', zipDir: '/z', electronVersion: '45.4.1' };

test.each([
  ['/a/electron-v45.4.1-linux-x64.zip', { platform: 'linux', arch: 'x64', zipDir: '/a' }],
  [
    'electron-v46.0.0-beta.2-win32-arm64.zip',
    { platform: 'win32', electronVersion: '46.0.0-beta.2' },
  ],
])('%s says what it is for', (path, target) => {
  expect(targetOfZip(path)).toMatchObject(target);
});
test.each([
  'electron.zip',
  'electron-v45.4.1-linux-mips.zip',
  'electron-v45.4.1-linux-x64.zip.part',
])('%s is none of the releases', (path) => expect(targetOfZip(path)).toBeNull());

test.each([
  ['better-sqlite3', 'prebuilds/linux-x64.node', true],
  ['better-sqlite3', 'prebuilds/linux-arm64.node', false],
  ['better-sqlite3', 'deps/sqlite3/sqlite3.c', false],
  ['better-sqlite3', 'LICENSE', true],
  ['ssh2', 'lib/client.js', true],
  ['ssh2', 'test/test.js', false],
  ['ssh2', 'README.md', false],
  ['pptxgenjs', 'dist/pptxgen.cjs.js', true],
  ['pptxgenjs', 'dist/pptxgen.bundle.js', false],
  ['saxes', 'saxes.d.ts', false],
])('%s: %s goes along: %p', (name, path, goes) => {
  expect(isRuntimeFile(name, path, linux)).toBe(goes);
});

test('a closure follows what a package finds from where it lies', () => {
  const lock = {
    'node_modules/a': { version: '1', dependencies: { b: '^2', c: '*' } },
    'node_modules/a/node_modules/b': { version: '2', dependencies: { c: '*', gone: '*' } },
    'node_modules/b': { version: '1' },
    'node_modules/c': { version: '1', dependencies: { a: '*' } },
  };
  expect(closureOf(lock, ['a'])).toEqual([
    'node_modules/a',
    'node_modules/a/node_modules/b',
    'node_modules/c',
  ]);
  expect(closureOf(lock, ['a'], new Set(['b']))).toEqual(['node_modules/a', 'node_modules/c']);
  expect(() => closureOf(lock, ['d'])).toThrow('d is not in package-lock.json');
});

describe('the bill of materials', () => {
  const parts = partsOf(root, linux, 'Node licence');
  const bill = JSON.parse(cycloneDx('0.1.0', parts, 0)) as {
    components: { purl: string; licenses: unknown[]; hashes?: { content: string }[] }[];
  };

  test('names each package that the application depends on, once', () => {
    const purls = bill.components.map(({ purl }) => purl);
    expect(new Set(purls).size).toBe(purls.length);
    for (const name of Object.keys(readLock(root)['']!.dependencies!))
      expect(purls.join('\n')).toContain(`pkg:npm/${name.replace('@', '%40')}@`);
    expect(purls).toContain('pkg:github/electron/electron@v45.4.1');
    expect(purls.some((purl) => purl.startsWith('pkg:npm/uplot@'))).toBe(true);
    expect(purls.some((purl) => /pkg:npm\/(jest|eslint|typescript)@/.test(purl))).toBe(false);
  });
  // npm's own bill, read from the same lock file, as a second opinion.
  test('holds what npm says is needed at run time', () => {
    const said = JSON.parse(
      execFileSync(
        'npm',
        ['sbom', '--sbom-format=cyclonedx', '--omit=dev', '--package-lock-only'],
        {
          encoding: 'utf8',
          maxBuffer: 64 << 20,
          stdio: ['ignore', 'pipe', 'ignore'],
        },
      ),
    ) as { components: { purl: string }[] };
    const ours = new Set(bill.components.map(({ purl }) => purl));
    const missing = said.components.map(({ purl }) => purl).filter((purl) => !ours.has(purl));
    expect(missing).toEqual([]);
    expect(said.components.length).toBeGreaterThan(50);
  });
  test('each package has a licence, and nearly each its text', () => {
    expect(parts.filter(({ license }) => license === '' || license === 'UNLICENSED')).toEqual([]);
    const text = licenceText(parts);
    expect(text).toContain('Node licence');
    expect(text).toMatch(/react \d+\.\d+\.\d+ \(MIT\)/);
  });
});

describe('what is told of the command line', () => {
  const program = describedProgram('1.2.3');
  const commands = program.commands.map((one) => one.name());
  test('the page of the manual names each command and escapes its hyphens', () => {
    const page = manualPage(program, '1.2.3', 0);
    expect(page).toContain('.TH TILEBENCH 1 "1970-01-01" "Tilebench 1.2.3"');
    for (const name of commands) expect(page).toContain(`.B tilebench ${name}`);
    expect(page).toContain('\\-\\-data');
    expect(page).not.toMatch(/^\.(?!TH|SH|TP|B |I |RS|RE|br)/m);
  });
  test('bash completes commands, commands below them, options', () => {
    const ask = (...words: string[]): string[] =>
      execFileSync(
        'bash',
        [
          '-c',
          `${bashCompletion(program)}\nCOMP_WORDS=("$@"); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _tilebench; printf '%s\\n' "\${COMPREPLY[@]}"`,
          'bash',
          'tilebench',
          ...words,
        ],
        { encoding: 'utf8' },
      )
        .trim()
        .split('\n');
    expect(ask('')).toEqual(expect.arrayContaining(commands));
    expect(ask('runs', 'sh')).toEqual(['show']);
    expect(ask('runs', 'show', 'r1', '--js')).toEqual(['--json']);
    expect(ask('check', 'package.js')).toEqual(['package.json']);
  });
});

describe('what is made, and what is said of the rest', () => {
  test('of Linux: never what another system needs, and by default it is said', () => {
    const asked = sortKinds({ platform: 'linux', arch: 'x64' }, ['tar', 'setup']);
    expect(asked).toEqual({
      made: ['tar'],
      left: ['No setup is made from an Electron for linux.'],
      notes: [],
    });
    const said = (arch: 'x64' | 'arm64'): string[] =>
      sortKinds({ platform: 'linux', arch }, []).notes;
    expect(said('x64')).toEqual([
      expect.stringMatching(/^Nothing is made for Linux on arm64, Win/),
    ]);
    expect(said('arm64')).toEqual([
      expect.stringMatching(/^Nothing is made for Linux on x64, Win/),
    ]);
  });
  test('of Windows and macOS: that it is not signed keeps nothing from being made', () => {
    expect(sortKinds({ platform: 'win32', arch: 'x64' }, ['zip'])).toMatchObject({
      made: ['zip'],
      left: [],
    });
    expect(sortKinds({ platform: 'darwin', arch: 'arm64' }, [])).toMatchObject({
      made: ['zip'],
      notes: [expect.stringContaining('not signed')],
    });
  });
});

test('a Node for another machine is told from one for the machine of the package', () => {
  const dir = mkdtempSync(join(tmpdir(), 'tilebench-machine-'));
  const written = (bytes: Buffer): string => {
    const path = join(dir, 'node');
    writeFileSync(path, bytes);
    return path;
  };
  const program = (machine: number): Buffer => {
    const head = Buffer.alloc(64);
    head.write('\x7fELF', 'latin1');
    head.writeUInt16LE(machine, 18);
    return head;
  };
  try {
    expect(machineOf(written(program(0x3e)))).toBe('x64');
    expect(machineOf(written(program(0xb7)))).toBe('arm64');
    for (const other of [program(0x28), Buffer.from('MZ'), Buffer.alloc(64)])
      expect(machineOf(written(other))).toBeNull();
    if (process.platform === 'linux') expect(machineOf(process.execPath)).toBe(process.arch);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
});
